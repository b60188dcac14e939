import { checkedNames, must, type Names } from '../base/checked.js'
import { oauthOperations, type SCOPES } from '../contract/operations.gen.js'
import type { Answer } from '../http/body.js'
import type { Call, OAuthRow } from '../http/call.js'
import { type CiClientOptions, type ClientContext, clientContext } from '../http/context.js'
import { smallBodyBytes } from '../transport/limits.js'
import type { Middleware } from '../transport/transport.js'
import { errorWord, isPassingRefusal, oauthError } from './oauth-answer.js'

/**
 * What every OAuth call takes. The endpoints are `${authUrl}/oauth/device_authorization` and
 * `${authUrl}/oauth/token`; `timeoutMs` (30 000) bounds one call; `transport` and `dispatcher`
 * exclude each other.
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

const oauthNames: Names<OAuthOptions> = {
  authUrl: true,
  transport: true,
  dispatcher: true,
  timeoutMs: true,
  middleware: true,
  userAgent: true,
  allowInsecure: true,
  onEvent: true,
  clock: true,
  random: true,
}

/** A scope. Those of the contract complete in an editor; a service may have others. */
export type Scope = (typeof SCOPES)[number] | (string & {})

/** A parameter that must be a non-empty text. @throws ConfigError `config`, without the value. */
export function requiredText(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw must(name, 'be a non-empty string')
  return value
}

/**
 * The form fields by which a client without a key names itself (RFC 6749 §2.3.1). @throws
 * ConfigError `config`
 */
export function clientCredentials(params: {
  client_id: string
  client_secret?: string | undefined
}): Readonly<Record<string, string>> {
  const client_id = requiredText('client_id', params.client_id)
  if (params.client_secret === undefined) return { client_id }
  return { client_id, client_secret: requiredText('client_secret', params.client_secret) }
}

/**
 * A scope parameter as one list; undefined when not given. @throws ConfigError for an empty one: it
 * must not become the default.
 */
export function scopeList(scope: string | readonly string[] | undefined): string[] | undefined {
  if (scope === undefined) return undefined
  const names: readonly unknown[] =
    typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : scope
  const valid =
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))
  if (!valid || names.length === 0) {
    throw must('scope', 'name at least one scope, such as "read_builds" or ["read_builds"]')
  }
  return names.map(String)
}

/** What is particular to one request of an OAuth endpoint. */
export interface OAuthForm extends Pick<OAuthRow, 'form' | 'again'> {
  adviceFor(word: string, answer: Answer): string | undefined
}

/**
 * What the calls of one authorization server share; its `api` is `authUrl`. `more` are options
 * beside ours. @throws ConfigError `config`
 */
export function oauthContext<T extends OAuthOptions>(
  options: T,
  more: Names<Omit<T, keyof OAuthOptions>>,
): ClientContext {
  const names = { ...oauthNames, ...more } as Names<T>
  const { authUrl, timeoutMs = 30_000, ...rest } = checkedNames('options', options, names)
  const limits = {
    timeouts: { attemptMs: Number.POSITIVE_INFINITY },
    maxRetryAfterMs: Number.POSITIVE_INFINITY,
  }
  const { transport, dispatcher, middleware, userAgent, allowInsecure, onEvent, clock, random } =
    rest
  const travel = {
    transport,
    dispatcher,
    middleware,
    userAgent,
    allowInsecure,
    onEvent,
    clock,
    random,
  }
  return clientContext(
    { ...travel, ...limits, baseUrl: authUrl, timeoutMs, maxBodyBytes: smallBodyBytes },
    'authUrl',
  )
}

/** A call of an OAuth row: a form, on a connection of its own, without a bearer token. */
export function oauthCall(
  { api }: ClientContext,
  operationId: 'oauth.token' | 'oauth.deviceAuthorization',
  { adviceFor, ...form }: OAuthForm,
): Call {
  const { method, path } = oauthOperations[operationId]
  const oauth: OAuthRow = {
    ...form,
    refuses: (answer) => errorWord(answer) !== undefined,
    mayPass: isPassingRefusal,
    toError: (answer, refused) =>
      oauthError(answer, adviceFor(errorWord(answer) ?? '', answer), refused),
  }
  return {
    operationId,
    method,
    path,
    oauth,
    asked: `${method} ${path}`,
    url: api.href + path,
    origin: api.origin,
    accept: 'application/json',
    contentType: 'application/x-www-form-urlencoded',
    retrySafe: true,
  }
}

const secretFields = ['client_secret', 'device_code', 'refresh_token'] as const

/**
 * A row whose form is the same for each attempt. No error repeats its secrets, nor `others`, which
 * are not sent.
 */
export function fixedForm(
  fields: Readonly<Partial<Record<(typeof secretFields)[number], string>> & Record<string, string>>,
  advice: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): OAuthForm {
  const secrets = [...others, ...secretFields.flatMap((name) => fields[name] ?? [])]
  return { form: async () => ({ fields, secrets }), adviceFor: (word) => advice[word] }
}
