import { RateLimitError } from '../errors/errors.js'
import type { Call } from './call.js'
import type { ClosedWindow } from './rate-limit.js'

/** What a request that is not sent is refused with, because the server has said to wait longer than the call may. */
export function gateError(
  { window, waitMs }: ClosedWindow,
  call: Call,
  maybeSent: boolean,
  attempts: number,
): RateLimitError {
  const { asked, operationId, method, path, organization } = call
  const whose = window === 'user' ? 'your user' : `organization ${organization}`
  const wants = `the server wants ${Math.ceil(waitMs / 1_000)} s of rest`
  return new RateLimitError(
    `${asked} was not sent${maybeSent ? ' again' : ''}: the request limit of ${whose} is used up; ${wants}`,
    {
      ...{ operationId, method, path, attempts, status: 429, retryAfterMs: waitMs },
      scope: window === 'user' ? 'rest_user' : 'rest',
      sent: maybeSent ? 'unknown' : 'no',
    },
  )
}
