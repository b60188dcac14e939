/**
 * Makes `dist/cjs`: the package for loaders that cannot load ES modules, such as Jest's. One bundle
 * for Node and one for browsers, so that the classes of all entries are the same; each entry is a
 * small file that names its exports. The argument is another `dist/`. The declarations are copies that belong to CommonJS.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const dist = process.argv[2] ?? fileURLToPath(new URL('../dist/', import.meta.url))
const out = `${dist}cjs/`
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The entries of the package by their names in `dist/cjs`. */
const entries = {
  index: 'index.js',
  contract: 'contract/index.js',
  'node-http': 'http/node-http.js',
  redis: 'oauth/redis-token-store.js',
}
const browserEntries = ['index', 'contract']

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

async function bundle(outfile, names, options) {
  const contents = names
    .map((name) => `export * as ${identifier(name)} from './${entries[name]}'`)
    .join('\n')
  await build({
    stdin: { contents, resolveDir: dist },
    outfile: `${out}${outfile}`,
    bundle: true,
    format: 'cjs',
    target: 'node20.19',
    // A loader of CommonJS cannot import: undici is required when it is first used.
    supported: { 'dynamic-import': false },
    external: ['undici'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
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
  const isDeclaration = (name) => name.endsWith('.d.ts') && !name.startsWith('cjs')
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    isDeclaration,
  )) {
    const target = `${out}types/${name}`
    mkdirSync(dirname(target), { recursive: true })
    const text = readFileSync(dist + name, 'utf8')
      .replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n')
      // The imports of the package are not those of this folder.
      .replace(/(['"])(#\w+)\1/g, (_, quote, found) => {
        const path = resolve(dist, '..', manifest.imports[found].node)
        return `${quote}./${relative(dirname(dist + name), path)}${quote}`
      })
    writeFileSync(target, text)
  }
}

rmSync(out, { recursive: true, force: true })
mkdirSync(`${out}browser`, { recursive: true })
writeFileSync(`${out}package.json`, '{ "type": "commonjs" }\n')
await bundle('node.js', Object.keys(entries), { platform: 'node' })
await bundle('browser/all.js', browserEntries, { platform: 'browser', conditions: ['browser'] })
for (const name of Object.keys(entries)) await writeEntry(name, 'node.js', out)
for (const name of browserEntries) await writeEntry(name, 'all.js', `${out}browser/`)
copyDeclarations()
