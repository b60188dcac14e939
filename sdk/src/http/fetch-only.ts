import { ConfigError } from '../errors/errors.js'
import { fetchTransport } from '../transport/fetch-transport.js'
import type { ClosableTransport } from '../transport/transport.js'
import type { undiciTransport as onNode } from '../transport/undici-transport.js'

/** The default transport outside of Node. */
export function ownTransport(): ClosableTransport {
  return Object.assign(fetchTransport(), { close: async () => {} })
}

/** Replaces the transport that only Node has. @throws ConfigError `config` */
export const undiciTransport: typeof onNode = (options) => {
  if (options?.dispatcher === undefined) {
    const what = 'undici runs on Node alone: give no transport, or fetchTransport()'
    throw new ConfigError('transport', what)
  }
  const instead = 'a transport, such as server.transport() of the mock server or fetchTransport()'
  throw new ConfigError('dispatcher', `undici runs on Node alone: instead give ${instead}`)
}
