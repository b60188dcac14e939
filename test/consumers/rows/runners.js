import { imports, requires, tested } from './programs.js'
import { node, own, row, runtimes, tree } from './row.js'

const config = (type) => `{ "type": "${type}", "jest": {} }`

const inDom = (environment) => `/** @jest-environment ${environment} */
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

function jestRows(line, folder, environment) {
  const common = {
    tool: own(folder),
    commands: [[node, own(`${folder}/bin/jest.js`), '--rootDir', '.']],
    prints: /Tests: +\d+ passed/,
  }
  return [
    row(`Jest ${line}, CommonJS`, ['Jest'], {
      ...common,
      files: { 'package.json': config('commonjs'), 'it.test.js': tested(requires) },
      quick: line === 30,
    }),
    row(`Jest ${line}, ES modules`, ['Jest'], {
      ...common,
      env: { NODE_OPTIONS: '--experimental-vm-modules' },
      files: { 'package.json': config('module'), 'it.test.js': tested(imports) },
    }),
    row(`Jest ${line}, jsdom`, ['Jest', 'jsdom'], {
      ...common,
      files: { 'package.json': config('commonjs'), 'it.test.js': inDom(environment) },
    }),
  ]
}

/** The files of a test whose function \`test\` comes from a module. */
const testFiles = (importTest) => ({
  'package.json': '{ "type": "module" }',
  'it.test.js': tested(`${importTest}\n${imports}`).replace(', 60_000', ''),
})

const deno = runtimes('deno')

export const runnerRows = [
  ...jestRows(29, 'jest29', own('jest-environment-jsdom-29')),
  ...jestRows(30, 'jest', own('jest-environment-jsdom')),
  row('Mocha', ['Mocha'], {
    tool: own('mocha'),
    files: testFiles(`import { it as test } from '${own('mocha/index.js')}'`),
    commands: [[node, own('mocha/bin/mocha.js'), '--timeout', '60000', 'it.test.js']],
    prints: /1 passing/,
  }),
  row('node:test', ['node:test'], {
    files: testFiles(`import { test } from 'node:test'`),
    commands: [[node, '--test', 'it.test.js']],
    prints: /pass 1\b/,
  }),
  row('bun test', ['Bun'], {
    tool: runtimes('bun'),
    files: testFiles(`import { test } from 'bun:test'`),
    commands: [[runtimes('.bin/bun'), 'test', '--timeout', '60000']],
    prints: /1 pass\b/,
    quick: true,
  }),
  row('deno test', ['Deno'], {
    tool: deno,
    // `deno test` checks types, also those of the packages.
    links: { '@types/node': tree('@types/node') },
    files: {
      ...testFiles(`import { test } from 'node:test'`),
      'package.json': '{ "type": "module", "devDependencies": { "@types/node": "*" } }',
    },
    commands: [[runtimes('.bin/deno'), 'test', '-A', '--node-modules-dir=manual', 'it.test.js']],
    prints: /1 passed/,
    quick: true,
  }),
]
