import { checkedFunction, checkedMethods, checkedNames, must } from '../base/checked.js'
import { type Instant, instant } from '../base/clock.js'
import { oauthOperations } from '../contract/operations.gen.js'
import type { HttpAnswer, RequestName } from '../http/body.js'
import type { CallOptions } from '../http/client-options.js'
import type { ClientContext } from '../http/context.js'
import { send } from '../http/send.js'
import { SecretAccessToken, type TokenProvider } from '../http/token-provider.js'
import { countLimit } from '../transport/limits.js'
import { signAssertion } from './client-assertion.js'
import { exchangeHint, offsetToTry, plain } from './exchange-hints.js'
import {
  type ExchangeParams,
  type PreparedExchange,
  prepareExchange,
  type TokenExchangeOptions,
} from './exchange-params.js'
import { errorDescription, errorWord, isFinal, successBody } from './oauth-answer.js'
import { type OAuthForm, oauthCall, oauthContext, requiredText } from './oauth-call.js'
import { type SharedTokens, sharedTokens } from './shared-tokens.js'
import {
  type FailureVerdict,
  type FreshToken,
  heldBack,
  type Mint,
  TokenCache,
  waitOf,
} from './token-cache.js'
import { readExchangedToken, type TokenResponse, TokenSet } from './token-set.js'

/**
 * Mints impersonation tokens by token exchange (RFC 8693) with a signed client assertion (RFC
 * 7523), and caches them: one exchange per identity, renewed before its end. Make one per
 * application.
 *
 * @throws ConfigError `config` for a parameter or option that cannot be used.
 * @example
 * ```ts
 * const signer = await createSigner({ key: process.env.SIGNING_KEY ?? '' })
 * const exchange = new TokenExchange(
 *   { client_id: 'release-bot', subject_token_type: userEmailTokenType('buildwire') },
 *   { authUrl: 'https://auth.ci.example', signer },
 * )
 * const auth = exchange.tokenProvider({ subject_token: 'ada@acme.example', audience: 'acme', scope: ['read_builds'] })
 * const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth })
 * ```
 */
export class TokenExchange {
  readonly #client: Parameters<typeof prepareExchange>[1]
  readonly #context: ClientContext
  readonly #signer: TokenExchangeOptions['signer']
  readonly #aud: string
  readonly #jti: () => string
  readonly #cache: TokenCache
  readonly #shared: SharedTokens | undefined
  /** The server's clock minus ours, as of the last success. */
  #offsetMs = 0
  /** The last removal from the store. The next exchange reads the store after it. */
  #dropping: Promise<void> = Promise.resolve()

  constructor(
    params: { client_id: string; subject_token_type: string },
    options: TokenExchangeOptions,
  ) {
    checkedNames('params', params, { client_id: true, subject_token_type: true })
    const client_id = requiredText('client_id', params.client_id)
    const subject_token_type = requiredText('subject_token_type', params.subject_token_type)
    this.#context = oauthContext(options, {
      signer: true,
      aud: true,
      jti: true,
      store: true,
      maxEntries: true,
    })
    const url = this.#context.api.href + oauthOperations['oauth.token'].path
    this.#client = { url, client_id, subject_token_type }
    this.#signer = options.signer
    if (typeof options.signer !== 'function' && typeof options.signer?.sign !== 'function') {
      throw must('signer', 'be what createSigner returns, or a function that returns one')
    }
    this.#aud = options.aud === undefined ? url : requiredText('aud', options.aud)
    this.#jti = checkedFunction('jti', options.jti) ?? (() => crypto.randomUUID())

    const { clock, random, timeoutMs, emit: onEvent } = this.#context
    const maxEntries = countLimit('maxEntries', options.maxEntries, 1000, 1)
    this.#cache = new TokenCache({ clock, random, timeoutMs, maxEntries, judge, onEvent })
    const store = checkedMethods('store', options.store, 'get', 'set', 'delete')
    if (store !== undefined) this.#shared = sharedTokens(store, clock, onEvent)
  }

  /**
   * A provider of the cached token of one identity. It is cheap: you may make one per request.
   *
   * @throws ConfigError `config` at once for parameters that cannot be used; `getToken` rejects
   * with what {@link exchange} throws.
   * @example
   * ```ts
   * const { value } = await exchange.tokenProvider({ subject_token: 'ada@acme.example', audience: 'acme' }).getToken()
   * ```
   */
  tokenProvider(params: ExchangeParams): TokenProvider {
    const prepared = prepareExchange(params, this.#client)
    const { key } = prepared
    const mint: Mint = (known) => this.#mint(prepared, known)
    return {
      getToken: (options) => this.#cache.get(key, mint, options?.signal),
      invalidate: ({ value }) => this.#invalidate(key, value),
    }
  }

  /**
   * Exchanges once, without the cache.
   *
   * @throws OAuthError `oauth_error` with advice, RateLimitError `rate_limited`, ApiError,
   * ConnectionError `connection`, TimeoutError `timeout`, InvalidResponseError `invalid_response`,
   * ConfigError `config`.
   * @example
   * ```ts
   * const tokens = await exchange.exchange({ subject_token: 'ada@acme.example', audience: 'acme', expires_in: 300 })
   * ```
   */
  async exchange(params: ExchangeParams, options: CallOptions = {}): Promise<TokenSet> {
    const prepared = prepareExchange(params, this.#client)
    const { response, started } = await this.#request(prepared, options)
    return new TokenSet(response, started.wall)
  }

  /**
   * Removes every token from the cache of this process; a token that is being exchanged does not
   * enter it either. The known difference between the clocks is kept.
   */
  clear(): void {
    this.#cache.clear()
  }

  async #mint(prepared: PreparedExchange, known: readonly string[]): Promise<FreshToken> {
    const shared = this.#shared
    if (shared === undefined) return this.#fresh(prepared)
    const { key } = prepared
    await this.#dropping
    const stored = await shared.read(key, known)
    if (stored !== undefined) return stored
    return shared.locked(key, async () => {
      // Another process may have stored a token while we waited for the lock.
      const published = await shared.read(key, known)
      if (published !== undefined) return published
      const fresh = await this.#fresh(prepared)
      await shared.write(key, fresh)
      return fresh
    })
  }

  async #fresh(prepared: PreparedExchange): Promise<FreshToken> {
    const { response, started } = await this.#request(prepared, {})
    const ttlMs = (response.expires_in ?? 0) * 1000
    const token = new SecretAccessToken(response.access_token, started.wall + ttlMs, response.scope)
    return { token, started, ttlMs }
  }

  /** Sends the exchange, with at most one more signature for each {@link Correction}. */
  async #request(prepared: PreparedExchange, options: CallOptions): Promise<ExchangedToken> {
    const { clock } = this.#context
    let signature: Signature = { offsetMs: this.#offsetMs, corrections: ['id', 'clock'] }
    let started = instant(clock)

    const form: OAuthForm['form'] = async () => {
      const client_assertion = await this.#sign(signature.offsetMs)
      started = instant(clock)
      const fields = { ...prepared.form, client_assertion_type, client_assertion }
      return { fields, secrets: [client_assertion] }
    }
    const again = (answer: HttpAnswer): boolean => {
      const next = nextSignature(signature, answer, clock.now())
      signature = next ?? signature
      return next !== undefined
    }
    const facts = { aud: this.#aud, audience: prepared.form.audience }
    const adviceFor: OAuthForm['adviceFor'] = (word, answer) =>
      exchangeHint(word, errorDescription(answer), facts)

    const call = oauthCall(this.#context, 'oauth.token', { form, again, adviceFor })
    const read = (answer: HttpAnswer, request: RequestName): TokenResponse => {
      const body = successBody(answer, request, 'an access_token')
      return readExchangedToken('token exchange', body, prepared.form.scope)
    }
    const { data: response } = await send(this.#context, () => call, options, read)
    this.#offsetMs = signature.offsetMs
    return { response, started }
  }

  async #sign(offsetMs: number): Promise<string> {
    const signer = typeof this.#signer === 'function' ? await this.#signer() : this.#signer
    const nowMs = this.#context.clock.now() + offsetMs
    return signAssertion(signer, {
      client_id: this.#client.client_id,
      aud: this.#aud,
      nowMs,
      jti: this.#jti(),
    })
  }

  #invalidate(key: string, value: string): void {
    this.#cache.invalidate(key, value)
    const shared = this.#shared
    if (shared !== undefined) this.#dropping = this.#dropping.then(() => shared.drop(key, value))
  }
}

const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A success, and when the request that got it was signed: its `expires_in` counts from there. */
interface ExchangedToken {
  readonly response: TokenResponse
  readonly started: Instant
}

/** What a further signature corrects: an assertion id that was used before, or a wrong clock. */
type Correction = 'id' | 'clock'

/** How an assertion is signed, and which corrections are left. */
interface Signature {
  /** Added to our clock. */
  readonly offsetMs: number
  readonly corrections: readonly Correction[]
}

/** The signature to try after this answer; undefined when a further one would not help. */
function nextSignature(
  { offsetMs, corrections }: Signature,
  answer: HttpAnswer,
  now: number,
): Signature | undefined {
  const without = (made: Correction): readonly Correction[] =>
    corrections.filter((correction) => correction !== made)

  if (isUsedId(answer))
    return corrections.includes('id') ? { offsetMs, corrections: without('id') } : undefined
  if (!corrections.includes('clock')) return undefined
  const corrected = offsetToTry(answer, offsetMs, now)
  return corrected === undefined
    ? undefined
    : { offsetMs: corrected, corrections: without('clock') }
}

function isUsedId(answer: HttpAnswer): boolean {
  const description = plain(errorDescription(answer))
  return errorWord(answer) === 'invalid_client' && /already been used/.test(description)
}

function judge(error: unknown): FailureVerdict {
  const terminal = isFinal(error)
  const waitMs = waitOf(error)
  return waitMs > 0 ? { ...heldBack(waitMs), terminal } : { terminal }
}
