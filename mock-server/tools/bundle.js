// Joins what tsc made into few files: a start reads some twenty of ours, and not two hundred. The
// version, the texts of the pages and the demo seed become part of them, so that a user's bundler
// finds all of it. Other packages stay outside, except those that a bundle or a loader of CommonJS,
// such as Jest's, could not run.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = `${root}dist/`
const text = (path) => readFileSync(root + path, 'utf8')
const filesUnder = (folder) => readdirSync(root + folder, { recursive: true, encoding: 'utf8' })

function assetTexts() {
  const isAsset = (name) => /\.(css|svg|html|graphql)$/.test(name)
  return Object.fromEntries(
    filesUnder('src')
      .filter(isAsset)
      .map((name) => [name.replaceAll('\\', '/'), text(`src/${name}`)]),
  )
}

/** What replaces the modules that read files of this package, or of packages that become part of it. */
const embedded = {
  'base/version': () =>
    `export const version = ${JSON.stringify(JSON.parse(text('package.json')).version)}`,
  'base/asset': () =>
    `const texts = ${JSON.stringify(assetTexts())}\nexport const asset = (path) => texts[path]`,
  'base/parsers': () => `export const loadMarked = () => require('marked').marked`,
  'pages/parsers': () => `
    export const loadAnser = () => require('anser')
    export const loadEmojis = () => require('markdown-it-emoji/lib/data/full.mjs').default
  `,
  'seed/demo': () =>
    `import demo from '../demo.json' with { type: 'json' }\nexport const demoSeed = async () => demo`,
}

const embed = {
  name: 'embed',
  setup({ onLoad, onResolve }) {
    // Node reads JSON in about a third of the time of a module that contains it.
    onResolve({ filter: /^\.\.\/demo\.json$/ }, ({ path }) => ({ path, external: true }))
    onLoad(
      { filter: /[/\\]dist[/\\](base|pages|seed)[/\\](version|asset|parsers|demo)\.js$/ },
      ({ path }) => {
        const name = path.slice(dist.length, -'.js'.length).replaceAll('\\', '/')
        return { contents: embedded[name]() }
      },
    )
  },
}

/** Stays a file of its own: esbuild would replace its `require`, which must be the loader's. */
const keepPackages = {
  name: 'keep-packages',
  setup({ onResolve }) {
    onResolve({ filter: /\/base\/packages\.js$/ }, () => ({
      path: '../base/packages.js',
      external: true,
    }))
  },
}

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  logLevel: 'warning',
}

/** Node reads less; names stay, and lines stay short enough for positions in a stack. */
const compact = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 }

const entries = {
  index: 'index',
  main: 'main',
  owner: 'store/owner',
  patience: 'store/patience',
  programs: 'program/programs',
  msw: 'server/doors/msw',
  vitest: 'program/vitest',
}
const files = (names) => Object.fromEntries(names.map((name) => [name, `dist/${entries[name]}.js`]))

/**
 * Packages that become part of the bundle: a user's bundler does not see what `createRequire` loads,
 * and its ES modules cannot run CommonJS that requires modules of Node. CommonJS cannot require
 * those of `onlyModules`.
 */
const inside = ['anser', 'markdown-it-emoji', 'marked', 'sanitize-html', 'yaml']
const onlyModules = ['jose', 'lowdb', 'steno']
/** Packages of many small files, which a start would read one by one. */
const manyFiles = ['hono', 'lowdb', 'steno']

/** Leaves other packages outside than those that are named, and what these import themselves. */
const keepInside = (names) => ({
  name: 'keep-inside',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind, importer }) => {
      // The other copy of yaml, for Node, requires.
      if (path === 'yaml')
        return { path: fileURLToPath(new URL('../browser/index.js', import.meta.resolve('yaml'))) }
      const isNamed = names.some((name) => path === name || path.startsWith(`${name}/`))
      const isInside = isNamed || kind === 'entry-point' || /[/\\]node_modules[/\\]/.test(importer)
      return isInside ? undefined : { path, external: true }
    })
  },
})

/** Makes both entries of CommonJS have one `FaultError`. */
const oneFaultError = {
  name: 'one-fault-error',
  setup({ onResolve }) {
    onResolve({ filter: /\/rules\/perform\.js$/ }, ({ importer }) =>
      importer.endsWith('msw.js') ? { path: './index.js', external: true } : undefined,
    )
  },
}

/** ES modules have no `require`: the packages inside get the modules of Node from the process. */
const withoutRequire = {
  name: 'without-require',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?[a-z]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'node' } : undefined,
    )
    onLoad({ filter: /(?:)/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

const needsResponse =
  'The mock server runs in Node, and there is no Response here: in Jest, begin the file with /** @jest-environment node */'

rmSync(`${dist}bundle`, { recursive: true, force: true })
rmSync(`${dist}cjs`, { recursive: true, force: true })
await build({
  ...options,
  entryPoints: files(Object.keys(entries)),
  outdir: 'dist/bundle',
  splitting: true,
  format: 'esm',
  ...compact,
  plugins: [embed, keepPackages, withoutRequire, keepInside([...inside, ...manyFiles])],
})
await build({
  ...options,
  entryPoints: files(['index', 'msw']),
  outdir: 'dist/cjs',
  format: 'cjs',
  // Jest's loader cannot import.
  supported: { 'dynamic-import': false },
  logOverride: { 'empty-import-meta': 'silent' },
  banner: {
    js: `if (typeof Response === 'undefined') throw new Error(${JSON.stringify(needsResponse)})`,
  },
  ...compact,
  plugins: [embed, oneFaultError, keepInside([...inside, ...onlyModules])],
})
writeFileSync(`${dist}cjs/package.json`, '{ "type": "commonjs" }\n')

// Beside a package.json that says so, copied declarations belong to CommonJS.
const isDeclaration = (name) => name.endsWith('.d.ts') && !name.startsWith('cjs')
for (const name of filesUnder('dist').filter(isDeclaration)) {
  const target = `${dist}cjs/types/${name}`
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text(`dist/${name}`).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n'))
}
