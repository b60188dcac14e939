import { checkedNames, must } from '../base/checked.js'
import type { TokenStore } from '../http/token-provider.js'
import { type OAuthOptions, requiredText, type Scope, scopeList } from './oauth-call.js'
import type { AssertionSigner } from './signing-keys.js'

/**
 * Whom to act as, where: `subject_token` is the user's e-mail address, `audience` the
 * organization's slug, `expires_in` seconds. Without `scope` the application's default scopes
 * apply.
 */
export interface ExchangeParams {
  subject_token: string
  audience: string
  scope?: Scope | readonly Scope[] | undefined
  expires_in?: number | undefined
}

/** Settings of a {@link TokenExchange}; `maxEntries` bounds its cache (1 000 identities). */
export interface TokenExchangeOptions extends OAuthOptions {
  /** A signer, or a function that is asked at every attempt, for key rotation. */
  signer: AssertionSigner | (() => AssertionSigner | Promise<AssertionSigner>)
  /** The assertion's `aud`, when a proxy renames the server; default: the token endpoint's URL. */
  aud?: string | undefined
  /** Makes the assertion's id, another one for each call: a non-empty text of at most 255 bytes. */
  jti?: (() => string) | undefined
  /** Shares tokens with other processes. */
  store?: TokenStore | undefined
  maxEntries?: number | undefined
}

export type PreparedExchange = ReturnType<typeof prepareExchange>

/**
 * Checks one exchange: its cache key, and its form without the assertion. @throws ConfigError
 * `config`
 */
export function prepareExchange(
  params: ExchangeParams,
  client: { readonly url: string; readonly client_id: string; readonly subject_token_type: string },
) {
  checkedNames('params', params, {
    subject_token: true,
    audience: true,
    scope: true,
    expires_in: true,
  })
  const subject_token = requiredText('subject_token', params.subject_token)
  const audience = requiredText('audience', params.audience)
  const scopes = scopeList(params.scope)
  const { expires_in } = params
  if (expires_in !== undefined && !(Number.isSafeInteger(expires_in) && expires_in > 0)) {
    throw must('expires_in', 'be a whole number of seconds from 1')
  }
  const scope = scopes?.join(' ')
  const identity = [
    client.url,
    client.client_id,
    audience,
    client.subject_token_type,
    subject_token,
    scopes === undefined ? null : [...new Set(scopes)].sort(),
    expires_in ?? null,
  ]
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: client.subject_token_type,
    audience,
    ...(scope !== undefined && { scope }),
    ...(expires_in !== undefined && { expires_in: String(expires_in) }),
  }
  // JSON leaves no separator that a value could imitate.
  return { key: JSON.stringify(identity), form }
}

/**
 * The subject token type of a user's e-mail address at this vendor:
 * `urn:<vendor>:params:oauth:token-type:user-email`.
 *
 * @throws ConfigError `config` unless `vendor` is a URN namespace word (RFC 8141 §2).
 * @example
 * ```ts
 * const subject_token_type = userEmailTokenType('buildwire')
 * ```
 */
export function userEmailTokenType(vendor: string): string {
  if (typeof vendor !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]$/.test(vendor)) {
    throw must('vendor', 'be a URN namespace word: 2 to 32 letters, digits or inner hyphens')
  }
  return `urn:${vendor}:params:oauth:token-type:user-email`
}
