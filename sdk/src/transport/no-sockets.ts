import type { TimeoutKind } from '../errors/errors.js'

/** What an error tells beside its words. */
export interface SocketFacts {
  /** The limit of undici's that ended the request. */
  readonly timeout?: TimeoutKind | undefined
  /** The request cannot have left. */
  readonly unsent?: boolean
  /** The other side is not to be trusted, or speaks no TLS: another attempt changes nothing. */
  readonly untrusted?: boolean
  readonly hint?: string | undefined
}

/** Where there is nothing but `fetch`, no error tells any of it. */
export function socketFacts(_error: unknown): SocketFacts {
  return {}
}
