import type { TokenResponse } from './token-response.js'

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')

/**
 * The tokens of a login or an exchange. Its secrets are getters over private fields: it prints, spreads and serialises as
 * `[redacted]`; {@link TokenSet.reveal} is the plain object for storing.
 *
 * @example
 * ```ts
 * import type { TokenSet } from '@buildwire/sdk'
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
