import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Service } from './lifecycle/service.js'

let service: Service
beforeEach(async () => {
  service = await Service.start({ strict: false })
})
afterEach(() => service.close())

const minimal = { commit: 'HEAD', branch: 'main' }

describe('create', () => {
  it('answers 201 with the new build and where it is', async () => {
    const reply = await service.builds('POST', 'web', '', { body: minimal })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('location')).toBe(reply.json.url)
    expect(reply.json).toMatchObject({
      number: 1,
      state: 'scheduled',
      blocked: false,
      source: 'api',
      commit: 'HEAD',
      branch: 'main',
      message: null,
      env: {},
      meta_data: {},
      pull_request: {},
      rebuilt_from: null,
      triggered_from: null,
      cancel_reason: null,
      creator: { email: 'robin@acme.example' },
      author: { name: 'Robin', email: 'robin@acme.example' },
      started_at: null,
      finished_at: null,
      created_at: '2026-03-02T09:00:00.000Z',
      scheduled_at: '2026-03-02T09:00:00.000Z',
    })
    expect(reply.json.jobs.map((job: { state: string }) => job.state)).toEqual([
      'scheduled',
      'scheduled',
      'waiting',
      'waiting',
    ])
  })

  it('gives back each property in get and list', async () => {
    const body = {
      ...minimal,
      message: 'Zażółć 🚀',
      author: { name: 'Noor', email: 'noor@forks.example' },
      env: { A: 1, B: true, C: 'x' },
      meta_data: { flag: true, team: 'web', n: 5 },
      pull_request_id: '12',
      pull_request_base_branch: 'main',
      pull_request_repository: 'https://git.example/noor/web.git',
      pull_request_labels: ['a', 'b'],
    }
    const { number } = await service.create('web', body)
    const got = (await service.builds('GET', 'web', `/${number}`)).json
    const [listed] = (await service.builds('GET', 'web')).json
    for (const build of [got, listed]) {
      expect(build).toMatchObject({
        message: 'Zażółć 🚀',
        author: body.author,
        env: { A: '1', B: 'true', C: 'x' },
        meta_data: { flag: true, team: 'web', n: '5' },
        pull_request: {
          id: '12',
          base: 'main',
          repository: 'https://git.example/noor/web.git',
          labels: ['a', 'b'],
          draft: false,
        },
      })
    }
  })

  it('numbers builds of a pipeline one after another, fifty at once too', async () => {
    const builds = await Promise.all(Array.from({ length: 50 }, () => service.create()))
    expect(builds.map((build) => build.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    )
    expect((await service.create('gated')).number).toBe(1)
  })

  it('collects field errors in order', async () => {
    const reply = await service.builds('POST', 'web', '', { body: { message: 1, env: { A: [] } } })
    expect(reply.status).toBe(422)
    expect(reply.json).toEqual({
      message: 'Validation Failed',
      errors: [
        { field: 'commit', code: 'missing' },
        { field: 'branch', code: 'missing' },
        { field: 'env.A', code: 'invalid' },
        { field: 'message', code: 'invalid' },
      ],
    })
    expect((await service.builds('GET', 'web')).json).toEqual([])
  })

  it('takes an empty body for {}, and JSON under any or no content type', async () => {
    expect((await service.builds('POST', 'web', '', {})).status).toBe(422)
    for (const headers of [
      {},
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'text/plain' },
    ]) {
      expect((await service.builds('POST', 'web', '', { raw: JSON.stringify(minimal), headers })).status).toBe(201)
    }
  })

  it.each([
    ['{', 400, 'Problems parsing JSON'],
    ['[]', 400, 'Body should be a JSON object'],
    ['"x"', 400, 'Body should be a JSON object'],
    ['null', 400, 'Body should be a JSON object'],
  ])('refuses the body %s', async (raw, status, message) => {
    const reply = await service.builds('POST', 'web', '', { raw })
    expect([reply.status, reply.json.message]).toEqual([status, message])
  })

  it('refuses a body above 1 MiB', async () => {
    const reply = await service.builds('POST', 'web', '', { body: { ...minimal, message: 'x'.repeat(1_048_577) } })
    expect([reply.status, reply.json.message]).toEqual([413, 'Request body is too large'])
  })

  it('obeys the pipeline’s branch filter, unless asked not to', async () => {
    const on = (branch: string, more = {}) =>
      service.builds('POST', 'picky', '', { body: { ...minimal, branch, ...more } })
    expect((await on('main')).status).toBe(201)
    expect((await on('release/1')).status).toBe(201)
    const refused = await on('release/old')
    expect([refused.status, refused.json]).toEqual([
      422,
      { message: 'Branch release/old is not built by this pipeline' },
    ])
    expect((await on('dev')).status).toBe(422)
    expect((await on('dev', { ignore_pipeline_branch_filters: 'true' })).status).toBe(201)
  })

  it('checks in one order: scope, what the path names, rights, body', async () => {
    expect((await service.builds('POST', 'web', '', { body: {}, token: 'reader' })).json.message).toBe(
      "Your access token doesn't have the write_builds scope",
    )
    expect((await service.builds('POST', 'nope', '', { raw: '{' })).json.message).toBe('No pipeline found')
    expect((await service.builds('POST', 'secret', '', { raw: '{', token: 'mina' })).json.message).toBe(
      'No pipeline found',
    )
    const reply = await service.builds('POST', 'web', '', { raw: '{', token: 'mina' })
    expect([reply.status, reply.json.message]).toEqual([403, 'Forbidden'])
    expect((await service.builds('POST', 'gated', '', { raw: '{', token: 'mina' })).status).toBe(400)
  })

  it('reports a misspelt property only when the server is strict', async () => {
    const strict = await Service.start({ strict: true })
    expect((await service.builds('POST', 'web', '', { body: { ...minimal, comit: 1 } })).status).toBe(201)
    const reply = await strict.builds('POST', 'web', '', { body: { ...minimal, comit: 1 } })
    expect(reply.json.errors).toEqual([{ field: 'comit', code: 'unknown' }])
    await strict.close()
  })
})

describe('cancel', () => {
  it.each([
    ['scheduled', []],
    ['running', [['test', 'running']]],
    [
      'failing',
      [
        ['lint', 'running'],
        ['test', 'running', 'failed'],
      ],
    ],
  ] as const)('ends a build that is %s', async (state, moves) => {
    const build = await service.create()
    for (const [key, ...states] of moves) await service.job(build, key, ...states)
    expect((await service.builds('GET', 'web', '/1')).json.state).toBe(state)
    const reply = await service.builds('PUT', 'web', '/1/cancel', { body: { cancel_reason: 'Wrong branch' } })
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ id: build.id, state: 'canceled', cancel_reason: 'Wrong branch', blocked: false })
    expect(reply.json.finished_at).not.toBeNull()
    expect(await service.builds('GET', 'web', '/1')).toMatchObject({ json: reply.json })
  })

  it.each([
    ['nothing', {}],
    ['{}', { body: {} }],
    ['a reason of another type', { body: { cancel_reason: 7 } }],
    ['no JSON', { raw: 'whatever=1' }],
    ['an array', { raw: '[]' }],
  ])('takes a body that is %s', async (_name, sent) => {
    await service.create()
    const reply = await service.builds('PUT', 'web', '/1/cancel', sent)
    expect([reply.status, reply.json.state, reply.json.cancel_reason]).toEqual([200, 'canceled', null])
  })

  it('twice is 422 that names the state', async () => {
    await service.create()
    await service.builds('PUT', 'web', '/1/cancel')
    const reply = await service.builds('PUT', 'web', '/1/cancel')
    expect([reply.status, reply.json]).toEqual([422, { message: "Build can't be canceled because it is canceled" }])
  })

  it('of a blocked build says blocked', async () => {
    const build = await service.create('gated')
    await service.job(build, 'a', 'running', 'passed')
    const reply = await service.builds('PUT', 'gated', '/1/cancel')
    expect([reply.status, reply.json.message]).toEqual([422, "Build can't be canceled because it is blocked"])
  })

  it('with a grace is canceling until the time has passed', async () => {
    await service.close()
    service = await Service.start({ cancelGraceMs: 5_000 })
    const build = await service.create()
    await service.job(build, 'test', 'running')
    expect((await service.builds('PUT', 'web', '/1/cancel')).json).toMatchObject({
      state: 'canceling',
      finished_at: null,
    })
    await service.clock.advance(5_000)
    expect((await service.builds('GET', 'web', '/1')).json).toMatchObject({
      state: 'canceled',
      finished_at: '2026-03-02T09:00:05.000Z',
    })
  })

  it('of no build, or without the right, changes nothing', async () => {
    const build = await service.create()
    for (const number of ['2', '0', '01', build.id, 'x']) {
      expect((await service.builds('PUT', 'web', `/${number}/cancel`)).json.message).toBe('No build found')
    }
    expect((await service.builds('PUT', 'web', '/1/cancel', { token: 'mina' })).status).toBe(403)
    expect((await service.builds('PUT', 'web', '/1/cancel', { token: 'reader' })).status).toBe(403)
    expect((await service.builds('GET', 'web', '/1')).json.state).toBe('scheduled')
  })
})

describe('rebuild', () => {
  it('answers 200 with a new build of what was captured', async () => {
    const original = await service.create('web', {
      message: 'm',
      env: { A: '1' },
      meta_data: { k: 'v' },
      pull_request_id: 7,
    })
    await service.clock.advance(1_000)
    const reply = await service.builds('PUT', 'web', '/1/rebuild', { raw: 'ignored entirely' })
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({
      number: 2,
      state: 'scheduled',
      commit: 'HEAD',
      branch: 'main',
      message: 'm',
      env: { A: '1' },
      meta_data: {},
      pull_request: { id: '7' },
      source: 'api',
      rebuilt_from: { id: original.id, number: 1, url: original.url },
      created_at: '2026-03-02T09:00:01.000Z',
      started_at: null,
    })
    expect(reply.json.id).not.toBe(original.id)
    const again = await service.builds('PUT', 'web', '/2/rebuild')
    expect(again.json.rebuilt_from).toEqual({ id: reply.json.id, number: 2, url: reply.json.url })
  })

  it('works in every state, and is refused only where the pipeline forbids it', async () => {
    await service.create()
    await service.builds('PUT', 'web', '/1/cancel')
    expect((await service.builds('PUT', 'web', '/1/rebuild')).status).toBe(200)
    await service.create('frozen')
    const reply = await service.builds('PUT', 'frozen', '/1/rebuild')
    expect([reply.status, reply.json]).toEqual([422, { message: 'Rebuilds are disabled for this pipeline' }])
  })
})

describe('retry failed jobs', () => {
  it('answers 202 with the build and how many jobs were queued', async () => {
    const build = await service.create()
    await service.job(build, 'lint', 'running', 'failed')
    await service.job(build, 'test', 'running', 'failed')
    const before = (await service.builds('GET', 'web', '/1')).json
    expect(before.state).toBe('failed')
    const reply = await service.builds('PUT', 'web', '/1/retry_failed_jobs')
    expect(reply.status).toBe(202)
    expect(reply.json).toMatchObject({
      id: build.id,
      state: 'failed',
      finished_at: before.finished_at,
      retried_jobs_count: 2,
    })
    const shown = reply.json.jobs.map((job: { step_key: string; state: string; retried: boolean }) => [
      job.step_key,
      job.state,
      job.retried,
    ])
    expect(shown.slice(0, 2)).toEqual([
      ['lint', 'scheduled', false],
      ['test', 'scheduled', false],
    ])
    const all = (await service.builds('GET', 'web', '/1?include_retried_jobs=true')).json.jobs
    expect(all).toHaveLength(6)
    expect(all[1]).toMatchObject({ retry_source: { job_id: all[0].id, retry_type: 'manual' }, retries_count: 1 })
    expect(all[0]).toMatchObject({ retried: true, retried_in_job_id: all[1].id, retry_type: 'manual', state: 'failed' })
    expect((await service.builds('PUT', 'web', '/1/retry_failed_jobs')).json.retried_jobs_count).toBe(0)
  })

  it.each([
    [{ states: 'soft_failed' }, 1],
    [{ states: 'failed, timed_out' }, 1],
    [{ states: '' }, 2],
    [{ states: null }, 2],
    [{}, 2],
    [{ states: 'expired' }, 0],
  ])('selects by %j', async (body, count) => {
    const build = await service.create()
    await service.job(build, 'lint', 'running', 'failed')
    await service.job(build, 'test', 'running', 'failed')
    const reply = await service.builds('PUT', 'web', '/1/retry_failed_jobs', { body })
    expect([reply.status, reply.json.retried_jobs_count]).toEqual([202, count])
  })

  it('names invalid states and lists the valid ones', async () => {
    await service.create()
    const bad = await service.builds('PUT', 'web', '/1/retry_failed_jobs', { body: { states: 'failed,broken,nope' } })
    expect([bad.status, bad.json]).toEqual([
      400,
      { message: 'Invalid states: broken, nope. Valid states are canceled, expired, failed, soft_failed, timed_out.' },
    ])
    const typed = await service.builds('PUT', 'web', '/1/retry_failed_jobs', { body: { states: ['failed'] } })
    expect([typed.status, typed.json.message]).toEqual([400, 'states must be a comma-separated string'])
  })
})

describe('policy immediate', () => {
  it('answers create scheduled, and shows the end to the next request', async () => {
    await service.close()
    service = await Service.start({ lifecycle: { policy: 'immediate' } })
    expect((await service.create()).state).toBe('scheduled')
    expect((await service.builds('GET', 'web', '/1')).json.state).toBe('passed')
    const [created, listed] = await Promise.all([service.create(), service.builds('GET', 'web', '?state=passed')])
    expect(created.state).toBe('scheduled')
    expect(listed.json.length).toBeGreaterThanOrEqual(1)
  })
})

describe('job logs', () => {
  const logOf = async (key: string, rest = '/log', sent = {}) => {
    const { jobs } = (await service.builds('GET', 'web', '/1')).json
    const job = jobs.find((one: { step_key: string; type: string }) => one.step_key === key || one.type === key)
    return service.builds('GET', 'web', `/1/jobs/${job.id}${rest}`, sent)
  }

  it('are empty before the start, then grow, then stay', async () => {
    const build = await service.create()
    expect((await logOf('test')).json).toMatchObject({ content: '', size: 0, header_times: [] })
    await service.job(build, 'test', 'running')
    await service.clock.advance(10_000)
    const early = (await logOf('test')).json
    await service.clock.advance(10_000)
    const late = (await logOf('test')).json
    expect(late.content.startsWith(early.content)).toBe(true)
    expect(late.size).toBe(Buffer.byteLength(late.content))
    await service.job(build, 'test', 'failed')
    const end = (await logOf('test')).json
    expect(end.content).toContain('Exited with status 1')
    await service.clock.advance(86_400_000)
    expect((await logOf('test')).json).toEqual(end)
    expect(end.url).toMatch(/\/builds\/1\/jobs\/[0-9a-f-]{36}\/log$/)
  })

  it('come as text under log.txt, or to whoever asks for text', async () => {
    const build = await service.create()
    await service.job(build, 'test', 'running', 'passed')
    const { content } = (await logOf('test')).json
    for (const reply of [
      await logOf('test', '/log.txt'),
      await logOf('test', '/log', { headers: { accept: 'text/plain' } }),
    ]) {
      expect([reply.status, reply.headers.get('content-type'), reply.text]).toEqual([
        200,
        'text/plain; charset=utf-8',
        content,
      ])
    }
    expect((await logOf('test', '/log', { headers: { accept: '*/*' } })).json.content).toBe(content)
  })

  it('exist for script jobs alone, and want their scope', async () => {
    await service.create()
    expect((await logOf('waiter')).json).toEqual({ message: 'No job found' })
    expect((await logOf('test', '/log', { token: 'reader' })).status).toBe(403)
  })
})

describe('test records', () => {
  it('are found by scope and name, exactly', async () => {
    const reply = await service.tests('POST', '/find', { body: { scope: 'Cart', name: 'adds' } })
    expect([reply.status, reply.json.location]).toEqual([200, 'cart.test.ts:7'])
    expect(reply.json).not.toHaveProperty('labels')
    expect((await service.tests('POST', '/find', { body: { scope: '', name: 'top' } })).json.name).toBe('top')
    for (const body of [
      { scope: 'cart', name: 'adds' },
      { scope: 'Cart', name: 'Adds' },
      { scope: '', name: 'adds' },
    ]) {
      const missing = await service.tests('POST', '/find', { body })
      expect([missing.status, missing.json]).toEqual([404, { message: 'No test found' }])
    }
    expect((await service.tests('POST', '/find', { body: {}, token: 'reader' })).status).toBe(422)
  })

  it('get and lose labels, in order, without doubles', async () => {
    const { id } = await service.aTest()
    const change = async (operator: string, labels: readonly string[]) =>
      (await service.tests('PATCH', `/${id}/labels`, { body: { operator, labels } })).json.labels
    expect(await change('add', ['slow', 'flaky', 'slow'])).toEqual(['flaky', 'slow'])
    expect(await change('add', ['slow'])).toEqual(['flaky', 'slow'])
    expect(await change('remove', ['nope', 'flaky'])).toEqual(['slow'])
    expect(await change('add', [])).toEqual(['slow'])
    expect((await service.tests('GET', '?label=slow')).json.map((test: { id: string }) => test.id)).toEqual([id])
    expect((await service.tests('GET', '?label=flaky')).json).toEqual([])
  })

  it('refuse a label change that is not one', async () => {
    const { id } = await service.aTest()
    const reply = await service.tests('PATCH', `/${id}/labels`, { body: { operator: 'set', labels: [''] } })
    expect([reply.status, reply.json.errors]).toEqual([
      422,
      [
        { field: 'operator', code: 'invalid' },
        { field: 'labels', code: 'invalid' },
      ],
    ])
    const reader = await service.tests('PATCH', `/${id}/labels`, {
      body: { operator: 'add', labels: [] },
      token: 'reader',
    })
    expect(reader.status).toBe(403)
    expect(
      (await service.tests('PATCH', '/11111111-1111-4111-8111-111111111111/labels', { raw: '{' })).json.message,
    ).toBe('No test found')
  })
})
