import { InvalidResponseError } from '../errors/errors.js'
import { kindOf } from '../http/body.js'
import { isBearerToken } from '../http/token-provider.js'

/**
 * A token endpoint's success as on the wire (RFC 6749 §5.1, RFC 8693 §2.2): `expires_in` in seconds. `expiresAt` (epoch ms) is
 * ours, so that a stored answer still knows its end.
 *
 * @example
 * ```ts
 * import type { TokenResponse } from '@buildwire/sdk'
 * const save = (tokens: TokenResponse) => JSON.stringify(tokens)
 * ```
 */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  expires_in?: number | undefined
  expiresAt?: number | null | undefined
  refresh_token?: string | undefined
  scope?: string | undefined
  issued_token_type?: string | undefined
}

const accessTokenUrn = 'urn:ietf:params:oauth:token-type:access_token'
const longestLifeSeconds = 86_400

/** A positive number, or a string of digits that holds one; undefined for everything else. */
export function positiveNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined
}

export function invalidField(operation: string, field: string, expected: string, value: unknown): InvalidResponseError {
  const got = kindOf(value)
  return new InvalidResponseError(`The ${operation} answer is invalid: \`${field}\` must be ${expected}, got ${got}`, {
    operationId: operation === 'device authorization' ? 'oauth.deviceAuthorization' : 'oauth.token',
    expected: `${field}: ${expected}`,
    got,
  })
}

type Body = Readonly<Record<string, unknown>>

function readCommon(operation: string, body: Body, requestedScope: string | undefined): TokenResponse {
  const { access_token, token_type, scope } = body
  if (!isBearerToken(access_token)) {
    throw invalidField(operation, 'access_token', 'a bearer token (RFC 6750) of at most 8 KiB', access_token)
  }
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') {
    throw invalidField(operation, 'token_type', '"Bearer"', token_type)
  }
  const granted = typeof scope === 'string' && scope !== '' ? scope : requestedScope
  return { access_token, token_type: 'Bearer', scope: granted }
}

/**
 * A device login's or refresh's token (RFC 6749 §5.1). An unusable `expires_in` only means that no end is known: a login is not
 * thrown away for it.
 */
export function readLoginToken(operation: string, body: Body, requestedScope: string | undefined): TokenResponse {
  const given = body['refresh_token']
  const refresh_token = typeof given === 'string' && given !== '' ? given : undefined
  return {
    ...readCommon(operation, body, requestedScope),
    expires_in: positiveNumber(body['expires_in']),
    refresh_token,
  }
}

/** An exchanged token (RFC 8693 §2.2), without the `refresh_token` that some servers add; its end is always known. */
export function readExchangedToken(operation: string, body: Body, requestedScope: string | undefined): TokenResponse {
  const response = readCommon(operation, body, requestedScope)
  const { issued_token_type, expires_in } = body
  if (issued_token_type !== accessTokenUrn) {
    throw invalidField(operation, 'issued_token_type', accessTokenUrn, issued_token_type)
  }
  const seconds = expires_in === undefined ? 60 : positiveNumber(expires_in)
  if (seconds === undefined) throw invalidField(operation, 'expires_in', 'a positive number of seconds', expires_in)
  return { ...response, issued_token_type: accessTokenUrn, expires_in: Math.min(seconds, longestLifeSeconds) }
}
