import { ConfigError, type Middleware, type TransportResponse } from '@buildwire/sdk'
import { operations } from '@buildwire/sdk/contract'
import type { Redactor } from '../io/redact.js'
import type { Reach } from './reach.js'

/** Operations without an organization that a server with a pin may use. */
const ABOUT_THE_TOKEN: ReadonlySet<string> = new Set(['user.get', 'accessToken.get'])

/**
 * Refuses requests that leave the pin, and masks secrets in what arrives. So a log is masked before
 * anything cuts it, and no record can lead out of the pin: not a triggered build, not the address
 * of a log.
 */
export function guard(reach: Reach, redactor: Redactor): Middleware {
  return async (request, next, { operationId = '' }) => {
    const isAllowed = ABOUT_THE_TOKEN.has(operationId) || (await reach.contains(request.url))
    if (!isAllowed) {
      const path = operations[operationId as keyof typeof operations]?.path ?? 'an address'
      throw new ConfigError('pin', `${path} is not below ${reach.pin ?? ''}, and was not requested`)
    }
    return masked(await next(request), redactor)
  }
}

function masked(response: TransportResponse, redactor: Redactor): TransportResponse {
  return {
    status: response.status,
    header: (name) => response.header(name),
    entries: () => response.entries(),
    text: async (maxBytes) => maskedBody(await response.text(maxBytes), redactor),
    bytes: (maxBytes) => response.bytes(maxBytes),
    stream: () => redactor.maskStream(response.stream()),
    discard: () => response.discard(),
  }
}

/** A body with each secret masked inside the texts of its JSON, so that it stays JSON. */
function maskedBody(body: string, redactor: Redactor): string {
  const whole = redactor.redact(body)
  if (whole === body) return body
  try {
    const json = JSON.parse(body, (_, value: unknown) => {
      return typeof value === 'string' ? redactor.redact(value) : value
    })
    return JSON.stringify(json)
  } catch {
    return whole
  }
}
