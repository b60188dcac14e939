import { VirtualClock } from '@buildwire/mock-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acmeServer, adminToken, apiOver, controlOver } from '../../support/control-client.js'

describe('the routes of builds and jobs', () => {
  let server: ReturnType<typeof acmeServer>
  let call: ReturnType<typeof controlOver>
  let api: ReturnType<typeof apiOver>

  beforeEach(async () => {
    server = acmeServer({ clock: new VirtualClock({ now: '2026-03-01T09:00:00Z' }) })
    call = controlOver(server)
    api = apiOver(server, await adminToken(server))
  })
  afterEach(() => server.close())

  const aBuild = async (more: object = {}) =>
    (await call('POST', '/builds', { org_slug: 'acme', pipeline_slug: 'web', ...more })).body

  it('builds: by steps, by state, exactly as given', async () => {
    const planned = await call('POST', '/builds', {
      org_slug: 'acme',
      pipeline_slug: 'web',
      source: 'webhook',
      message: 'Hi',
      meta_data: { a: true },
    })
    expect(planned).toMatchObject({
      status: 201,
      body: { number: 1, state: 'scheduled', source: 'webhook', message: 'Hi', meta_data: { a: true } },
    })
    expect(planned.body.jobs.map(({ state }: { state: string }) => state)).toEqual([
      'scheduled',
      'waiting',
      'waiting',
      'waiting',
      'blocked',
    ])
    expect(await aBuild({ state: 'failed', creator: 'robin@acme.example' })).toMatchObject({
      number: 2,
      state: 'failed',
      creator: { name: 'Robin' },
    })
    expect(
      await aBuild({ state: 'passed', jobs: [{ step_key: 'lint', state: 'passed' }], created_at: '-2h' }),
    ).toMatchObject({ number: 3, created_at: '2026-03-01T07:00:00.000Z', jobs: [{ command: 'make lint' }] })
    expect(await aBuild({ state: 'waiting', number: 90 })).toMatchObject({ number: 90, state: 'waiting', jobs: [] })
    expect(
      await call('POST', '/builds', {
        org_slug: 'acme',
        pipeline_slug: 'web',
        state: 'passed',
        jobs: [{ state: 'running' }],
      }),
    ).toMatchObject({ status: 422, body: { errors: [{ path: 'state' }] } })
    expect(await call('POST', '/builds', { org_slug: 'acme', pipeline_slug: 'nope' })).toMatchObject({
      status: 404,
      body: { message: 'No pipeline found' },
    })
    expect(await call('POST', '/builds', { org_slug: 'acme', pipeline_slug: 'web', sate: 'passed' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'sate', message: 'is not known here' }] },
    })
    expect((await api('GET', '/v2/organizations/acme/pipelines/web/builds')).body).toHaveLength(4)
  })

  it('moves jobs, and names the legal states when asked for another', async () => {
    const build = await aBuild()
    const [lint] = build.jobs
    const to = (state: string, more: object = {}) => call('POST', `/jobs/${lint.id}/transition`, { state, ...more })
    expect(await to('passed')).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('it may become assigned, accepted, running, limited') },
    })
    expect(await to('assigned')).toMatchObject({
      status: 200,
      body: { job: { state: 'assigned', agent: { name: 'agent-1' } }, build: { state: 'scheduled' } },
    })
    await to('accepted')
    expect((await to('running')).body).toMatchObject({ job: { state: 'running' }, build: { state: 'running' } })
    expect((await call('POST', `/jobs/${lint.id}/promise-failure`, { exit_status: 3 })).body.job).toMatchObject({
      state: 'running',
      promised_exit_status: 3,
    })
    expect((await to('failed', { exit_status: 3, signal: 'SIGKILL', signal_reason: 'agent_stop' })).body).toMatchObject(
      { job: { state: 'failed', exit_status: 3, signal: 'SIGKILL', signal_reason: 'agent_stop' } },
    )
    const retried = await call('POST', `/jobs/${lint.id}/retry`)
    expect(retried.body.job).toMatchObject({
      state: 'scheduled',
      retries_count: 1,
      retry_source: { job_id: lint.id, retry_type: 'manual' },
    })
    expect(await call('POST', `/jobs/${lint.id}/retry`)).toMatchObject({ status: 422 })
    expect(await call('POST', '/jobs/00000000-0000-4000-8000-000000000000/retry')).toMatchObject({
      status: 404,
      body: { message: 'No job found' },
    })
    await call('POST', `/builds/${build.id}/advance`, { to: 'blocked' })
    const gate = build.jobs[3]
    expect((await call('POST', `/jobs/${gate.id}/unblock`, { user: 'sam@acme.example' })).body.job).toMatchObject({
      state: 'unblocked',
      unblocked_by: { name: 'Sam' },
    })
  })

  it('writes job logs', async () => {
    const build = await aBuild({ state: 'running' })
    const path = `/jobs/${build.jobs[0].id}/log`
    expect(await call('PUT', path, { content: 'one\n' })).toMatchObject({ status: 200, body: { size: 4 } })
    expect(await call('POST', path, { append: 'zwö\n' })).toMatchObject({ status: 200, body: { size: 9 } })
    expect(
      (await api('GET', `/v2/organizations/acme/pipelines/web/builds/${build.number}/jobs/${build.jobs[0].id}/log`))
        .body,
    ).toMatchObject({ content: 'one\nzwö\n', size: 9 })
    expect(await call('POST', path, { append: 'x'.repeat(1_048_570) })).toMatchObject({ status: 422 })
    expect(await call('PUT', `/jobs/${build.jobs[1].id}/log`, { content: '' })).toMatchObject({ status: 404 })
  })
})
