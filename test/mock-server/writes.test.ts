import { describe, expect, it } from 'vitest'
import { acmeServer, adminToken, apiOver } from '../support/control-client.js'

const builds = '/v2/organizations/acme/pipelines/web/builds'
const tests = '/v2/analytics/organizations/acme/suites/web-unit/tests'
const minimal = { commit: 'HEAD', branch: 'main' }
const started = async (options: Parameters<typeof acmeServer>[0] = {}) => {
  const server = acmeServer(options)
  return Object.assign(apiOver(server, await adminToken(server)), {
    server,
    [Symbol.asyncDispose]: () => server.close(),
  })
}

/** What the conformance rows cannot ask: other options, many at once, the turn after. */
describe('writes', () => {
  it('number fifty parallel builds without gaps, per pipeline', async () => {
    await using api = await started()
    const made = await Promise.all(Array.from({ length: 50 }, () => api('POST', builds, minimal)))
    expect(made.map(({ body }) => body.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    )
    expect((await api('POST', builds.replace('web', 'api'), minimal)).body.number).toBe(1)
  })

  it('cancel and retry only once for two parallel requests', async () => {
    await using api = await started()
    await api('POST', builds, minimal)
    const twice = (verb: string) => Promise.all([1, 2].map(() => api('PUT', `${builds}/1/${verb}`)))
    expect((await twice('cancel')).map(({ status }) => status).sort()).toEqual([200, 422])
    const counts = (await twice('retry_failed_jobs')).map(({ body }) => body.retried_jobs_count)
    expect(counts.sort()).toEqual([0, 3])
  })

  it('add all labels of parallel requests', async () => {
    await using api = await started()
    const [{ id }] = (await api('GET', tests)).body
    const labels = Array.from({ length: 20 }, (_, n) => `label-${n}`)
    const add = (some: readonly string[]) =>
      api('PATCH', `${tests}/${id}/labels`, { operator: 'add', labels: some })
    await Promise.all(labels.map((label) => add([label])))
    expect(new Set((await add([])).body.labels)).toEqual(new Set(labels))
  })

  it('refuse unknown properties in strict mode: a misspelt `states` would retry everything', async () => {
    await using api = await started({ strict: true })
    expect((await api('POST', builds, { ...minimal, comit: 1 })).body.errors).toEqual([
      { field: 'comit', code: 'unknown' },
    ])
    await api('POST', builds, minimal)
    const retry = await api('PUT', `${builds}/1/retry_failed_jobs`, { state: 'failed' })
    expect([retry.status, retry.body.errors]).toEqual([422, [{ field: 'state', code: 'unknown' }]])
    await using lenient = await started({ strict: false })
    expect((await lenient('POST', builds, { ...minimal, comit: 1 })).status).toBe(201)
  })

  it('say in strict mode that an unknown query parameter was ignored', async () => {
    for (const strict of [true, false]) {
      await using api = await started({ strict })
      const { headers } = await api('GET', `${builds}?branchh=a&branch[]=b&%C3%A9[x]=1&branchh=c`)
      const names = strict ? 'branchh, %C3%A9' : null
      expect(headers.get('x-ignored-parameters')).toBe(names)
      const [logged] = await api.server.control.requests.list()
      expect(logged?.detail).toBe(names && `ignored query parameters: ${names}`)
    }
  })

  it('answer scheduled under policy immediate, and the next request shows the end', async () => {
    await using api = await started({ lifecycle: { policy: 'immediate' } })
    expect((await api('POST', builds, minimal)).body.state).toBe('scheduled')
    expect((await api('GET', `${builds}/1`)).body).toMatchObject({ state: 'passed', blocked: true })
    const [made, blocked] = await Promise.all([
      api('POST', builds, minimal),
      api('GET', `${builds}?state=blocked`),
    ])
    expect(made.body.state).toBe('scheduled')
    expect(blocked.body.map(({ number }: { number: number }) => number)).toContain(1)
  })
})
