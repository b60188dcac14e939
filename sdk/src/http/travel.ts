import { ownTransport, undiciTransport } from '#transport'
import { must } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'
import type { Transport, UndiciDispatcher } from '../transport/transport.js'

const sdkName = 'buildwire-sdk/1.0.0'

/** The transport that the options name, and what closes it when it is ours. */
export function chosenTransport(
  options: { transport?: Transport | undefined; dispatcher?: UndiciDispatcher | undefined },
  connectTimeoutMs: number,
): { transport: Transport; close(): Promise<void> } {
  const { transport, dispatcher } = options
  if (transport === undefined) {
    const own = dispatcher === undefined ? ownTransport(connectTimeoutMs) : undiciTransport({ dispatcher })
    return { transport: own, close: () => own.close() }
  }
  if (dispatcher !== undefined) throw new ConfigError('transport', 'give transport or dispatcher, not both')
  if (typeof transport !== 'function') {
    throw must('transport', 'be a function; an undici agent goes into dispatcher')
  }
  return { transport, close: async () => {} }
}

/** The `user-agent` of all requests: the caller's name, then ours. @throws ConfigError `config` */
export function userAgent(given: string | undefined): string {
  if (given === undefined) return sdkName
  if (typeof given === 'string' && /^[\x20-\x7e]+$/.test(given)) return `${given} ${sdkName}`
  throw must('userAgent', 'be printable ASCII')
}
