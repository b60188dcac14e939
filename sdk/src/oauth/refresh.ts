import { checkedMethods, checkedNames } from '../base/checked.js'
import { type Instant, instant } from '../base/clock.js'
import { ConfigError, isApiError, isCiError, type OAuthError } from '../errors/errors.js'
import { codeOrName } from '../errors/redact.js'
import type { ClientContext } from '../http/context.js'
import { isAmbiguous } from '../http/retry.js'
import { send } from '../http/send.js'
import { isBearerToken, SecretAccessToken, type TokenProvider } from '../http/token-provider.js'
import { clientAdvice, isFinal, successBody } from './oauth-answer.js'
import {
  clientCredentials,
  fixedForm,
  type OAuthOptions,
  oauthCall,
  oauthContext,
} from './oauth-call.js'
import {
  type FailureVerdict,
  type FreshToken,
  heldBack,
  TokenCache,
  waitOf,
} from './token-cache.js'
import { isTokenSet, readLoginToken, type TokenResponse, type TokenSet } from './token-set.js'

/**
 * Where the tokens of one login live between processes. `withLock` keeps two processes from
 * redeeming one refresh token; without it, use the store from one process only.
 *
 * @example
 * ```ts
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

/**
 * A login to keep alive. In `tokens` without `expiresAt`, `expires_in` counts from now: store what
 * `TokenSet.reveal()` gives.
 */
export interface RefreshParams {
  client_id: string
  client_secret?: string | undefined
  tokens: TokenSet | TokenResponse
}

/**
 * Keeps a login alive by refresh tokens (RFC 6749 §6), rotating ones too: one refresh at a time,
 * the new refresh token saved before its access token is used. Only for logins that got a
 * `refresh_token`.
 *
 * @throws ConfigError `config` for tokens without a refresh token, or an option that cannot be
 * used. `getToken` rejects with OAuthError `oauth_error` (`invalid_grant`: log in again),
 * ConnectionError, TimeoutError, ApiError, InvalidResponseError, or with what the store throws.
 * @example
 * ```ts
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
  checkedNames('params', params, { client_id: true, client_secret: true, tokens: true })
  const credentials = clientCredentials(params)
  // Using a refresh token twice looks like theft, so nothing is repeated after a lost answer.
  const context: ClientContext = { ...oauthContext(options, { store: true }), maxRetries: 0 }
  const store = checkedMethods('store', options.store, 'load', 'save')
  const { clock, random, timeoutMs, emit: onEvent } = context
  const tokens = isTokenSet(params.tokens) ? params.tokens.reveal() : params.tokens
  const firstLogin = tokens ? asLogin(tokens, clock.now()) : undefined
  if (firstLogin === undefined) {
    throw new ConfigError(
      'tokens',
      'tokens need an access_token and a refresh_token; without one, use staticToken',
    )
  }
  let login = firstLogin
  /**
   * The refresh token that we used last. If the store still has it, our save failed and its copy is
   * old.
   */
  let spent: string | undefined
  /** A refused refresh token and its error. Sending it again would look like theft. */
  let dead: { readonly refresh_token: string; readonly error: OAuthError } | undefined
  /** The last renewal: the next one starts after it, also when its time limit has ended before. */
  let running: Promise<unknown> = Promise.resolve()
  const cache = new TokenCache({ clock, random, timeoutMs, maxEntries: 1, judge, onEvent })
  cache.seed(only, asFresh(login, instant(clock)))

  const mint = (known: readonly string[]): Promise<FreshToken> => {
    const run = running.then(() =>
      store?.withLock === undefined ? renew(known) : store.withLock(() => renew(known)),
    )
    running = run.catch(() => {})
    return run
  }

  const renew = async (known: readonly string[]): Promise<FreshToken> => {
    await adopt()
    const held = usable(known)
    if (held !== undefined) return held
    const asked = login
    if (dead?.refresh_token === asked.refresh_token) throw dead.error
    // If the store cannot be written, the new refresh token would be lost: then none is used.
    await store?.save(asked)
    try {
      return await redeem(asked)
    } catch (error) {
      if (!isCiError(error, 'oauth_error') || error.error !== 'invalid_grant') throw error
      if (await adopt()) return usable(known) ?? redeem(login)
      dead = { refresh_token: asked.refresh_token, error }
      throw error
    }
  }

  /** Takes over a newer login that another process has saved; false without one. */
  const adopt = async (): Promise<boolean> => {
    const stored = await store?.load()
    if (stored === undefined || stored === null) return false
    const newer = asLogin(stored, clock.now())
    const token = newer?.refresh_token
    if (newer === undefined || token === login.refresh_token || token === spent) return false
    login = newer
    return true
  }

  const usable = (known: readonly string[]): FreshToken | undefined => {
    const fresh = asFresh(login, instant(clock))
    return fresh.ttlMs > 0 && !known.includes(login.access_token) ? fresh : undefined
  }

  const redeem = async ({
    refresh_token,
    scope,
    access_token,
  }: LoginTokens): Promise<FreshToken> => {
    const started = instant(clock)
    const form = { grant_type: 'refresh_token', refresh_token, ...credentials }
    const call = oauthCall(context, 'oauth.token', fixedForm(form, advice, [access_token]))
    const { data: response } = await send(
      context,
      () => call,
      {},
      (answer, asked) =>
        readLoginToken('refresh', successBody(answer, asked, 'an access_token'), scope),
    )
    const { expires_in } = response
    const expiresAt = expires_in === undefined ? null : started.wall + expires_in * 1000
    const renewed = {
      ...response,
      refresh_token: response.refresh_token ?? refresh_token,
      expiresAt,
    }
    login = renewed
    spent = refresh_token
    try {
      await store?.save(renewed)
    } catch (error) {
      // The server has already rotated the token, so the login goes on without the save; the next
      // renewal saves first.
      onEvent?.({ type: 'store_error', action: 'set', code: codeOrName(error) })
    }
    return asFresh(renewed, started)
  }

  return {
    getToken: (call) => cache.get(only, mint, call?.signal),
    invalidate: ({ value }) => void cache.invalidate(only, value),
  }
}

/** A login's tokens with a known end and a refresh token. */
type LoginTokens = TokenResponse & {
  readonly refresh_token: string
  readonly expiresAt: number | null
}

const ambiguousHoldMs = 30_000
const only = 'login'

function asFresh({ access_token, expiresAt, scope }: LoginTokens, started: Instant): FreshToken {
  const ttlMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - started.wall
  return { token: new SecretAccessToken(access_token, expiresAt, scope), started, ttlMs }
}

const advice: Readonly<Record<string, string>> = {
  invalid_grant: 'The login has ended; log in again',
  invalid_client: clientAdvice,
}

function asLogin(tokens: TokenResponse, now: number): LoginTokens | undefined {
  const { access_token, refresh_token, expires_in, expiresAt } = tokens
  if (!isBearerToken(access_token) || typeof refresh_token !== 'string' || refresh_token === '')
    return undefined
  const counted = expires_in === undefined ? null : now + expires_in * 1000
  return { ...tokens, refresh_token, expiresAt: expiresAt === undefined ? counted : expiresAt }
}

/**
 * After a lost answer the refresh token may be used up, so it is not sent again at once. Until then
 * callers get this error.
 */
function judge(error: unknown): FailureVerdict {
  if (isFinal(error) || (isCiError(error, 'oauth_error') && error.error === 'invalid_grant'))
    return { terminal: true }
  const waitMs = waitOf(error)
  if (isLost(error)) return { holdMs: Math.max(ambiguousHoldMs, waitMs), refuse: () => error }
  return waitMs > 0 ? heldBack(waitMs) : {}
}

function isLost(error: unknown): boolean {
  if (isCiError(error, 'oauth_error')) return error.status >= 500
  if (isApiError(error)) return isAmbiguous(error.status)
  if (isCiError(error, 'connection') || isCiError(error, 'timeout')) return error.sent === 'unknown'
  return isCiError(error, 'invalid_response')
}
