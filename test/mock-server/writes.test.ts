import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Service } from './lifecycle/service.js'

/** What the conformance rows cannot ask: other options, many at once, the turn after. */
let service: Service
beforeEach(async () => {
  service = await Service.start()
})
afterEach(() => service.close())

const minimal = { commit: 'HEAD', branch: 'main' }

describe('writes', () => {
  it('number fifty builds that are made at once one after another, each pipeline for itself', async () => {
    const builds = await Promise.all(Array.from({ length: 50 }, () => service.create()))
    expect(builds.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    )
    expect((await service.create('other')).number).toBe(1)
  })

  it('cancel and retry once when asked twice at once', async () => {
    await service.create()
    const twice = (verb: string) => Promise.all([1, 2].map(() => service.builds('PUT', 'web', `/1/${verb}`)))
    expect((await twice('cancel')).map(({ status }) => status).sort()).toEqual([200, 422])
    const counts = (await twice('retry_failed_jobs')).map(({ json }) => json.retried_jobs_count)
    expect(counts.sort()).toEqual([0, 3])
  })

  it('add labels that are sent at once, all of them', async () => {
    const [{ id }] = (await service.tests('GET', '')).json
    const labels = Array.from({ length: 20 }, (_, n) => `label-${n}`)
    await Promise.all(
      labels.map((label) => service.tests('PATCH', `/${id}/labels`, { body: { operator: 'add', labels: [label] } })),
    )
    const { json } = await service.tests('PATCH', `/${id}/labels`, { body: { operator: 'add', labels: [] } })
    expect(new Set(json.labels)).toEqual(new Set(['flaky', ...labels]))
  })

  it('ignore an unknown property, unless the server is strict', async () => {
    const body = { ...minimal, comit: 1 }
    expect((await service.builds('POST', 'web', '', { body })).status).toBe(201)
    const strict = await Service.start({ strict: true })
    expect((await strict.builds('POST', 'web', '', { body })).json.errors).toEqual([
      { field: 'comit', code: 'unknown' },
    ])
    // A misspelt `states` would retry everything.
    await strict.builds('POST', 'web', '', { body: minimal })
    const retry = await strict.builds('PUT', 'web', '/1/retry_failed_jobs', { body: { state: 'failed' } })
    expect([retry.status, retry.json.errors]).toEqual([422, [{ field: 'state', code: 'unknown' }]])
    await strict.close()
  })

  it('under policy immediate answer scheduled, and show the end to the next request', async () => {
    await service.close()
    service = await Service.start({ lifecycle: { policy: 'immediate' } })
    expect((await service.create()).state).toBe('scheduled')
    expect((await service.builds('GET', 'web', '/1')).json.state).toBe('passed')
    const [created, listed] = await Promise.all([service.create(), service.builds('GET', 'web', '?state=passed')])
    expect(created.state).toBe('scheduled')
    expect(listed.json.map(({ number }: { number: number }) => number)).toContain(1)
  })
})
