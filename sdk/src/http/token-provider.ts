import { ConfigError } from '../errors/errors.js'

export const inspectSymbol = Symbol.for('nodejs.util.inspect.custom')
const maxTokenBytes = 8192

/**
 * A bearer token as the client uses it: `expiresAt` is epoch milliseconds, `null` when no end is
 * known; `scope` is space-delimited.
 */
export interface AccessToken {
  readonly value: string
  readonly expiresAt: number | null
  readonly scope?: string | undefined
}

/**
 * What a client asks for its bearer token, before each attempt; `invalidate` is told which token a
 * 401 refused.
 *
 * @example
 * ```ts
 * const provider: TokenProvider = {
 *   getToken: async () => ({ value: process.env.CI_TOKEN ?? '', expiresAt: null }),
 *   invalidate: () => {},
 * }
 * ```
 */
export interface TokenProvider {
  getToken(options?: { signal?: AbortSignal | undefined }): Promise<AccessToken>
  invalidate(token: AccessToken): void
}

/**
 * A place that several processes share their tokens through; values are text, times are
 * milliseconds.
 *
 * @example
 * ```ts
 * const values = new Map<string, string>()
 * const store: TokenStore = {
 *   get: async (key) => values.get(key) ?? null,
 *   set: async (key, value) => void values.set(key, value),
 *   delete: async (key) => void values.delete(key),
 * }
 * ```
 */
export interface TokenStore {
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(key: string): Promise<void>
  withLock?<T>(key: string, ttlMs: number, run: () => Promise<T>): Promise<T>
}

/** Whether the text can travel as a bearer token: RFC 6750's b64token, at most 8 KiB. */
export function isBearerToken(text: unknown): text is string {
  return (
    typeof text === 'string' && text.length <= maxTokenBytes && /^[A-Za-z0-9._~+/-]+=*$/.test(text)
  )
}

/** An access token that prints as `[redacted]`, wherever it is logged. */
export class SecretAccessToken implements AccessToken {
  readonly #value: string
  readonly expiresAt: number | null
  declare readonly scope?: string | undefined

  constructor(value: string, expiresAt: number | null, scope?: string | undefined) {
    this.#value = value
    this.expiresAt = expiresAt
    if (scope !== undefined) this.scope = scope
  }

  get value(): string {
    return this.#value
  }

  toJSON(): object {
    return { value: '[redacted]', expiresAt: this.expiresAt, scope: this.scope }
  }

  toString(): string {
    return '[redacted]'
  }

  [inspectSymbol](): string {
    return 'AccessToken [redacted]'
  }
}

/**
 * A provider of one token that never changes, as a personal API token.
 *
 * @throws ConfigError `config` when the text cannot be a bearer token (RFC 6750 §2.1); the text is
 * not echoed.
 * @example
 * ```ts
 * const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth: staticToken('bwua_example') })
 * ```
 */
export function staticToken(value: string): TokenProvider {
  if (!isBearerToken(value)) {
    const wrong =
      value === ''
        ? 'it is empty'
        : 'look for a stray line break, blank or quote, or the word Bearer'
    throw new ConfigError(
      'auth',
      `The token must be 1 to 8192 of A-Z a-z 0-9 . _ ~ + / -, = at its end; ${wrong}`,
    )
  }
  const answer = Promise.resolve<AccessToken>(new SecretAccessToken(value, null))
  return {
    getToken: (options) =>
      options?.signal?.aborted ? Promise.reject(options.signal.reason) : answer,
    invalidate: () => {},
  }
}
