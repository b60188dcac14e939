import { type Build, buildOutcome, parseTimestamp, waitForBuild } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildPath, client, path, rejection } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { json, serve } from './support/server.js'

/**
 * Answers in the forms that services of this kind send beside the documented one: nulls, absent
 * fields, other types, unknown keys and words. Nothing may throw and nothing may be lost.
 */

const sparse = { id: 'b1', number: 42, state: 'canceling' }

const nulls = (keys: string) => Object.fromEntries(keys.split(' ').map((key) => [key, null]))
const made = { created_at: '2020-01-01 00:00:00 UTC' }

const lived = {
  id: '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90',
  graphql_id: 'QnVpbGQtLS0x',
  number: 42,
  state: 'failing',
  url: 'https://api.ci.example/v2/organizations/acme/pipelines/web/builds/42',
  web_url: 'https://ci.example/acme/web/builds/42',
  ...nulls('cancel_reason tag started_at finished_at rebuilt_from cluster_id'),
  blocked: false,
  blocked_state: '',
  commit: 'HEAD',
  branch: 'release/1.0',
  source: 'some_new_source',
  message: ':rocket: ship it\n\nsecond line',
  env: { DEPLOY: true, RETRIES: 3, EMPTY: '' },
  author: 'robin@acme.example',
  creator: { id: 'u1', name: 'Robin', email: 'robin@acme.example', avatar_url: null, ...made },
  created_at: '2026-03-01 09:05:00 UTC',
  scheduled_at: '2026-03-01T09:05:00.12+01:00',
  failing_at: '2026-03-01T09:06:00Z',
  meta_data: { release: 'true', 'a.b': 'c' },
  pull_request: { id: 17, base: 'main' },
  merge_queue: { depth: 3 },
  job_state_counts: { passed: 3 },
  pipeline: {
    id: 'p1',
    slug: 'web',
    name: 'Web',
    visibility: 'private',
    ...made,
    ...nulls('provider default_branch web_url tags archived_at'),
  },
  jobs: [
    { id: 'j0', type: 'waiter' },
    {
      id: 'j1',
      type: 'script',
      state: 'some_new_state',
      priority: 0,
      ...nulls('name step_key agent_query_rules'),
    },
    {
      id: 'j2',
      type: 'script',
      state: 'timing_out',
      artifacts_url: 'https://api.ci.example/a',
      log_url: '',
      exit_status: -1,
      signal: 'SIGTERM',
      signal_reason: 'some_new_reason',
      matrix: { os: 'linux', n: [1, null] },
      ...nulls('command artifact_paths expired_at promised_exit_status'),
      agent: {
        id: 'a1',
        meta_data: ['queue=default'],
        version: '3',
        ...nulls('priority last_job_finished_at'),
      },
    },
    {
      id: 'j3',
      type: 'manual',
      label: 'Deploy?',
      state: 'blocked',
      unblockable: true,
      unblock_url: 'https://x.example',
    },
    { id: 'j4', type: 'trigger', state: 'running', async: false, triggered_build: null },
    { id: 'j5', type: 'some_new_type', group_key: 'g', anything: { deeply: [{ nested: 1e308 }] } },
  ],
}

const answers: Readonly<Record<string, unknown>> = {
  'nothing but what is taken for granted': sparse,
  'much that is unknown': lived,
  'numbers where text is documented': {
    ...lived,
    id: 4711,
    commit: 12345,
    branch: 0,
    pull_request: { id: 1, draft: null },
  },
  'text where numbers are documented': {
    ...sparse,
    jobs: [{ id: 'j', type: 'script', exit_status: '1', retries_count: '2' }],
  },
  'nulls everywhere': {
    ...Object.fromEntries(Object.keys(lived).map((key) => [key, null])),
    ...sparse,
  },
  'times that cannot be read': {
    ...sparse,
    created_at: 'yesterday',
    started_at: 5,
    finished_at: '',
  },
}

describe.each(Object.entries(answers))('a build with %s', (_, recorded) => {
  test('comes through get, lists and commands as it was sent', async () => {
    const server = await serve((response, seen) =>
      json(
        response,
        200,
        seen.method === 'GET' && !seen.url.includes('/42') ? [recorded] : recorded,
      ),
    )
    const ci = client(server.url)
    expect(await ci.builds.get(buildPath)).toEqual(recorded)
    expect(await ci.builds.list().toArray()).toEqual([recorded])
    expect(await ci.builds.create({ ...path, commit: 'c', branch: 'b' })).toEqual(recorded)
    expect(await ci.builds.cancel(buildPath)).toEqual(recorded)
    expect(await ci.builds.rebuild(buildPath)).toEqual(recorded)
    expect(await ci.builds.retryFailedJobs(buildPath)).toEqual(recorded)
  })

  test('is understood by what reads it', async () => {
    const known = recorded as Build
    expect(() => buildOutcome(known)).not.toThrow()
    for (const time of [known.created_at, known.started_at, known.finished_at])
      expect(() => parseTimestamp(time)).not.toThrow()
    const server = await serve((response, __, index) =>
      json(response, 200, index === 0 ? recorded : { ...known, state: 'passed', blocked: false }),
    )
    const { outcome } = await waitForBuild(
      client(server.url, { clock: new SleeplessClock() }),
      buildPath,
    )
    expect(outcome).toBe('passed')
  })
})

test.each([
  ['[null]', 'a list with null'],
  ['["text"]', 'a list with a string'],
  ['[{"number":1,"state":"passed"}]', 'a list with an object with number, state'],
  [
    '[{"id":"b","number":1e999,"state":"passed"}]',
    'a list with a number that is too large as number',
  ],
  ['[{"id":"b","number":1,"state":null}]', 'a list with null as state'],
  [
    '[{"id":"b","number":1,"state":"passed","jobs":[{"id":"j","type":"script"},null]}]',
    'a list with null in jobs',
  ],
  ['[{"id":"b","number":1,"state":"passed","jobs":"none"}]', 'a list with a string in jobs'],
])('a list of builds that is %s is refused', async (body, got) => {
  const server = await serve(
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  )
  expect(await rejection(client(server.url).builds.list().toArray())).toMatchObject({
    code: 'invalid_response',
    operationId: 'builds.list',
    message: expect.stringContaining(`was answered with ${got} instead of an object with`),
  })
})

test.each<[string, unknown]>([
  ['an empty shell', {}],
  ['an identity that is null', { id: null, number: 42, state: 'passed' }],
  ['a list', [sparse]],
  ['null', null],
  ['text', 'created'],
])('builds.create refuses %s', async (_, body) => {
  const server = await serve((response) => json(response, 201, body))
  const call = client(server.url).builds.create({ ...path, commit: 'c', branch: 'b' })
  expect(await rejection(call)).toMatchObject({
    code: 'invalid_response',
    expected: 'object with id, number, state',
  })
})

test.each<[string, Record<string, string>, string, string]>([
  ['HTML', { 'content-type': 'text/html' }, '<html>', 'a body of type text/html'],
  ['an empty body', { 'content-type': 'application/json' }, '', 'an empty body'],
])('a success with %s is an InvalidResponseError', async (_, headers, body, got) => {
  const server = await serve((response) => void response.writeHead(200, headers).end(body))
  expect(await rejection(client(server.url).builds.get(buildPath))).toMatchObject({
    code: 'invalid_response',
    got,
  })
})

test('a log that is a page for people is none', async () => {
  const server = await serve((response, _, index) => {
    response
      .writeHead(200, { 'content-type': index === 0 ? 'text/html; charset=utf-8' : 'text/plain' })
      .end('<b>log</b>')
  })
  const ci = client(server.url)
  const log = { ...buildPath, job_id: 'j1' }
  expect(await rejection(ci.jobs.logText(log))).toMatchObject({
    code: 'invalid_response',
    got: 'text/html',
  })
  expect(await ci.jobs.logText(log)).toBe('<b>log</b>')
})

test.each(['', 'application/json', 'application/vnd.ci+json; charset=utf-8', 'Application/JSON'])(
  'JSON under the content type %j is read, with or without a byte-order mark',
  async (type) => {
    for (const mark of ['', '\ufeff']) {
      const headers = type === '' ? {} : { 'content-type': type }
      const server = await serve(
        (response) => void response.writeHead(200, headers).end(mark + JSON.stringify(sparse)),
      )
      expect(await client(server.url).builds.get(buildPath)).toEqual(sparse)
    }
  },
)

test('any JSON in place of any field comes through', async () => {
  let recorded: unknown
  const server = await serve((response) => json(response, 200, recorded))
  const ci = client(server.url)
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        fc.constantFrom(...Object.keys(lived).filter((key) => key !== 'jobs')),
        fc.jsonValue(),
      ),
      async (some) => {
        recorded = { ...some, ...sparse }
        expect(await ci.builds.get(buildPath)).toEqual(JSON.parse(JSON.stringify(recorded)))
      },
    ),
    { numRuns: 200 },
  )
})
