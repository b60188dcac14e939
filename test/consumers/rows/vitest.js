import { body, imports } from './programs.js'
import { node, nodes, own, row, versions } from './row.js'

const usual = `${imports}
import { mockServerTest } from '@buildwire/mock-server/vitest'
import { expect, test, vi } from 'vitest'
const sandboxed = mockServerTest({ seed: 'demo' })
const client = ({ sandbox, mockServer }) => new CiClient({
  baseUrl: sandbox.baseUrl,
  auth: sandbox.accessTokens.admin,
  transport: mockServer.transport(),
  clock: sandbox.clock,
})
const list = (ci) => ci.builds.list({ state: 'failed' }).toArray({ limit: 3 })
`

const passing = `${usual}
test('server and SDK', async () => {${body}}, 60_000)
for (const name of ['one', 'other'])
  sandboxed.concurrent('a sandbox for the ' + name, async ({ sandbox, mockServer }) => {
    expect(await list(client({ sandbox, mockServer }))).toHaveLength(3)
    await sandbox.control.requests.verify({ match: { operation: 'builds.list' }, count: 1 })
  })
`

const fakeTimers = `${usual}
sandboxed('the code under test has fake timers', async ({ sandbox, mockServer }) => {
  vi.useFakeTimers()
  try {
    expect(await list(client({ sandbox, mockServer }))).toHaveLength(3)
  } finally {
    vi.useRealTimers()
  }
})
`

const failing = `${usual}
sandboxed('fails by an assertion', async ({ sandbox, mockServer }) => {
  await list(client({ sandbox, mockServer }))
  expect(1).toBe(2)
})
sandboxed('fails by its time limit', { timeout: 100 }, async ({ sandbox, mockServer }) => {
  await list(client({ sandbox, mockServer }))
  await new Promise(() => {})
})
`

function vitestRows(line, path, runtime) {
  const make = (title, names, text, words, details) =>
    row(`vitest ${line}, ${title}`, ['vitest', ...names], {
      tool: path,
      links: { vitest: path },
      files: { 'package.json': '{ "type": "module" }', 'it.test.js': text },
      commands: [[runtime, `${path}/vitest.mjs`, 'run', ...words]],
      prints: /Tests +\d+ passed/,
      ...details,
    })
  return [
    make('threads', [], passing, ['--pool=threads']),
    make('forks', [], passing, ['--pool=forks']),
    make('jsdom', ['jsdom'], passing, ['--environment=jsdom']),
    make('happy-dom', ['happy-dom'], passing, ['--environment=happy-dom']),
    make('fake timers', [], fakeTimers, []),
    make('tests that fail', [], failing, [], {
      exit: 1,
      prints:
        /(?=.*Last requests of "fails by an assertion":\n {2}GET \/v2\/builds)(?=.*Last requests of "fails by its time limit":\n {2}GET \/v2\/builds).*Tests +2 failed/s,
      never: /ControlError|Unhandled/,
      quick: line === 4,
    }),
  ]
}

export const allVitestRows = [
  ...vitestRows(3, own('vitest3'), node),
  ...vitestRows(4, own('vitest'), node),
  ...vitestRows(5, versions('vitest5'), nodes['Node 24']),
]
