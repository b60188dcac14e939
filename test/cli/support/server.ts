import { createMockServer, type MockServerOptions, VirtualClock } from '@buildwire/mock-server'

/** The time at which the test server stands still. */
export const SERVER_NOW = Date.parse('2026-11-27T14:28:11.000Z')

/** A reference server on a port of its own, frozen in time, with the demo seed. */
export async function startServer(options: MockServerOptions = {}) {
  const server = createMockServer({
    seed: 'demo',
    clock: new VirtualClock({ now: SERVER_NOW }),
    randomSeed: 7,
    strict: true,
    ...options,
  })
  await server.listen({ port: 0 })
  const ready = await server.ready()
  const token = ready.accessTokens.admin ?? ''
  const env = {
    BUILDWIRE_BASE_URL: server.baseUrl,
    BUILDWIRE_TOKEN: token,
    BUILDWIRE_ORG: 'acme',
    TZ: 'UTC',
    LANG: 'C.UTF-8',
  }
  return { server, token, tokens: ready.accessTokens, env, close: () => server.close() }
}
