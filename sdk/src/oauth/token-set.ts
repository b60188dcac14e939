import { InvalidResponseError } from '../errors/errors.js'
import { kindOf } from '../http/body.js'
import { inspectSymbol, isBearerToken } from '../http/token-provider.js'

/**
 * A token endpoint's success as on the wire (RFC 6749 §5.1, RFC 8693 §2.2): `expires_in` in
 * seconds. `expiresAt` (epoch ms) is ours, so that a stored answer still knows its end.
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

/**
 * The tokens of a login or an exchange. Its secrets are getters over private fields: it prints,
 * spreads and serialises as `[redacted]`; {@link TokenSet.reveal} is the plain object for storing.
 *
 * @example
 * ```ts
 * const minutesLeft = (tokens: TokenSet, now: number) => (tokens.expiresAt === null ? Infinity : (tokens.expiresAt - now) / 60_000)
 * ```
 */
export class TokenSet {
  readonly #response: TokenResponse
  readonly #expiresAt: number | null

  /** `startedAt` (epoch ms) is when the request for it started, from where its life counts. */
  constructor(response: TokenResponse, startedAt: number) {
    const { expires_in, expiresAt } = response
    const counted = expires_in === undefined ? null : Math.floor(startedAt + expires_in * 1000)
    this.#expiresAt = expiresAt === undefined ? counted : expiresAt
    this.#response = { ...response, expiresAt: this.#expiresAt }
  }

  get access_token(): string {
    return this.#response.access_token
  }

  get refresh_token(): string | undefined {
    return this.#response.refresh_token
  }

  get token_type(): 'Bearer' {
    return this.#response.token_type
  }

  get issued_token_type(): string | undefined {
    return this.#response.issued_token_type
  }

  /** Space-delimited, as granted; the requested scope when the answer named none. */
  get scope(): string {
    return this.#response.scope ?? ''
  }

  /** Seconds, as answered; of an exchanged token at most a day. */
  get expires_in(): number | undefined {
    return this.#response.expires_in
  }

  /** Epoch milliseconds; `null` when no end is known. */
  get expiresAt(): number | null {
    return this.#expiresAt
  }

  /** The wire's object in plain text, plus `expiresAt`: store it where secrets may be. */
  reveal(): TokenResponse {
    return { ...this.#response }
  }

  toJSON(): object {
    const { token_type, scope, expiresAt } = this
    return { access_token: '[redacted]', token_type, scope, expiresAt }
  }

  toString(): string {
    return '[redacted]'
  }

  [inspectSymbol](): string {
    return 'TokenSet [redacted]'
  }
}

/** Whether tokens are a `TokenSet`, also of another copy of the package. */
export function isTokenSet(tokens: TokenSet | TokenResponse): tokens is TokenSet {
  return typeof (tokens as Partial<TokenSet> | null)?.reveal === 'function'
}

const accessTokenUrn = 'urn:ietf:params:oauth:token-type:access_token'
const longestLifeSeconds = 86_400

/** A positive number, or a string of digits that holds one; undefined for everything else. */
export function positiveNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined
}

export function invalidField(
  operation: string,
  field: string,
  expected: string,
  value: unknown,
): InvalidResponseError {
  const got = kindOf(value)
  return new InvalidResponseError(
    `The ${operation} answer is invalid: \`${field}\` must be ${expected}, got ${got}`,
    {
      operationId:
        operation === 'device authorization' ? 'oauth.deviceAuthorization' : 'oauth.token',
      expected: `${field}: ${expected}`,
      got,
    },
  )
}

type Body = Readonly<Record<string, unknown>>

function readCommon(
  operation: string,
  body: Body,
  requestedScope: string | undefined,
): TokenResponse {
  const { access_token, token_type, scope } = body
  if (!isBearerToken(access_token)) {
    throw invalidField(
      operation,
      'access_token',
      'a bearer token (RFC 6750) of at most 8 KiB',
      access_token,
    )
  }
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') {
    throw invalidField(operation, 'token_type', '"Bearer"', token_type)
  }
  const granted = typeof scope === 'string' && scope !== '' ? scope : requestedScope
  return { access_token, token_type: 'Bearer', scope: granted }
}

/**
 * A login's or refresh's token (RFC 6749 §5.1); an unusable `expires_in` only means that no end is
 * known.
 */
export function readLoginToken(
  operation: string,
  body: Body,
  requestedScope: string | undefined,
): TokenResponse {
  const given = body['refresh_token']
  const refresh_token = typeof given === 'string' && given !== '' ? given : undefined
  return {
    ...readCommon(operation, body, requestedScope),
    expires_in: positiveNumber(body['expires_in']),
    refresh_token,
  }
}

/**
 * An exchanged token (RFC 8693 §2.2), without the `refresh_token` that some servers add; its end is
 * always known.
 */
export function readExchangedToken(
  operation: string,
  body: Body,
  requestedScope: string | undefined,
): TokenResponse {
  const response = readCommon(operation, body, requestedScope)
  const { issued_token_type, expires_in } = body
  if (issued_token_type !== accessTokenUrn) {
    throw invalidField(operation, 'issued_token_type', accessTokenUrn, issued_token_type)
  }
  const seconds = expires_in === undefined ? 60 : positiveNumber(expires_in)
  if (seconds === undefined)
    throw invalidField(operation, 'expires_in', 'a positive number of seconds', expires_in)
  return {
    ...response,
    issued_token_type: accessTokenUrn,
    expires_in: Math.min(seconds, longestLifeSeconds),
  }
}
