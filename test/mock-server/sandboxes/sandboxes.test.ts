import { createMockServer, VirtualClock } from '@buildwire/mock-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Authority } from '../../../mock-server/src/request/authority.js'
import { Sandbox } from '../../../mock-server/src/sandbox/sandbox.js'
import { Sandboxes } from '../../../mock-server/src/sandbox/sandboxes.js'
import { openSeed } from '../../../mock-server/src/seed/seed.js'
import { defaultSettings } from '../../../mock-server/src/seed/settings.js'
import { openStore } from '../../../mock-server/src/store/open-store.js'
import { acmeSeed, acmeServer, adminToken, apiOver } from '../../support/control-client.js'

describe('sandboxes', () => {
  let server: ReturnType<typeof acmeServer>
  beforeEach(() => {
    server = acmeServer()
  })
  afterEach(() => server.close())

  it('have their own URLs in every record', async () => {
    const sandbox = await server.sandbox({ id: 'one', seed: acmeSeed })
    expect(sandbox.baseUrl).toBe(`${server.baseUrl}/s/one`)
    const api = apiOver(sandbox, sandbox.accessTokens['admin'] ?? '')
    const made = await api('POST', '/v2/organizations/acme/pipelines/web/builds', {
      commit: 'HEAD',
      branch: 'main',
    })
    expect(made.body.url).toBe(
      `${server.baseUrl}/s/one/v2/organizations/acme/pipelines/web/builds/1`,
    )
    expect(made.headers.get('location')).toBe(made.body.url)
    expect((await api('GET', '/v2/builds?per_page=1')).body[0].web_url).toMatch(
      `${server.webUrl}/s/one/acme/web/builds/1`,
    )
  })

  it('are refused with a ControlError, or a TypeError for a bad option', async () => {
    await expect(server.sandbox({ id: 'main' })).rejects.toMatchObject({
      name: 'ControlError',
      code: 'conflict',
    })
    await expect(server.sandbox({ id: 'a/b' })).rejects.toMatchObject({
      name: 'ControlError',
      code: 'invalid',
    })
    await expect(server.sandbox({ zip: 1 } as never)).rejects.toMatchObject({
      name: 'TypeError',
      message: expect.stringMatching(/^zip: /),
    })
    await expect(server.sandbox({ ttlMs: -1 })).rejects.toThrow(TypeError)
  })

  it('say when they expire, in epoch ms', async () => {
    const { expiresAt } = await server.control.sandboxes.create({ ttlMs: 60_000 })
    expect(expiresAt).toBeGreaterThan(Date.UTC(2026, 0))
  })

  it('have no control after they are closed, also if their id is used again', async () => {
    const closed = await server.sandbox({ id: 'gone' })
    await closed.close()
    const gone = { name: 'ControlError', code: 'not_found', message: 'No sandbox found' }
    await expect(closed.control.clock.get()).rejects.toMatchObject(gone)
    const next = await server.sandbox({ id: 'gone' })
    await expect(closed.control.clock.get()).rejects.toMatchObject(gone)
    await expect(next.control.clock.get()).resolves.toMatchObject({ mode: 'real' })
  })

  it('share no tokens, codes, builds, rules, requests or clocks', async () => {
    const [a, b] = [
      await server.sandbox({ seed: acmeSeed }),
      await server.sandbox({ seed: acmeSeed }),
    ]
    const [tokenA, tokenB, tokenMain] = [
      a.accessTokens['admin'] ?? '',
      b.accessTokens['admin'] ?? '',
      await adminToken(server),
    ]
    expect(new Set([tokenA, tokenB, tokenMain]).size).toBe(3)
    for (const [place, own, foreign] of [
      [a, tokenA, [tokenB, tokenMain]],
      [b, tokenB, [tokenA, tokenMain]],
      [server, tokenMain, [tokenA, tokenB]],
    ] as const) {
      expect((await apiOver(place, own)('GET', '/v2/builds')).status).toBe(200)
      for (const token of foreign)
        expect((await apiOver(place, token)('GET', '/v2/builds')).status).toBe(401)
    }
    await a.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web' })
    await a.control.rules.create({ actions: [{ preset: 'rateLimited' }] })
    await a.control.clock.advance({ ms: 86_400_000 })
    expect((await apiOver(b, tokenB)('GET', '/v2/builds')).body).toEqual([])
    expect((await apiOver(a, tokenA)('GET', '/v2/builds')).status).toBe(429)
    expect(Date.parse((await a.control.clock.get()).now)).toBeGreaterThan(
      Date.parse((await b.control.clock.get()).now) + 80_000_000,
    )
    expect((await b.control.requests.find({ match: { status: 429 } })).length).toBe(0)
    const device = await a.fetch(
      new Request(`${a.authUrl}/oauth/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'laptop', scope: 'read_builds' }),
      }),
    )
    expect(device.status).toBe(429)
    await a.control.reset()
    expect((await apiOver(b, tokenB)('GET', '/v2/builds')).status).toBe(200)
  })

  it('do not know the token that the caller chose for main', async () => {
    await using chosen = createMockServer({
      seed: acmeSeed,
      accessTokens: { admin: 'chosen-by-the-caller' },
    })
    const sandbox = await chosen.sandbox()
    expect((await apiOver(chosen, 'chosen-by-the-caller')('GET', '/v2/builds')).status).toBe(200)
    expect((await apiOver(sandbox, 'chosen-by-the-caller')('GET', '/v2/builds')).status).toBe(401)
    expect(
      (await apiOver(sandbox, sandbox.accessTokens['admin'] ?? '')('GET', '/v2/builds')).status,
    ).toBe(200)
  })

  it('an unknown id is 404 and creates no sandbox; main has no alias', async () => {
    for (const id of ['typo', 'main']) {
      const response = await server.fetch(new Request(`${server.baseUrl}/s/${id}/v2/builds`))
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ message: 'No sandbox found' })
    }
    expect(await server.control.sandboxes.list()).toEqual([])
  })

  it('an id that is used again starts with a new state', async () => {
    const first = await server.sandbox({ id: 'again', seed: acmeSeed })
    await first.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web' })
    await first.close()
    const second = await server.sandbox({ id: 'again', seed: acmeSeed })
    expect(await second.control.records.list({ collection: 'builds' })).toEqual([])
    expect(
      (await apiOver(second, first.accessTokens['admin'] ?? '')('GET', '/v2/builds')).status,
    ).toBe(401)
  })

  it('start from the server’s seed by default, with their own clock, lifecycle and settings', async () => {
    const plain = await server.sandbox()
    expect(await plain.control.records.list({ collection: 'users' })).toHaveLength(2)
    const view = await server.control.sandboxes.create({
      id: 'own',
      seed: 'empty',
      clock: { mode: 'frozen', now: '2030-01-01T00:00:00Z' },
      settings: { maxListingDepth: 5 },
      lifecycle: { policy: 'immediate' },
    })
    expect(view).toMatchObject({ id: 'own', accessTokens: {} })
    const response = await server.fetch(new Request(`${view.baseUrl}/v2/builds`))
    expect(response.headers.get('date')).toBe('Tue, 01 Jan 2030 00:00:00 GMT')
  })

  it('have a maximum number, also if they are created at once', async () => {
    await using small = createMockServer({ sandboxes: { max: 2 } })
    const made = await Promise.allSettled(
      [1, 2, 3, 4].map(() => small.control.sandboxes.create({})),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(small.control.sandboxes.create({})).rejects.toMatchObject({
      status: 409,
      message: 'There are too many sandboxes',
    })
  })

  it('may not have a big seed; only main may', async () => {
    await expect(server.control.sandboxes.create({ seed: 'large:10001' })).rejects.toMatchObject({
      status: 422,
    })
  })

  it('make the same ids for the same random seed, also if others share the seed', async () => {
    const make = async (randomSeed: number) => {
      const sandbox = await server.sandbox({
        seed: acmeSeed,
        randomSeed,
        clock: new VirtualClock({ now: '2026-03-01T09:00:00Z' }),
      })
      return (await sandbox.control.builds.create({ org_slug: 'acme', pipeline_slug: 'web' })).id
    }
    expect(await make(7)).toBe(await make(7))
    expect(await make(7)).not.toBe(await make(8))
  })
})

describe('idle sandboxes', () => {
  it('expire by host time, unless they are used', async () => {
    const host = new VirtualClock({ now: 0 })
    const setup = {
      clock: new VirtualClock({ now: 0 }),
      randomSeed: 1,
      lifecycle: { policy: 'manual' } as const,
      settings: defaultSettings,
      authority: () => new Authority({}, 'http://mock.localhost'),
    }
    const main = await Sandbox.open(
      { ...setup, id: 'main', seed: await openSeed('empty') },
      await openStore(),
    )
    let n = 0
    const sandboxes = new Sandboxes({
      main,
      max: 10,
      idleTtlMs: 1000,
      newId: () => `s${n++}`,
      defaults: setup,
      seed: 'empty',
      host,
    })
    await sandboxes.create({ id: 'idle' })
    await sandboxes.create({ id: 'used' })
    await sandboxes.create({ id: 'long', ttlMs: 5000 })
    await host.advance(600)
    expect(sandboxes.find('used')?.id).toBe('used')
    await host.advance(600)
    expect(sandboxes.list().map(({ id }) => id)).toEqual(['used', 'long'])
    expect(sandboxes.find('idle')).toBeUndefined()
    expect(sandboxes.expiresAt('long')).toBe(5000)
    await sandboxes.close()
  })
})
