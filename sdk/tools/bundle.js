/**
 * Joins what tsc made into few files, so that an import reads about ten and not a hundred. The
 * argument is another `dist/`.
 *
 * `dist/bundle` has the ES modules: a file for each entry and for each target of the package's
 * `imports`, and the chunks that they share. `dist/cjs` is for loaders that cannot load ES modules,
 * such as Jest's: one bundle for Node and one for browsers, so that the classes of all entries are
 * the same; each entry is a small file that names its exports, and its declarations are copies.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { aliases, entries, importTargets } from './modules.js'

const dist = process.argv[2] ?? fileURLToPath(new URL('../dist/', import.meta.url))
const out = `${dist}cjs/`

const browserEntries = ['index', 'contract']

/**
 * Parts of `index` that a program may not use. Each has files of its own, because a bundler leaves
 * out whole files: a bundle that lists builds has no token exchange in it.
 */
const parts = {
  client: 'client/client.js',
  exchange: 'oauth/token-exchange.js',
  summary: 'summary/summarize-failure.js',
}

/**
 * Makes the import of `node:http`'s transport static: esbuild would wrap each module that a dynamic
 * import reaches into a function.
 */
const importNodeTransport = {
  name: 'import-node-transport',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]undici-transport\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      const pattern = /await import\((["']\.\/node-transport\.js["'])\)/
      if (!pattern.test(code)) throw new Error(`${path} does not import the transport`)
      const body = code.replace(pattern, 'nodeTransportModule')
      const [, target] = pattern.exec(code)
      return { contents: `import * as nodeTransportModule from ${target}\n${body}` }
    })
  },
}

/** An identifier, since it is a name in the bundle too. */
const identifier = (name) => name.replace('-', '_')

const shared = {
  bundle: true,
  target: 'node20.19',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
}

/**
 * Small modules that several entries use. esbuild makes a chunk for each set of entries that share a
 * module; every entry imports these, so they are one chunk.
 */
const commonModules = [
  'base/timestamp.js',
  'base/tried.js',
  'contract/log-lines.js',
  'http/client-options.js',
  'http/service-url.js',
  'oauth/key-form.js',
  'transport/cancellation.js',
  'transport/fetch-transport.js',
  'transport/limits.js',
  'transport/transport.js',
]

const oneCommonChunk = (entryFiles) => ({
  name: 'one-common-chunk',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^common$/ }, () => ({ path: 'common', namespace: 'common' }))
    onLoad({ filter: /(?:)/, namespace: 'common' }, () => ({
      contents: commonModules.map((file) => `import './${file}'`).join('\n'),
      resolveDir: dist,
    }))
    // Without this, esbuild leaves out imports of no names.
    onResolve({ filter: /^\./, namespace: 'common' }, ({ path }) => ({
      path: resolve(dist, path),
      sideEffects: true,
    }))
    onLoad({ filter: /\.js$/ }, ({ path }) =>
      entryFiles.includes(path)
        ? { contents: `import 'common';${readFileSync(path, 'utf8')}` }
        : undefined,
    )
  },
})

/** Comments stay in the declarations, where editors read them; source maps lead to `src`. */
async function bundleModules() {
  const files = Object.entries({ ...entries, ...importTargets(dist), ...parts })
  await build({
    ...shared,
    entryPoints: Object.fromEntries(files.map(([name, file]) => [name, dist + file])),
    outdir: `${dist}bundle`,
    format: 'esm',
    platform: 'node',
    splitting: true,
    chunkNames: 'shared-[hash]',
    packages: 'external',
    external: ['#*'],
    minifySyntax: true,
    minifyWhitespace: true,
    // Lines stay short enough for positions in a stack.
    lineLimit: 160,
    sourcemap: true,
    sourcesContent: false,
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [oneCommonChunk(files.map(([, file]) => resolve(dist, file)))],
  })
}

async function bundleCommonJs(outfile, names, options) {
  const contents = names
    .map((name) => `export * as ${identifier(name)} from './${entries[name]}'`)
    .join('\n')
  await build({
    stdin: { contents, resolveDir: dist },
    ...shared,
    outfile: `${out}${outfile}`,
    format: 'cjs',
    // A loader of CommonJS cannot import: undici is required when it is first used.
    supported: { 'dynamic-import': false },
    external: ['undici'],
    minify: true,
    plugins: [importNodeTransport],
    ...options,
  })
}

/** Loaders read the names of exports from the text of a file, without running it. */
async function writeEntry(name, bundleName, folder) {
  const names = Object.keys(await import(`${dist}${entries[name]}`)).filter(
    (exported) => exported !== 'default',
  )
  const lines = [
    `'use strict'`,
    `module.exports = require('./${bundleName}').${identifier(name)}`,
    `0 && (module.exports = { ${names.join(', ')} })`,
  ]
  writeFileSync(`${folder}${name}.js`, `${lines.join('\n')}\n`)
}

/** Copies the declarations: beside a package.json that says so they belong to CommonJS. */
function copyDeclarations() {
  const modules = aliases('node', dist)
  const isDeclaration = (name) => name.endsWith('.d.ts') && !/^(?:bundle|cjs)\b/.test(name)
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    isDeclaration,
  )) {
    const target = `${out}types/${name}`
    mkdirSync(dirname(target), { recursive: true })
    const text = readFileSync(dist + name, 'utf8')
      .replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n')
      // The imports of the package are not those of this folder.
      .replace(/(['"])(#\w+)\1/g, (_, quote, found) => {
        const path = relative(dirname(dist + name), modules[found])
        return `${quote}./${path}${quote}`
      })
    writeFileSync(target, text)
  }
}

rmSync(out, { recursive: true, force: true })
mkdirSync(`${out}browser`, { recursive: true })
writeFileSync(`${out}package.json`, '{ "type": "commonjs" }\n')
rmSync(`${dist}bundle`, { recursive: true, force: true })
await bundleModules()
await bundleCommonJs('node.js', Object.keys(entries), {
  platform: 'node',
  alias: aliases('node', dist),
})
await bundleCommonJs('browser/all.js', browserEntries, {
  platform: 'browser',
  alias: aliases('browser', dist),
})
for (const name of Object.keys(entries)) await writeEntry(name, 'node.js', out)
for (const name of browserEntries) await writeEntry(name, 'all.js', `${out}browser/`)
copyDeclarations()
