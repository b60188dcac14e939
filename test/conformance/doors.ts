import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
  VirtualClock,
} from '@buildwire/mock-server'
import { mswHandlers } from '@buildwire/mock-server/msw'
import { setupServer } from 'msw/node'
import { fetch as undiciFetch } from 'undici'
import type { Lacks } from './capabilities.js'
import { probe } from './probe.js'
import { applications, now, seed } from './seed.js'
import type { Target } from './target.js'

export type DoorName = 'listen' | 'fetch' | 'dispatcher' | 'msw'
export const doorNames: readonly DoorName[] = ['listen', 'fetch', 'dispatcher', 'msw']

export interface OpenDoor {
  readonly target: Target
  readonly lacks: Lacks
  close(): Promise<void>
}

/** A new server with the known seed on a frozen clock, behind one door. */
export async function openDoor(door: DoorName, options: MockServerOptions = {}): Promise<OpenDoor> {
  const server = createMockServer({
    seed,
    strict: true,
    clock: new VirtualClock({ now }),
    ...options,
  })
  if (door === 'listen') await server.listen()
  const { accessTokens } = await server.ready()
  const { send, close } = senderOf(door, server)
  const { baseUrl, authUrl, webUrl, control } = server
  const target = knownTarget({
    name: door,
    baseUrl,
    authUrl,
    webUrl,
    control,
    tokens: accessTokens,
    send,
  })
  return {
    target,
    lacks: await probe(target),
    async close() {
      close()
      await server.close()
    },
  }
}

/** A server that holds the records of the seed. */
export const knownTarget = (
  own: Pick<Target, 'name' | 'baseUrl' | 'authUrl' | 'webUrl' | 'control' | 'tokens' | 'send'>,
): Target => ({
  vendor: 'buildwire',
  org: 'acme',
  pipeline: 'zoo',
  suite: 'zoo-unit',
  secondOrganization: 'orbit',
  applications,
  allowWrites: true,
  ...own,
})

/** How a server is asked through a door. */
export function senderOf(
  door: DoorName,
  server: MockServer,
): { send: Target['send']; close: () => void } {
  const nothing = (): void => undefined
  if (door === 'listen') return { send: (url, init) => fetch(url, init), close: nothing }
  if (door === 'fetch')
    return { send: (url, init) => server.fetch(new Request(url, init)), close: nothing }
  if (door === 'dispatcher') {
    const dispatcher = server.dispatcher()
    const send = (url: string, init: RequestInit) =>
      undiciFetch(url, { ...init, dispatcher } as Parameters<
        typeof undiciFetch
      >[1]) as unknown as Promise<Response>
    return { send, close: nothing }
  }
  const network = setupServer(...mswHandlers(server))
  network.listen({ onUnhandledRequest: 'bypass' })
  return { send: (url, init) => fetch(url, init), close: () => network.close() }
}
