import { createMockServer, type MockServer } from '@buildwire/mock-server'
import {
  type CiClient,
  type CiClientOptions,
  fetchTransport,
  isCiError,
  waitForBuild,
} from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { client, rejection } from './support/client.js'

let server: MockServer
let tokens: Readonly<Record<string, string>>

beforeEach(async () => {
  server = createMockServer({ seed: 'demo', strict: true, lifecycle: { policy: 'immediate' } })
  onTestFinished(() => server.close())
  await server.listen({ port: 0 })
  tokens = (await server.ready()).accessTokens
})

const doors: Readonly<Record<string, () => Partial<CiClientOptions>>> = {
  'undici on a port': () => ({}),
  'node:http on a port': () => ({ transport: nodeTransport() }),
  'fetch on a port': () => ({ transport: fetchTransport() }),
  'fetch in process': () => ({
    transport: fetchTransport(() => (url, init) => server.fetch(new Request(url, init))),
  }),
  'a dispatcher in process': () => ({ dispatcher: server.dispatcher() }),
}

describe.each(Object.entries(doors))('the whole API over %s', (_, door) => {
  const ci = (name = 'admin'): CiClient => client(server.baseUrl, { auth: tokens[name], ...door() })
  const web = { org_slug: 'acme', pipeline_slug: 'web' }

  test('builds: list, create, wait, rebuild, retry, cancel', async () => {
    const api = ci()
    const failed = await api.builds
      .listForOrganization({ org_slug: 'acme', state: 'failed' })
      .toArray()
    expect(failed.length).toBeGreaterThan(10)
    expect(new Set(failed.map((build) => build.state))).toEqual(new Set(['failed']))
    const all = await api.builds.list({ per_page: 30, exclude_jobs: true }).toArray()
    expect(all.length).toBeGreaterThan(300)
    expect(new Set(all.map((build) => build.id)).size).toBe(all.length)

    const created = await api.builds.create({
      ...web,
      commit: 'HEAD',
      branch: 'main',
      message: 'try',
    })
    expect(created).toMatchObject({ state: 'scheduled', source: 'api', branch: 'main' })
    const { outcome, build } = await waitForBuild(api, { ...web, number: created.number })
    expect(['passed', 'blocked']).toContain(outcome)
    expect(build.number).toBe(created.number)
    const again = await api.builds.rebuild({ ...web, number: created.number })
    expect(again.rebuilt_from).toMatchObject({ number: created.number })
    const retried = await api.builds.retryFailedJobs({
      ...web,
      number: created.number,
      states: ['failed', 'expired'],
    })
    expect(retried.retried_jobs_count).toBe(0)
    const done = await rejection(
      api.builds.cancel({ ...web, number: created.number, cancel_reason: 'late' }),
    )
    expect(done).toMatchObject({ code: 'unprocessable' })
    const one = await api.builds.get({
      ...web,
      number: created.number,
      job_states: 'passed',
      include_retried_jobs: true,
    })
    expect(new Set(one.jobs?.map((job) => job.state))).toEqual(new Set(['passed']))
  })

  test('test records: list, get, find, labels', async () => {
    const api = ci()
    const suite = { org_slug: 'acme', suite_slug: 'web-unit' }
    const [record] = await api.tests.list(suite).toArray({ limit: 1 })
    if (record === undefined) throw new Error('the seed has no test records')
    const found = await api.tests.find({ ...suite, scope: record.scope ?? '', name: record.name })
    const labelled = await api.tests.changeLabels({
      ...suite,
      test_id: found.id,
      operator: 'add',
      labels: ['a,b', 'ü'],
    })
    expect(labelled.labels).toEqual(expect.arrayContaining(['a,b', 'ü']))
    const listed = await api.tests.list({ ...suite, label: ['a,b'] }).toArray()
    expect(listed.map((test) => test.id)).toContain(found.id)
    expect(await api.tests.get({ ...suite, test_id: found.id })).toMatchObject({
      name: record.name,
    })
    await api.tests.changeLabels({
      ...suite,
      test_id: found.id,
      operator: 'remove',
      labels: ['a,b', 'ü'],
    })
  })

  test('extensions: user, token, organizations, pipelines, logs, GraphQL', async () => {
    const api = ci()
    const user = await api.user.get()
    expect(user.email).toContain('@')
    expect((await api.accessToken.get()).scopes).toContain('read_builds')
    expect((await api.organizations.list().toArray()).map((one) => one.slug)).toEqual(['acme'])
    expect(await api.organizations.get({ org_slug: 'acme' })).toMatchObject({ slug: 'acme' })
    const pipelines = await api.pipelines.list({ org_slug: 'acme', name: 'WEB' }).toArray()
    expect(pipelines.map((one) => one.slug)).toContain('web')
    expect(await api.pipelines.get(web)).toMatchObject({ slug: 'web' })
    const [build] = await api.builds
      .listForPipeline({ ...web, state: 'passed' })
      .toArray({ limit: 1 })
    const job = build?.jobs?.find((one) => one.type === 'script' && one.state === 'passed')
    if (build === undefined || job === undefined) throw new Error('the seed has no passed job')
    const log = await api.jobs.log({ ...web, number: build.number, job_id: job.id })
    const text = await api.jobs.logText({ ...web, number: build.number, job_id: job.id })
    expect(Buffer.byteLength(text)).toBe(log.size)
    const { data } = await api.graphql<{ viewer: object }>({
      query: '{ viewer { user { name } } }',
    })
    expect(data?.viewer).toBeDefined()
    const free = await api.request({ method: 'GET', path: '/v2/organizations/acme' })
    expect(JSON.parse(await free.text())).toMatchObject({ slug: 'acme' })
  })

  test('refusals are typed', async () => {
    expect(
      await rejection(ci('reader').builds.create({ ...web, commit: 'HEAD', branch: 'main' })),
    ).toMatchObject({
      code: 'insufficient_scope',
      requiredScope: 'write_builds',
    })
    expect(await rejection(ci('foreign').builds.listForPipeline(web))).toMatchObject({
      code: 'not_found',
    })
    const nobody = client(server.baseUrl, { auth: 'bwua_nobody', ...door() })
    expect(await rejection(nobody.builds.list())).toMatchObject({ code: 'unauthorized' })
    const wrong = await ci()
      .builds.create({ ...web, commit: '', branch: '' })
      .catch((error: unknown) => error)
    expect(isCiError(wrong, 'unprocessable') && wrong.errors).toEqual([
      { field: 'commit', code: 'missing' },
      { field: 'branch', code: 'missing' },
    ])
    expect(await rejection(ci().builds.list({ state: 'nonsense' as 'failed' }))).toMatchObject({
      code: 'bad_request',
    })
  })
})
