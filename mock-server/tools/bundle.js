// Joins what tsc made into few files: a start reads some twenty of ours, and not two hundred. The
// version, the texts of the pages and the demo seed become part of them, so that a user's bundler
// finds all of it. Other packages stay outside, except in `cjs`, for loaders of CommonJS such as
// Jest's: there the packages that are ES modules only are inside.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** What replaces the modules that read files of this package. */
const embedded = {
  'base/version': () =>
    `export const version = ${JSON.stringify(JSON.parse(text('package.json')).version)}`,
  'base/asset': () =>
    `const texts = ${JSON.stringify(assetTexts())}\nexport const asset = (path) => texts[path]`,
  'seed/demo': () =>
    `const text = ${JSON.stringify(text('dist/demo.json').trim())}\nexport const demoSeed = async () => JSON.parse(text)`,
}

const embed = {
  name: 'embed',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]dist[/\\](base|seed)[/\\](version|asset|demo)\.js$/ }, ({ path }) => {
      const name = path.slice(dist.length, -'.js'.length).replaceAll('\\', '/')
      return { contents: embedded[name]() }
    })
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

/** Packages that CommonJS cannot require. */
const onlyModules = ['jose', 'lowdb', 'steno', 'marked']

const isOutside = {
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) => {
      const isInside = onlyModules.some((name) => path === name || path.startsWith(`${name}/`))
      return isInside || kind === 'entry-point' ? undefined : { path, external: true }
    })
    // One `FaultError` for both entries.
    onResolve({ filter: /\/rules\/perform\.js$/ }, ({ importer }) =>
      importer.endsWith('msw.js') ? { path: './index.js', external: true } : undefined,
    )
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
  packages: 'external',
  format: 'esm',
  plugins: [embed, keepPackages],
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
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  plugins: [embed, isOutside],
})
writeFileSync(`${dist}cjs/package.json`, '{ "type": "commonjs" }\n')

// Beside a package.json that says so, copied declarations belong to CommonJS.
const isDeclaration = (name) => name.endsWith('.d.ts') && !name.startsWith('cjs')
for (const name of filesUnder('dist').filter(isDeclaration)) {
  const target = `${dist}cjs/types/${name}`
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text(`dist/${name}`).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n'))
}
