import { createMockServer, type Persistence } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { acmeSeed, acmeServer, adminToken, apiOver } from '../../support/control-client.js'

describe('reset', () => {
  it('refuses the write of a request that began before it: 409 Sandbox was reset', async ({
    server,
    token,
  }) => {
    let send: (rest: string) => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"commit":"HEAD",'))
        send = (rest) => {
          controller.enqueue(new TextEncoder().encode(rest))
          controller.close()
        }
      },
    })
    const late = server.fetch(
      new Request(`${server.baseUrl}/v2/organizations/acme/pipelines/web/builds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
        duplex: 'half',
      } as RequestInit),
    )
    await new Promise((resolve) => setImmediate(resolve))
    await server.control.reset()
    send('"branch":"main"}')
    const response = await late
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({ message: 'Sandbox was reset' })
    expect(await server.control.records.list({ collection: 'builds' })).toEqual([])
  })

  it('keeps the values of tokens; drops requests, state variables, and rules outside the seed', async () => {
    await using server = createMockServer({
      seed: {
        ...acmeSeed,
        rules: [
          { id: 'seeded', match: { path: '/nowhere' }, actions: [{ preset: 'unavailable' }] },
        ],
      },
    })
    const token = await adminToken(server)
    await server.control.rules.create({
      id: 'mine',
      match: { operation: 'builds.list' },
      actions: [{ preset: 'rateLimited' }],
    })
    expect((await apiOver(server, token)('GET', '/v2/builds')).status).toBe(429)
    const { accessTokens } = await server.control.reset()
    expect(accessTokens['admin']).toBe(token)
    expect((await server.control.rules.list()).map(({ id }) => id)).toEqual(['seeded'])
    expect(await server.control.requests.list()).toEqual([])
    expect((await apiOver(server, accessTokens['admin'] ?? '')('GET', '/v2/builds')).status).toBe(
      200,
    )
  })

  it('needs a confirmation if the data is durable', async () => {
    const durable: Persistence = {
      durable: true,
      async *load() {},
      commit: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
    await using server = acmeServer({ persistence: durable })
    await expect(server.control.reset()).rejects.toMatchObject({ status: 409 })
    const document = await server.control.snapshot.get()
    await expect(server.control.snapshot.set({ document })).rejects.toMatchObject({ status: 409 })
    await expect(server.control.reset({ confirm: true })).resolves.toMatchObject({ generation: 2 })
    await expect(server.control.snapshot.set({ document, confirm: true })).resolves.toMatchObject({
      generation: 3,
    })
  })

  it('keeps the state if the new seed has errors', async ({ server }) => {
    await expect(
      server.control.reset({ seed: { users: [{ email: 'no address' }] } as never }),
    ).rejects.toMatchObject({
      status: 422,
    })
    await expect(
      server.control.reset({
        seed: { organizations: [{ slug: 'x', members: [{ user: 'a@b.example' }] }] },
      }),
    ).rejects.toMatchObject({ status: 422, errors: [{ path: 'organizations[0].members[0].user' }] })
    expect(await server.control.records.list({ collection: 'users' })).toHaveLength(2)
  })
})
