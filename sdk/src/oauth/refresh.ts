import { checkedMethods, checkedNames } from '../base/checked.js'
import {
  ApiError,
  ConfigError,
  ConnectionError,
  InvalidResponseError,
  OAuthError,
  TimeoutError,
} from '../errors/errors.js'
import { codeOrName } from '../errors/redact.js'
import type { ClientContext } from '../http/context.js'
import { isAmbiguous } from '../http/retry.js'
import { send } from '../http/send.js'
import { type AccessToken, isBearerToken, SecretAccessToken, type TokenProvider } from '../http/token-provider.js'
import { heldBack, waitOf } from './held-back.js'
import { type Instant, instant } from './instant.js'
import { clientAdvice, isFinal, successBody } from './oauth-answer.js'
import { fixedForm, oauthCall, oauthContext } from './oauth-call.js'
import { clientCredentials, type OAuthOptions } from './oauth-options.js'
import { type FailureVerdict, type FreshToken, TokenCache } from './token-cache.js'
import { readLoginToken, type TokenResponse } from './token-response.js'
import { TokenSet } from './token-set.js'

/**
 * Where the tokens of one login live between processes. `withLock` keeps two processes from redeeming one refresh token; without
 * it, use the store from one process only.
 *
 * @example
 * ```ts
 * import type { RefreshStore, TokenResponse } from '@buildwire/sdk'
 * let saved: TokenResponse | null = null
 * const store: RefreshStore = {
 *   load: async () => saved,
 *   save: async (tokens) => void (saved = tokens),
 * }
 * ```
 */
export interface RefreshStore {
  load(): Promise<TokenResponse | null>
  save(tokens: TokenResponse): Promise<void>
  withLock?<T>(run: () => Promise<T>): Promise<T>
}

/** A login to keep alive. In `tokens` without `expiresAt`, `expires_in` counts from now: store what `TokenSet.reveal()` gives. */
export interface RefreshParams {
  client_id: string
  client_secret?: string | undefined
  tokens: TokenSet | TokenResponse
}

/**
 * Keeps a login alive by refresh tokens (RFC 6749 §6), rotating ones too: one refresh at a time, the new refresh token saved before
 * its access token is used. Only for logins that got a `refresh_token`.
 *
 * @throws ConfigError `config` for tokens without a refresh token, or an option that cannot be used. `getToken` rejects with OAuthError `oauth_error` (`invalid_grant`:
 * log in again), ConnectionError, TimeoutError, ApiError, InvalidResponseError, or with what the store throws.
 * @example
 * ```ts
 * import { CiClient, refreshingTokenProvider, type TokenSet } from '@buildwire/sdk'
 * const clientFor = (tokens: TokenSet) => {
 *   const auth = refreshingTokenProvider({ client_id: 'cli', tokens }, { authUrl: 'https://auth.ci.example' })
 *   return new CiClient({ baseUrl: 'https://api.ci.example', auth })
 * }
 * ```
 */
export function refreshingTokenProvider(
  params: RefreshParams,
  options: OAuthOptions & { store?: RefreshStore | undefined },
): TokenProvider {
  const refresher = new Refresher(params, options)
  return { getToken: (call) => refresher.getToken(call), invalidate: (token) => refresher.invalidate(token) }
}

/** A login's tokens with a known end and a refresh token. */
type Login = TokenResponse & { readonly refresh_token: string; readonly expiresAt: number | null }

const ambiguousHoldMs = 30_000
const only = 'login'

class Refresher {
  readonly #context: ClientContext
  readonly #credentials: Readonly<Record<string, string>>
  readonly #store: RefreshStore | undefined
  readonly #cache: TokenCache
  #login: Login
  /** Redeemed by us last; a store that still holds it has missed our save and knows nothing newer. */
  #spent: string | undefined
  /** Refused by the server, with its refusal: asking again would only look like theft. */
  #dead: { readonly refresh_token: string; readonly error: OAuthError } | undefined
  /** One renewal after the other, also when a caller's patience ended before the last one did. */
  #running: Promise<unknown> = Promise.resolve()

  constructor(params: RefreshParams, options: OAuthOptions & { store?: RefreshStore | undefined }) {
    checkedNames('params', params, { client_id: true, client_secret: true, tokens: true })
    this.#credentials = clientCredentials(params)
    // Redeeming twice looks like theft, so a lost answer is never asked for again.
    this.#context = { ...oauthContext(options, { store: true }), maxRetries: 0 }
    this.#store = checkedMethods('store', options.store, 'load', 'save')
    const { clock, random, timeoutMs, emit: onEvent } = this.#context
    const tokens = params.tokens instanceof TokenSet ? params.tokens.reveal() : params.tokens
    const login = tokens ? asLogin(tokens, clock.now()) : undefined
    if (login === undefined) {
      throw new ConfigError('tokens', 'tokens need an access_token and a refresh_token; without one, use staticToken')
    }
    this.#login = login
    this.#cache = new TokenCache({ clock, random, timeoutMs, maxEntries: 1, judge, onEvent })
    this.#cache.seed(only, this.#asFresh(login, instant(clock)))
  }

  getToken(options?: { signal?: AbortSignal | undefined }): Promise<AccessToken> {
    return this.#cache.get(only, (known) => this.#mint(known), options?.signal)
  }

  invalidate({ value }: AccessToken): void {
    this.#cache.invalidate(only, value)
  }

  #mint(known: readonly string[]): Promise<FreshToken> {
    const renew = (): Promise<FreshToken> => this.#renew(known)
    const store = this.#store
    const run = this.#running.then(() => (store?.withLock === undefined ? renew() : store.withLock(renew)))
    this.#running = run.catch(() => {})
    return run
  }

  async #renew(known: readonly string[]): Promise<FreshToken> {
    await this.#adopt()
    const held = this.#usable(known)
    if (held !== undefined) return held
    const login = this.#login
    if (this.#dead?.refresh_token === login.refresh_token) throw this.#dead.error
    // A store that cannot be written would lose the next refresh token: then none is spent.
    await this.#store?.save(login)
    try {
      return await this.#redeem(login)
    } catch (error) {
      if (!(error instanceof OAuthError) || error.error !== 'invalid_grant') throw error
      if (await this.#adopt()) return this.#usable(known) ?? this.#redeem(this.#login)
      this.#dead = { refresh_token: login.refresh_token, error }
      throw error
    }
  }

  /** Takes over what another process has saved meanwhile; false when there is nothing newer than ours. */
  async #adopt(): Promise<boolean> {
    const stored = await this.#store?.load()
    if (stored === undefined || stored === null) return false
    const login = asLogin(stored, this.#context.clock.now())
    const token = login?.refresh_token
    if (login === undefined || token === this.#login.refresh_token || token === this.#spent) return false
    this.#login = login
    return true
  }

  #usable(known: readonly string[]): FreshToken | undefined {
    const fresh = this.#asFresh(this.#login, instant(this.#context.clock))
    return fresh.ttlMs > 0 && !known.includes(this.#login.access_token) ? fresh : undefined
  }

  async #redeem(login: Login): Promise<FreshToken> {
    const { refresh_token, scope } = login
    const { clock } = this.#context
    const started = instant(clock)
    const form = { grant_type: 'refresh_token', refresh_token, ...this.#credentials }
    const call = oauthCall(this.#context, 'oauth.token', fixedForm(form, advice, [login.access_token]))
    const { data: response } = await send(
      this.#context,
      () => call,
      {},
      (answer, asked) => readLoginToken('refresh', successBody(answer, asked, 'an access_token'), scope),
    )
    const { expires_in } = response
    const expiresAt = expires_in === undefined ? null : started.wall + expires_in * 1000
    this.#login = { ...response, refresh_token: response.refresh_token ?? refresh_token, expiresAt }
    this.#spent = refresh_token
    await this.#save(this.#login)
    return this.#asFresh(this.#login, started)
  }

  /** The rotation has happened: a store that fails now must not cost the login, and the next renewal saves first. */
  async #save(login: Login): Promise<void> {
    try {
      await this.#store?.save(login)
    } catch (error) {
      this.#context.emit?.({ type: 'store_error', action: 'set', code: codeOrName(error) })
    }
  }

  #asFresh({ access_token, expiresAt, scope }: Login, started: Instant): FreshToken {
    const ttlMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - started.wall
    return { token: new SecretAccessToken(access_token, expiresAt, scope), started, ttlMs }
  }
}

const advice: Readonly<Record<string, string>> = {
  invalid_grant: 'The login has ended; log in again',
  invalid_client: clientAdvice,
}

function asLogin(tokens: TokenResponse, now: number): Login | undefined {
  const { access_token, refresh_token, expires_in, expiresAt } = tokens
  if (!isBearerToken(access_token) || typeof refresh_token !== 'string' || refresh_token === '') return undefined
  const counted = expires_in === undefined ? null : now + expires_in * 1000
  return { ...tokens, refresh_token, expiresAt: expiresAt === undefined ? counted : expiresAt }
}

/** After an answer that was lost the token may be redeemed: it is not tried again at once, and nobody is let past the hold. */
function judge(error: unknown): FailureVerdict {
  if (isFinal(error) || (error instanceof OAuthError && error.error === 'invalid_grant')) return { terminal: true }
  const waitMs = waitOf(error)
  if (isLost(error)) return { holdMs: Math.max(ambiguousHoldMs, waitMs), refuse: () => error }
  return waitMs > 0 ? heldBack(waitMs) : {}
}

function isLost(error: unknown): boolean {
  if (error instanceof OAuthError) return error.status >= 500
  if (error instanceof ApiError) return isAmbiguous(error.status)
  if (error instanceof ConnectionError || error instanceof TimeoutError) return error.sent === 'unknown'
  return error instanceof InvalidResponseError
}
