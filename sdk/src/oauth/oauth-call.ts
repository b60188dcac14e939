import { checkedNames, must, type Names } from '../base/checked.js'
import { oauthOperations, type SCOPES } from '../contract/operations.gen.js'
import type { HttpAnswer } from '../http/body.js'
import type { EncodedCall, OAuthRow } from '../http/call.js'
import type { CiClientOptions } from '../http/client-options.js'
import { type ClientContext, clientContext } from '../http/context.js'
import { smallBodyBytes } from '../transport/limits.js'
import type { Middleware } from '../transport/transport.js'
import { errorWord, isPassingRefusal, oauthError } from './oauth-answer.js'

/**
 * The options of every OAuth call. The endpoints are `${authUrl}/oauth/device_authorization` and
 * `${authUrl}/oauth/token`; `timeoutMs` (30 000) bounds one call. Give `transport` or `dispatcher`,
 * not both.
 */
export interface OAuthOptions
  extends Pick<
    CiClientOptions,
    'transport' | 'dispatcher' | 'userAgent' | 'allowInsecure' | 'onEvent' | 'clock' | 'random'
  > {
  authUrl: string | URL
  timeoutMs?: number | undefined
  /** As the client's option of that name. It sees the form with its secrets. */
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
 * The form fields with which a client without a key authenticates (RFC 6749 §2.3.1). @throws
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
 * A scope parameter as a list; undefined when it is absent. @throws ConfigError for an empty one,
 * which the server would take for the default scopes.
 */
export function scopeList(scope: string | readonly string[] | undefined): string[] | undefined {
  if (scope === undefined) return undefined
  const names: readonly unknown[] =
    typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : scope
  if (!Array.isArray(names) || names.length === 0 || !names.every(isScopeName))
    throw must('scope', 'name at least one scope, such as "read_builds" or ["read_builds"]')
  return [...names]
}

/** A scope-token of RFC 6749 §3.3. */
function isScopeName(name: unknown): name is string {
  return typeof name === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)
}

/** What is particular to one request of an OAuth endpoint. */
export interface OAuthForm extends Pick<OAuthRow, 'form' | 'again'> {
  /** The advice of the error for an answer with this `error`. */
  adviceFor(word: string, answer: HttpAnswer): string | undefined
}

/**
 * What the calls of one authorization server share; its `api` is `authUrl`. `moreNames` are the
 * names of the options that `T` adds. @throws ConfigError `config`
 */
export function oauthContext<T extends OAuthOptions>(
  options: T,
  moreNames: Names<Omit<T, keyof OAuthOptions>>,
): ClientContext {
  checkedNames('options', options, { ...oauthNames, ...moreNames } as Names<T>)
  const clientOptions: CiClientOptions = {
    baseUrl: options.authUrl,
    transport: options.transport,
    dispatcher: options.dispatcher,
    middleware: options.middleware,
    userAgent: options.userAgent,
    allowInsecure: options.allowInsecure,
    onEvent: options.onEvent,
    clock: options.clock,
    random: options.random,
    timeoutMs: options.timeoutMs ?? 30_000,
    timeouts: { attemptMs: Number.POSITIVE_INFINITY },
    maxRetryAfterMs: Number.POSITIVE_INFINITY,
    maxBodyBytes: smallBodyBytes,
  }
  return clientContext(clientOptions, 'authUrl')
}

/** A call to an OAuth endpoint: a form, on a new connection, without a bearer token. */
export function oauthCall(
  { api }: ClientContext,
  operationId: 'oauth.token' | 'oauth.deviceAuthorization',
  { adviceFor, ...form }: OAuthForm,
): EncodedCall {
  const { method, path } = oauthOperations[operationId]
  const toError: OAuthRow['toError'] = (answer, refused) => {
    const advice = adviceFor(errorWord(answer) ?? '', answer)
    return oauthError(answer, advice, refused)
  }
  const oauth: OAuthRow = {
    ...form,
    refuses: (answer) => errorWord(answer) !== undefined,
    mayPass: isPassingRefusal,
    toError,
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

type FormFields = Partial<Record<(typeof secretFields)[number], string>> & Record<string, string>

/**
 * A form that is the same for each attempt. No error repeats its secrets, nor `otherSecrets`, which
 * are not sent.
 */
export function fixedForm(
  fields: Readonly<FormFields>,
  advice: Readonly<Record<string, string>>,
  otherSecrets: readonly string[] = [],
): OAuthForm {
  const secrets = [...otherSecrets, ...secretFields.flatMap((name) => fields[name] ?? [])]
  return { form: async () => ({ fields, secrets }), adviceFor: (word) => advice[word] }
}
