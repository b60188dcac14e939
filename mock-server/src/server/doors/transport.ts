import type { Transport } from '@buildwire/sdk'
import type { MockServerHost } from '../mock-server.js'

/** The type of `transport` in the options of the SDK. */
export type InProcessTransport = Transport

type DispatchTarget = Pick<MockServerHost, 'owns' | 'fetch'>

/**
 * A transport of the SDK that calls the server in this process, without a socket. The first request
 * loads the SDK, because most servers run without it.
 */
export function inProcessTransport(target: DispatchTarget): Transport {
  const answer = async (url: string, init: RequestInit): Promise<Response> => {
    const { origin } = new URL(url)
    if (!target.owns(origin)) throw new Error(`${origin} is not the mock server`)
    return target.fetch(new Request(url, init), { peer: '127.0.0.1' })
  }
  const open = async (): Promise<Transport> => {
    const { fetchTransport } = await import('@buildwire/sdk')
    return fetchTransport(() => answer)
  }
  let opening: Promise<Transport> | undefined
  return async (request, options) => {
    opening ??= open()
    return (await opening)(request, options)
  }
}
