import { oauthOperations } from '../contract/operations.gen.js'
import { RateLimitError } from '../errors/errors.js'
import type { FailureVerdict } from './token-cache.js'

/** The wait that the server named in this error, in milliseconds; 0 when it named none. */
export function waitOf(error: unknown): number {
  const known = typeof error === 'object' && error !== null && 'retryAfterMs' in error ? error.retryAfterMs : undefined
  return typeof known === 'number' ? known : 0
}

/** Holds every caller back until the server's wait is over: nothing is sent, and each is told the rest. */
export function heldBack(holdMs: number): FailureVerdict {
  const { id: operationId, method, path } = oauthOperations['oauth.token']
  const refuse = (restMs: number): RateLimitError => {
    const summary = `${method} ${path} was not sent: the server asked to wait ${Math.ceil(restMs / 1000)} s more`
    const fields = { status: 429, operationId, method, path, attempts: 0, retryAfterMs: restMs, sent: 'no' } as const
    return new RateLimitError(summary, fields)
  }
  return { holdMs, refuse }
}
