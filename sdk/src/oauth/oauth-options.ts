import { must, type Names } from '../base/checked.js'
import type { CiClientOptions } from '../client/client-options.js'
import type { SCOPES } from '../contract/operations.gen.js'
import type { Middleware } from '../transport/transport.js'

/**
 * What every OAuth call takes. The endpoints are `${authUrl}/oauth/device_authorization` and `${authUrl}/oauth/token`; `timeoutMs`
 * (30 000) bounds one call; `transport` and `dispatcher` exclude each other.
 *
 * @example
 * ```ts
 * import type { OAuthOptions } from '@buildwire/sdk'
 * const options: OAuthOptions = { authUrl: 'https://auth.ci.example', timeoutMs: 10_000 }
 * ```
 */
export interface OAuthOptions
  extends Pick<
    CiClientOptions,
    'transport' | 'dispatcher' | 'userAgent' | 'allowInsecure' | 'onEvent' | 'clock' | 'random'
  > {
  authUrl: string | URL
  timeoutMs?: number | undefined
  /** As the client's option of that name; sees the form, secrets and all. */
  middleware?: readonly Middleware[] | undefined
}

export const oauthNames: Names<OAuthOptions> = {
  ...{ authUrl: true, transport: true, dispatcher: true, timeoutMs: true, middleware: true, userAgent: true },
  ...{ allowInsecure: true, onEvent: true, clock: true, random: true },
}

/**
 * A scope. Those of the contract complete in an editor; a service may have others.
 *
 * @example
 * ```ts
 * const scope: Scope[] = ['read_builds', 'read_build_logs']
 * ```
 */
export type Scope = (typeof SCOPES)[number] | (string & {})

/** A parameter that must be a non-empty text. @throws ConfigError `config`, without the value. */
export function requiredText(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw must(name, 'be a non-empty string')
  return value
}

/** The form fields by which a client without a key names itself (RFC 6749 §2.3.1). @throws ConfigError `config` */
export function clientCredentials(params: {
  client_id: string
  client_secret?: string | undefined
}): Readonly<Record<string, string>> {
  const client_id = requiredText('client_id', params.client_id)
  if (params.client_secret === undefined) return { client_id }
  return { client_id, client_secret: requiredText('client_secret', params.client_secret) }
}

/**
 * A scope parameter as one list; undefined when it was not given.
 *
 * @throws ConfigError `config` for an empty list: "no scopes" must not become "the default scopes".
 */
export function scopeList(scope: string | readonly string[] | undefined): string[] | undefined {
  if (scope === undefined) return undefined
  const names: readonly unknown[] = typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : scope
  const valid =
    Array.isArray(names) && names.every((name) => typeof name === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))
  if (!valid || names.length === 0) {
    throw must('scope', 'name at least one scope, such as "read_builds" or ["read_builds"]')
  }
  return names.map(String)
}
