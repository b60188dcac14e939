import { checkedNames, type Names } from '../base/checked.js'
import { clientContext } from '../client/client-options.js'
import { oauthOperations } from '../contract/operations.gen.js'
import type { Answer } from '../http/body.js'
import type { Call, OAuthRow } from '../http/call.js'
import type { ClientContext } from '../http/context.js'
import { smallBodyBytes } from '../transport/limits.js'
import { errorWord, isPassingRefusal, oauthError } from './oauth-answer.js'
import { type OAuthOptions, oauthNames } from './oauth-options.js'

/** What is particular to one request of an OAuth endpoint. */
export interface OAuthForm extends Pick<OAuthRow, 'form' | 'again'> {
  adviceFor(word: string, answer: Answer): string | undefined
}

/** What the calls of one authorization server share; its `api` is `authUrl`. `more` are options beside ours. @throws ConfigError `config` */
export function oauthContext<T extends OAuthOptions>(
  options: T,
  more: Names<Omit<T, keyof OAuthOptions>>,
): ClientContext {
  const names = { ...oauthNames, ...more } as Names<T>
  const { authUrl, timeoutMs = 30_000, ...rest } = checkedNames('options', options, names)
  const limits = { timeouts: { attemptMs: Number.POSITIVE_INFINITY }, maxRetryAfterMs: Number.POSITIVE_INFINITY }
  const { transport, dispatcher, middleware, userAgent, allowInsecure, onEvent, clock, random } = rest
  const travel = { transport, dispatcher, middleware, userAgent, allowInsecure, onEvent, clock, random }
  return clientContext({ ...travel, ...limits, baseUrl: authUrl, timeoutMs, maxBodyBytes: smallBodyBytes }, 'authUrl')
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
    toError: (answer, refused) => oauthError(answer, adviceFor(errorWord(answer) ?? '', answer), refused),
  }
  return {
    ...{ operationId, method, path, oauth, asked: `${method} ${path}`, url: api.href + path, origin: api.origin },
    ...{ accept: 'application/json', contentType: 'application/x-www-form-urlencoded', retrySafe: true },
  }
}

const secretFields = ['client_secret', 'device_code', 'refresh_token'] as const

/** A row whose form is the same for each attempt. No error repeats its secrets, nor `others`, which are not sent. */
export function fixedForm(
  fields: Readonly<Partial<Record<(typeof secretFields)[number], string>> & Record<string, string>>,
  advice: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): OAuthForm {
  const secrets = [...others, ...secretFields.flatMap((name) => fields[name] ?? [])]
  return { form: async () => ({ fields, secrets }), adviceFor: (word) => advice[word] }
}
