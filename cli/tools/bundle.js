// Bundles the command line: one module per command, so that a run loads what it needs and nothing else.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = new URL('../', import.meta.url)
const path = (name) => fileURLToPath(new URL(name, root))

/** Parts of @oclif/core's load that this program's set-up never calls. */
const STUBS = {
  tinyglobby: 'export const glob = async () => []; export const globSync = () => []',
  minimatch: 'export const minimatch = () => false',
  ejs: 'export const render = (text) => text; export default { render }',
  'cli-spinners': 'export default {}',
  debug:
    'const noop = () => Object.assign(() => {}, { enabled: false, extend: noop }); noop.enabled = () => false; noop.enable = () => {}; noop.disable = () => ""; export default noop',
  'wsl-utils': 'export const isWsl = false; export default false',
}

const stubs = {
  name: 'stubs',
  setup({ onResolve, onLoad }) {
    const names = Object.keys(STUBS).join('|')
    onResolve({ filter: new RegExp(`^(?:${names})$`) }, ({ path: name }) => ({ path: name, namespace: 'stub' }))
    onLoad({ filter: /.*/, namespace: 'stub' }, ({ path: name }) => ({ contents: STUBS[name], loader: 'js' }))
  },
}

async function commandEntries() {
  const names = await readdir(path('src/commands'), { recursive: true })
  const modules = names
    .filter((name) => /^(?!index\.ts$).*\.tsx?$/.test(name))
    .map((name) => name.replaceAll('\\', '/'))
  return Object.fromEntries(
    modules.map((name) => [`commands/${name.replace(/\.tsx?$/, '')}`, path(`src/commands/${name}`)]),
  )
}

async function removeOld() {
  const names = await readdir(path('dist')).catch(() => [])
  const kept = new Set(['types', '.tsbuildinfo'])
  await Promise.all(
    names.filter((name) => !kept.has(name)).map((name) => rm(path(`dist/${name}`), { recursive: true })),
  )
}

await removeOld()
const result = await build({
  entryPoints: {
    main: path('src/entry.ts'),
    complete: path('src/completion/complete.ts'),
    manifest: path('src/help/build-manifest.ts'),
    ...(await commandEntries()),
  },
  outdir: path('dist'),
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  jsx: 'automatic',
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  external: [
    'ink',
    'react',
    'react/jsx-runtime',
    'jq-web',
    '@napi-rs/keyring',
    'jose',
    'undici',
    'supports-hyperlinks',
    '@buildwire/mock-server',
    '@buildwire/mock-server/*',
  ],
  plugins: [stubs],
})
await writeFile(path('dist/metafile.json'), JSON.stringify(result.metafile))

const { version } = JSON.parse(await readFile(path('package.json'), 'utf8'))
const { buildManifest } = await import(pathToFileURL(path('dist/manifest.js')).href)
await writeFile(path('oclif.manifest.json'), `${JSON.stringify(await buildManifest(version), null, 2)}\n`)
