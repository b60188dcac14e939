import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { CommandError } from '../../cli/src/io/command-error.js'
import { shown } from '../../cli/src/views/print.js'
import { builds, organizations, pipelines, tests } from '../../cli/src/views/records.js'
import type { RecordKind } from '../../cli/src/views/view.js'
import { ago, build, job, user, view } from './support/build.js'
import { runCli } from './support/run-cli.js'
import { listening } from './support/server.js'

/** What a value may be instead of what the contract says. */
const ODD: readonly unknown[] = [
  null,
  undefined,
  true,
  7,
  -1e300,
  'x',
  '',
  {},
  { a: { b: 1 } },
  [],
  [null],
  ['x'],
  [[]],
]

const seen = { ...view(100), manyPipelines: true }

/** Copies of a record with one value replaced, at any depth. */
function* spoiled(record: unknown, path: string): Generator<readonly [string, unknown]> {
  if (typeof record !== 'object' || record === null) return
  for (const [key, value] of Object.entries(record)) {
    const put = (odd: unknown) =>
      Array.isArray(record)
        ? record.map((old, at) => (String(at) === key ? odd : old))
        : { ...record, [key]: odd }
    for (const odd of ODD) yield [`${path}.${key} = ${JSON.stringify(odd)}`, put(odd)]
    for (const [where, odd] of spoiled(value, `${path}.${key}`)) yield [where, put(odd)]
  }
}

const sample = build({
  creator: user('robin'),
  author: { name: 'Kim', email: 'kim@acme.example' },
  pull_request: { id: '3', base: 'main', repository: 'https://git.example/acme/web' },
  rebuilt_from: { id: 'i', number: 3, url: 'https://ci.example.test/x' },
  started_at: ago(50),
  finished_at: ago(10),
  pipeline: { id: 'p', slug: 'web', name: 'Web' },
  jobs: [
    job({
      name: 'Unit',
      parallel_group_index: 0,
      parallel_group_total: 2,
      state: 'failed',
      exit_status: 1,
    }),
    job({
      name: 'Unit',
      parallel_group_index: 1,
      parallel_group_total: 2,
      signal: 'SIGTERM',
      signal_reason: 'cancel',
    }),
    job({ type: 'waiter' }),
    job({
      type: 'manual',
      label: 'Deploy?',
      state: 'blocked',
      started_at: ago(20),
      finished_at: ago(15),
    }),
  ],
} as Partial<Parameters<typeof build>[0]> as Parameters<typeof build>[0])

const kinds: readonly (readonly [string, RecordKind<never>, unknown])[] = [
  ['builds', builds as RecordKind<never>, sample],
  [
    'pipelines',
    pipelines as RecordKind<never>,
    {
      slug: 'web',
      name: 'Web',
      repository: 'r',
      default_branch: 'main',
      web_url: 'https://ci.example.test/web',
    },
  ],
  [
    'organizations',
    organizations as RecordKind<never>,
    { slug: 'acme', name: 'Acme', web_url: 'https://ci.example.test/acme' },
  ],
  [
    'tests',
    tests as RecordKind<never>,
    {
      id: 'x',
      scope: 's',
      name: 'n',
      location: 'l',
      labels: ['a'],
      web_url: 'https://ci.example.test/t',
    },
  ],
]

describe.each(kinds)('%s whose values are not as in the contract', (name, kind, record) => {
  it('are shown, or refused as an answer of the server, but never a crash', async () => {
    const crashes = new Set<string>()
    let readable = 0
    for (const [where, odd] of spoiled(record, name)) {
      const given = odd as never
      const show = async () => {
        await kind.table([given], seen)
        await kind.detail(given, seen)
        return [
          kind.id(given, true),
          ...kind.columns.map(({ value }) => value(given)),
          kind.extraLines?.(given),
        ]
      }
      await shown(show).then(
        () => {
          readable += 1
        },
        (error: unknown) => {
          const isRefused = error instanceof CommandError && error.code === 'unavailable'
          if (!isRefused) crashes.add(`${where}: ${String(error)}`)
        },
      )
    }
    expect([...crashes]).toEqual([])
    expect(readable).toBeGreaterThan(0)
  })
})

it('a list without records is refused', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[null]')
  })
  const env = { BUILDWIRE_BASE_URL: await listening(server), BUILDWIRE_TOKEN: 'token-1' }
  const { code, stdout, stderr } = await runCli(['builds', 'list', '-p', 'acme/web', '--json'], {
    env,
  })
  server.close()
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toContain(
    'was answered with a list with null instead of an object with id, number, state',
  )
})
