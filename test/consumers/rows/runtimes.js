import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { imports, program, requires, yaml } from './programs.js'
import { nodes, row, runtimes, tree } from './row.js'

const tsx = tree('tsx/dist/cli.mjs')
const denoWords = [runtimes('.bin/deno'), 'run', '-A', '--quiet', '--node-modules-dir=manual']

/** The programs of the README in the order of the page. */
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const sources = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, source]) => source)

/** Each program of the README, taken from the page; the server is beside it if it has none. */
function readmeRow(title, names, tool, command) {
  const name = (at) => `program-${at}.mts`
  const beside = ['../node_modules/.bin/ci', 'server', 'exec', '--']
  return row(`programs of the README, ${title}`, names, {
    tool,
    files: {
      'package.json': '{ "type": "module" }',
      ...Object.fromEntries(sources.map((source, at) => [name(at), source])),
    },
    commands: sources.map((source, at) => {
      const hasServer = source.includes('createMockServer')
      return [...(hasServer ? [] : beside), ...command, name(at)]
    }),
    prints: /^\S*\d+ \w/m,
  })
}

const nodeRows = Object.entries(nodes).flatMap(([name, path]) => {
  const tool = dirname(dirname(path))
  return [
    row(`${name}, ES modules and CommonJS`, ['Node', name], {
      tool,
      files: { 'app.mjs': program(imports), 'app.cjs': program(requires), 'acme.yaml': yaml },
      commands: [
        [path, 'app.mjs'],
        [path, 'app.cjs'],
      ],
      prints: /used both/,
    }),
    readmeRow(`${name} with tsx`, ['Node', name, 'tsx'], tool, [path, tsx]),
  ]
})

export const runtimeRows = [
  ...nodeRows,
  readmeRow('Bun', ['Bun'], runtimes('bun'), [runtimes('.bin/bun')]),
  readmeRow('Deno', ['Deno'], runtimes('deno'), denoWords),
]
