import { describe, expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { invalid, missing } from '../../support/control-client.js'

describe('the routes of builds and jobs', () => {
  it('creates builds from steps, in a state, or as given', async ({ api, call, aBuild }) => {
    const planned = await call('POST', '/builds', {
      org_slug: 'acme',
      pipeline_slug: 'web',
      source: 'webhook',
      message: 'Hi',
      meta_data: { a: true },
    })
    expect(planned).toMatchObject({
      status: 201,
      body: {
        number: 1,
        state: 'scheduled',
        source: 'webhook',
        message: 'Hi',
        meta_data: { a: true },
      },
    })
    expect(planned.body.jobs.map(({ state }: { state: string }) => state)).toEqual([
      'scheduled',
      'waiting',
      'waiting',
      'waiting',
      'blocked',
    ])
    const failed = await aBuild({ state: 'failed', creator: 'robin@acme.example' })
    expect(failed).toMatchObject({ number: 2, state: 'failed', creator: { name: 'Robin' } })
    const given = await aBuild({
      state: 'passed',
      jobs: [{ step_key: 'lint', state: 'passed' }],
      created_at: '-2h',
    })
    expect(given).toMatchObject({
      number: 3,
      created_at: '2026-03-01T07:00:00.000Z',
      jobs: [{ command: 'make lint' }],
    })
    expect(await aBuild({ state: 'waiting', number: 90 })).toMatchObject({
      number: 90,
      state: 'waiting',
      jobs: [],
    })
    expect(
      await call('POST', '/builds', {
        org_slug: 'acme',
        pipeline_slug: 'web',
        state: 'passed',
        jobs: [{ state: 'running' }],
      }),
    ).toMatchObject(invalid('state'))
    expect(
      await call('POST', '/builds', { org_slug: 'acme', pipeline_slug: 'nope' }),
    ).toMatchObject(missing('pipeline'))
    expect(
      await call('POST', '/builds', { org_slug: 'acme', pipeline_slug: 'web', sate: 'passed' }),
    ).toMatchObject(invalid('sate', 'is not known here'))
    expect((await api('GET', '/v2/organizations/acme/pipelines/web/builds')).body).toHaveLength(4)
  })

  it('moves jobs, and names the legal states for an illegal one', async ({ call, aBuild }) => {
    const build = await aBuild()
    const [lint] = build.jobs
    const to = (state: string, more: object = {}) =>
      call('POST', `/jobs/${lint.id}/transition`, { state, ...more })
    expect(await to('passed')).toMatchObject({
      status: 422,
      body: {
        message: expect.stringContaining('it may become assigned, accepted, running, limited'),
      },
    })
    expect(await to('assigned')).toMatchObject({
      status: 200,
      body: {
        job: { state: 'assigned', agent: { name: 'agent-1' } },
        build: { state: 'scheduled' },
      },
    })
    await to('accepted')
    expect((await to('running')).body).toMatchObject({
      job: { state: 'running' },
      build: { state: 'running' },
    })
    const promised = (await call('POST', `/jobs/${lint.id}/promise-failure`, { exit_status: 3 }))
      .body.job
    expect(promised).toMatchObject({ state: 'running', promised_exit_status: 3 })
    expect(
      (await to('failed', { exit_status: 3, signal: 'SIGKILL', signal_reason: 'agent_stop' })).body,
    ).toMatchObject({
      job: { state: 'failed', exit_status: 3, signal: 'SIGKILL', signal_reason: 'agent_stop' },
    })
    const retried = await call('POST', `/jobs/${lint.id}/retry`)
    expect(retried.body.job).toMatchObject({
      state: 'scheduled',
      retries_count: 1,
      retry_source: { job_id: lint.id, retry_type: 'manual' },
    })
    expect(await call('POST', `/jobs/${lint.id}/retry`)).toMatchObject({ status: 422 })
    expect(await call('POST', '/jobs/00000000-0000-4000-8000-000000000000/retry')).toMatchObject(
      missing('job'),
    )
    await call('POST', `/builds/${build.id}/advance`, { to: 'blocked' })
    const gate = build.jobs[3]
    const unblocked = (await call('POST', `/jobs/${gate.id}/unblock`, { user: 'sam@acme.example' }))
      .body.job
    expect(unblocked).toMatchObject({ state: 'unblocked', unblocked_by: { name: 'Sam' } })
  })

  it('accepts artifacts of at most 1 MiB, as text and in base64', async ({ server, aBuild }) => {
    const job_id: string = (await aBuild()).jobs[0].id
    const create = (content: object) =>
      server.control.artifacts.create({ job_id, path: 'a', ...content })
    const zeros = (bytes: number) => ({ base64: Buffer.alloc(bytes).toString('base64') })
    expect(await create(zeros(1_048_576))).toMatchObject({ file_size: 1_048_576 })
    for (const content of [zeros(1_048_577), zeros(1_048_578), { content: 'é'.repeat(524_289) }])
      await expect(create(content)).rejects.toMatchObject({
        errors: [{ message: 'must have at most 1048576 bytes' }],
      })
  })

  it('writes job logs', async ({ api, call, aBuild }) => {
    const build = await aBuild({ state: 'running' })
    const path = `/jobs/${build.jobs[0].id}/log`
    expect(await call('PUT', path, { content: 'one\n' })).toMatchObject({
      status: 200,
      body: { size: 4 },
    })
    expect(await call('POST', path, { append: 'zwö\n' })).toMatchObject({
      status: 200,
      body: { size: 9 },
    })
    const shown = await api(
      'GET',
      `/v2/organizations/acme/pipelines/web/builds/${build.number}${path}`,
    )
    expect(shown.body).toMatchObject({ content: 'one\nzwö\n', size: 9 })
    expect(await call('POST', path, { append: 'x'.repeat(1_048_570) })).toMatchObject({
      status: 422,
    })
    expect(await call('PUT', `/jobs/${build.jobs[1].id}/log`, { content: '' })).toMatchObject({
      status: 404,
    })
  })
})
