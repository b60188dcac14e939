import { RateLimitError } from '../errors.js'
import type { OAuthEndpoint } from './oauth-request.js'
import type { FailureVerdict } from './token-cache.js'

/** The wait that the server named in this error, in milliseconds; 0 when it named none. */
export function waitOf(error: unknown): number {
  const known = typeof error === 'object' && error !== null && 'retryAfterMs' in error ? error.retryAfterMs : undefined
  return typeof known === 'number' ? known : 0
}

/** Holds every caller back until the server's wait is over: nothing is sent, and each is told the rest. */
export function heldBack({ operationId, path, asked }: OAuthEndpoint, holdMs: number): FailureVerdict {
  const refuse = (restMs: number): RateLimitError =>
    new RateLimitError(`${asked} was not sent: the server asked to wait ${Math.ceil(restMs / 1000)} s more`, {
      status: 429,
      operationId,
      method: 'POST',
      path,
      attempts: 0,
      retryAfterMs: restMs,
      sent: 'no',
    })
  return { holdMs, refuse }
}
