import { VirtualClock } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { acmeServer, adminToken, apiOver, controlOver } from '../../support/control-client.js'

const digests = /"[A-Za-z]*[dD]igest":"[0-9a-f]{64}"/g

/** The same calls on a server of its own; its snapshot with the digests of secrets masked. */
const play = async (randomSeed: number) => {
  await using server = acmeServer({
    clock: new VirtualClock({ now: '2026-03-01T09:00:00Z' }),
    randomSeed,
  })
  const api = apiOver(server, await adminToken(server))
  await server.control.rules.create({
    match: { method: 'GET' },
    probability: 0.5,
    times: 5,
    actions: [{ delayMs: 0 }],
    // biome-ignore lint/suspicious/noThenProperty: the rule's own word; a map of texts is no thenable
    then: { seen: 'yes' },
  })
  for (let n = 0; n < 8; n++) await api('GET', '/v2/builds')
  await api('POST', '/v2/organizations/acme/pipelines/web/builds', {
    commit: 'HEAD',
    branch: 'main',
  })
  const build = await server.control.builds.create({
    org_slug: 'acme',
    pipeline_slug: 'web',
    state: 'running',
  })
  await server.control.clock.advance({ ms: 5000 })
  await server.control.builds.advance({ id: build.id, to: 'finished', outcome: 'failed' })
  await api('PUT', `/v2/organizations/acme/pipelines/web/builds/${build.number}/retry_failed_jobs`)
  return JSON.stringify(await server.control.snapshot.get()).replaceAll(digests, '"digest":"…"')
}

describe('a snapshot', () => {
  it('is byte-identical for the same seed, clock and calls, and differs for another random seed', async () => {
    const [one, two, other] = [await play(1), await play(1), await play(2)]
    expect(one).toBe(two)
    expect(other).not.toBe(one)
  })

  it('works on any server: tokens stay valid, numbers and ids continue, rules keep their counts', async () => {
    await using from = acmeServer({ clock: new VirtualClock({ now: '2026-03-01T09:00:00Z' }) })
    await using to = acmeServer({ seed: 'empty' })
    const token = await adminToken(from)
    await from.control.rules.create({
      id: 'twice',
      match: { operation: 'builds.list' },
      times: 2,
      actions: [{ preset: 'rateLimited' }],
    })
    await apiOver(from, token)('GET', '/v2/builds')
    await from.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web' })
    const document = JSON.parse(JSON.stringify(await from.control.snapshot.get()))
    expect(await to.control.snapshot.set({ document })).toEqual({ generation: 2 })
    expect(await to.control.clock.get()).toMatchObject({
      mode: 'frozen',
      now: '2026-03-01T09:00:00.000Z',
    })
    const api = apiOver(to, token)
    expect((await api('GET', '/v2/builds')).status).toBe(429)
    expect((await api('GET', '/v2/builds')).body).toHaveLength(1)
    const next = await to.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web' })
    const same = await from.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web' })
    expect([next.number, next.id]).toEqual([2, same.id])
  })

  it('contains no secret', async ({ server, token }) => {
    const { accessTokens } = await server.control.apply({
      accessTokens: [
        { name: 'x', user: 'sam@acme.example', scopes: [], value: 'canary-of-the-snapshot' },
      ],
    })
    const text = JSON.stringify(await server.control.snapshot.get())
    for (const secret of [token, accessTokens['x']]) expect(text).not.toContain(secret)
  })
})

describe('a big snapshot', () => {
  it('passes over HTTP both ways, with more values than other documents may have', async () => {
    await using server = acmeServer({ seed: 'demo', strict: false })
    await server.ready()
    const call = controlOver(server)
    const taken = await call('GET', '/snapshot')
    expect(taken.body.records.builds).toHaveLength(320)
    const put = await call('PUT', '/snapshot', { document: taken.body })
    expect(put).toMatchObject({ status: 200, body: { generation: 2 } })
    expect(await server.control.records.list({ collection: 'builds' })).toHaveLength(320)
    expect(await call('PUT', '/snapshot', '{"document":')).toMatchObject({ status: 400 })
  })
})
