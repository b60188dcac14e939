import { createMockServer, type MockServer } from '@buildwire/mock-server'
import { fetchTransport, summarizeFailure, type Transport } from '@buildwire/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client, path } from './support/client.js'
import { at, failed, kinds, passed, type SeedBuild } from './support/failing-builds.js'

let server: MockServer
let tokens: Readonly<Record<string, string>>
const inProcess = (): Transport =>
  fetchTransport(() => (url, init) => server.fetch(new Request(url, init)))

beforeAll(async () => {
  const builds = kinds.map(({ jobs, build }, index): SeedBuild => {
    const about = {
      number: index + 1,
      branch: `b${index}`,
      created_at: at(0),
      state: 'failed' as const,
    }
    return { ...about, ...build, jobs: [...jobs], force: true } as SeedBuild
  })
  const history = (['passed', 'failed', 'failed', 'failed'] as const).map(
    (state, index): SeedBuild => {
      const jobs = state === 'passed' ? [passed('Tests')] : [failed('Tests', 'since then\n')]
      return {
        number: 101 + index,
        branch: 'main',
        created_at: at(index * 60),
        state,
        jobs,
        force: true,
      }
    },
  )
  const cart = [
    'FAIL cart > total adds the shipping',
    'AssertionError: expected 5 to be 7',
    '    at assert (node_modules/vitest/index.js:3:1)',
    '    at src/cart.test.ts:41:26',
  ].join('\n')
  const shard = { parallel_group_index: 2, parallel_group_total: 8 }
  const gate = [passed('Tests'), { name: 'Deploy?', type: 'manual', state: 'blocked' } as const]
  const fixed = (
    [
      { number: 204, state: 'passed', blocked: true, jobs: gate },
      { number: 205, state: 'failed', jobs: [failed('Tests', cart, shard)] },
      { number: 206, state: 'passed', jobs: [passed('Tests')] },
      { number: 207, state: 'passed', jobs: [passed('Tests')] },
    ] as const
  ).map(
    (build, index) =>
      ({ ...build, branch: 'fixed', created_at: at(index * 60), force: true }) as SeedBuild,
  )
  const admin = { name: 'Ada', email: 'ada@acme.example' }
  server = createMockServer({
    seed: {
      users: [admin],
      organizations: [
        {
          slug: 'acme',
          members: [{ user: admin.email, role: 'admin' }],
          pipelines: [{ slug: 'web', builds: [...builds, ...history, ...fixed] }],
        },
      ],
      accessTokens: [
        {
          name: 'all',
          user: admin.email,
          scopes: ['read_builds', 'read_build_logs', 'write_builds'],
          organizations: ['acme'],
        },
        { name: 'builds', user: admin.email, scopes: ['read_builds'], organizations: ['acme'] },
      ],
    },
  })
  await server.listen({ port: 0 })
  tokens = (await server.ready()).accessTokens
})
afterAll(() => server.close())

const ask = (number: number, options: Parameters<typeof summarizeFailure>[2] = {}, token = 'all') =>
  summarizeFailure(
    client(server.baseUrl, { auth: tokens[token], transport: inProcess() }),
    { ...path, number },
    options,
  )

describe('the cause stands first, with the line of its log', () => {
  test.each(kinds.map((kind, index) => ({ ...kind, index })))(
    '$is',
    async ({ first: expected, absent, more, index }) => {
      const { 0: cause, 1: name, 2: line } = expected ?? []
      const summary = await ask(index + 1)
      const [first] = summary.problems
      expect({ cause: first?.cause, name: first?.name }).toEqual({ cause, name })
      if (line !== undefined) expect(first?.log?.lines).toContain(line)
      expect(first?.log_absent?.reason).toBe(absent)
      if (name !== undefined) expect(summary.headline).toContain(name)
      more?.(summary)
    },
  )
})

test('it tells since when, and what commit was the last good one', async () => {
  const { before } = await ask(104)
  expect(before).toMatchObject({
    last_passed: { number: 101, commit: expect.stringMatching(/^[\da-f]{40}$/) },
    builds_since: 3,
    first_failed: { number: 102 },
    searched: 3,
  })
})

test('it tells which later build of the branch passed, and counts one that waits for a person', async () => {
  const { before, passed_after } = await ask(205)
  expect(before?.last_passed?.number).toBe(204)
  expect(passed_after?.number).toBe(206)
  expect((await ask(104)).passed_after).toBeNull()
})

test('the headline is the line of the log or of the annotation that says why', async () => {
  const { headline, problems } = await ask(205)
  expect(headline).toBe(
    'Tests 3/8 failed: cart > total adds the shipping: AssertionError: expected 5 to be 7',
  )
  expect(problems[0]?.location).toEqual({ file: 'src/cart.test.ts', line: 41, column: 26 })
})

test('it tells what annotations of style error and warning say, as text, errors first', async () => {
  const ci = client(server.baseUrl, { auth: tokens['all'] ?? '', transport: inProcess() })
  const notes = [
    { context: 'w', style: 'warning' as const, body: 'slow', priority: 9 },
    {
      context: 'e',
      style: 'error' as const,
      body: '**1 test** failed:\n\n- `a < b` &amp; c\n- <b>d</b>',
    },
    { context: 'i', style: 'info' as const, body: 'coverage' },
  ]
  for (const note of notes) await ci.annotations.create({ ...path, number: 1, ...note })
  expect((await ask(1)).annotations).toEqual([
    { style: 'error', context: 'e', text: '1 test failed:\na < b & c\nd' },
    { style: 'warning', context: 'w', text: 'slow' },
  ])
})

test('a token that may not read logs gets everything else', async () => {
  const { problems } = await ask(1, {}, 'builds')
  expect(problems[0]).toMatchObject({
    cause: 'exit',
    log: null,
    log_absent: { reason: 'no_scope' },
  })
})
