import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMockServer, type MockServerOptions, VirtualClock } from '@buildwire/mock-server'

/** The fixed time of the test server. */
export const SERVER_NOW = Date.parse('2026-11-27T14:28:11.000Z')

/** Starts a Node server on a free port of this machine and returns its address. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A reference server on a free port, at a fixed time, with the demo seed. */
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
