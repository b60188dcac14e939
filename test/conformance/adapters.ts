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

export type AdapterName = 'listen' | 'fetch' | 'dispatcher' | 'msw'
export const adapterNames: readonly AdapterName[] = ['listen', 'fetch', 'dispatcher', 'msw']

export interface OpenTarget {
  readonly target: Target
  readonly lacks: Lacks
  close(): Promise<void>
}

/** A new server with the known seed on a frozen clock, called through one adapter. */
export async function openTarget(
  adapter: AdapterName,
  options: MockServerOptions = {},
): Promise<OpenTarget> {
  const server = createMockServer({
    seed,
    strict: true,
    clock: new VirtualClock({ now }),
    ...options,
  })
  if (adapter === 'listen') await server.listen()
  const { accessTokens } = await server.ready()
  const { send, close } = senderOf(adapter, server)
  const { baseUrl, authUrl, webUrl, control } = server
  const target = knownTarget({
    name: adapter,
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

/** A target whose server holds the records of the seed. */
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

/** The function that sends requests through an adapter. */
export function senderOf(
  adapter: AdapterName,
  server: MockServer,
): { send: Target['send']; close: () => void } {
  const nothing = (): void => undefined
  if (adapter === 'listen') return { send: (url, init) => fetch(url, init), close: nothing }
  if (adapter === 'fetch')
    return { send: (url, init) => server.fetch(new Request(url, init)), close: nothing }
  if (adapter === 'dispatcher') {
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
