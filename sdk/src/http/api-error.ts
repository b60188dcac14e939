import {
  ApiError,
  type ApiErrorCode,
  type FieldError,
  RateLimitError,
  type Sent,
  UnprocessableError,
} from '../errors/errors.js'
import { redactHeaders, redactJson, serverText, wireWord } from '../errors/redact.js'
import { type Answer, contentType, looseJson } from './body.js'
import { rateLimitDetails } from './rate-limit.js'

/** What was asked, for the message and the fields of the error. */
export interface ErrorContext {
  readonly operationId: string
  readonly asked: string
  readonly method: string
  readonly path: string
  readonly sent: Sent
  /** The table's scope, for a 403 that names none. */
  readonly scope: string | null
  /** The operation is no part of the documented API, so a 404 may mean that the server lacks it. */
  readonly extension: boolean
  /** The configured address ends in a version, which the paths bring themselves. */
  readonly versionedBase: boolean
  readonly anonymous?: boolean
  /** Set for an OAuth endpoint. */
  readonly oauth?: object | undefined
  readonly attempts: number
  readonly retryAfterMs: number
  readonly secrets: readonly string[]
  /** Added when the server may have done the work although it answered with a failure. */
  readonly advice?: string | undefined
}

/** The request id of an answer, in a form that an error or an event may show. */
export function requestIdOf(
  answer: { header(name: string): string | undefined },
  secrets: readonly string[] = [],
): string | undefined {
  const id = answer.header('x-request-id')
  return id === undefined || id === '' ? undefined : serverText(id, secrets).slice(0, 200)
}

/** The typed error for an answer that is no success. */
export function apiError(answer: Answer, context: ErrorContext): ApiError {
  const { status } = answer
  const body = looseJson(answer.text)
  const said = saidBy(body, answer)
  const requiredScope = status === 403 ? missingScope(answer, said, context) : undefined
  const code = codeFor(status, said, requiredScope)
  const errors = status === 422 ? fieldErrors(body, context.secrets) : []
  const advice = adviceFor(answer, code, requiredScope, context)
  const serverMessage = said === '' ? undefined : serverText(said, context.secrets)
  const summary = `${context.asked} answered ${status}: ${serverMessage ?? emptyReason(answer)}${listed(errors)}`
  const { operationId, method, path, attempts, sent } = context
  const fields = {
    status,
    operationId,
    method,
    path,
    attempts,
    sent,
    advice,
    serverMessage,
    requestId: requestIdOf(answer, context.secrets),
    headers: redactHeaders(answer.entries(), context.secrets),
    body: body === undefined ? undefined : redactJson(body, context.secrets),
  }
  const retryAfterMs = context.retryAfterMs > 0 ? context.retryAfterMs : undefined
  if (status === 429) {
    const { scope, limit } = rateLimitDetails({ ...answer, header: (name) => answer.header(name), body })
    const shownScope = scope === undefined ? undefined : serverText(scope, context.secrets)
    return new RateLimitError(summary, {
      ...fields,
      scope: shownScope,
      limit,
      retryAfterMs: retryAfterMs ?? 0,
    })
  }
  if (status === 422) return new UnprocessableError(summary, { ...fields, retryAfterMs, errors })
  const grantedScopes = status === 403 ? scopeList(answer.header('x-oauth-scopes'), context.secrets) : undefined
  return new ApiError(summary, { ...fields, code, retryAfterMs, requiredScope, grantedScopes })
}

/** Whether a refusal says that the list goes no deeper. */
function isTooDeep(status: number, text: string): boolean {
  return status === 400 && /this deep/i.test(text)
}

function codeFor(status: number, said: string, requiredScope: string | undefined): ApiErrorCode {
  if (isTooDeep(status, said)) return 'listing_too_deep'
  if (requiredScope !== undefined) return 'insufficient_scope'
  return status === 429 ? 'rate_limited' : codeOfStatus(status)
}

/** The code of an {@link ApiError} of that status, as far as the status alone tells. */
function codeOfStatus(status: number): ApiErrorCode {
  if (status >= 300 && status < 400) return 'redirect_refused'
  return codes[status] ?? (status >= 500 ? 'server_error' : 'http_error')
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
}

/** The server's own sentence, in whichever of the usual places it stands. */
function saidBy(body: unknown, answer: Answer): string {
  if (typeof body === 'string') return body
  if (typeof body === 'object' && body !== null) {
    const { message, error, error_description, errors } = body as Record<string, unknown>
    const first = Array.isArray(errors) && message === undefined ? (errors[0] as unknown) : undefined
    const nested =
      typeof first === 'object' && first !== null ? (first as Record<string, unknown>)['message'] : undefined
    const found = [message, error_description, error, nested].find((text) => typeof text === 'string' && text !== '')
    return typeof found === 'string' ? found : ''
  }
  return contentType(answer) === 'text/plain' ? (answer.text ?? '').trim() : ''
}

function emptyReason(answer: Answer): string {
  if (answer.text === undefined) return 'a body that is too large to read'
  const type = contentType(answer)
  return answer.text === '' ? 'no body' : `a body ${type === '' ? 'of no type' : `of type ${type}`}`
}

/** The scope a 403 is about: its challenge, else its text, else the table when the text speaks of a scope. */
function missingScope(answer: Answer, said: string, context: ErrorContext): string | undefined {
  const challenge = answer.header('www-authenticate') ?? ''
  const named = /error="?insufficient_scope\b/.test(challenge)
    ? /\bscope="?([\w.:/ -]+)/.exec(challenge)?.[1]
    : undefined
  const spoken =
    /\b([a-z]+(?:_[a-z]+)+) scope\b/.exec(said)?.[1] ?? /\bscope[s:]? ["'`]?([a-z]+(?:_[a-z]+)+)/.exec(said)?.[1]
  const table = /\binsufficient_scope\b/.test(challenge) || /\bscopes?\b/i.test(said) ? context.scope : null
  const scope = named?.trim() ?? spoken ?? table ?? undefined
  return scope === undefined ? undefined : serverText(scope, context.secrets)
}

function scopeList(header: string | undefined, secrets: readonly string[]): readonly string[] | undefined {
  const scopes = header?.split(/[\s,]+/).filter((scope) => scope !== '')
  return scopes?.map((scope) => serverText(scope, secrets))
}

function fieldErrors(body: unknown, secrets: readonly string[]): FieldError[] {
  const listed = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined
  if (!Array.isArray(listed)) return []
  return listed.slice(0, 100).map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return { message: serverText(String(entry), secrets) }
    const { field, code, message } = entry as Record<string, unknown>
    const texts = Object.entries({ field, code, message }).filter(([, value]) => typeof value === 'string')
    return Object.fromEntries(
      texts.map(([key, value]) => [key, serverText(String(value), key === 'message' ? secrets : wireWord(secrets))]),
    )
  })
}

function listed(errors: readonly FieldError[]): string {
  if (errors.length === 0) return ''
  const texts = errors.map(({ field, code, message }) => [field, message ?? code].filter(Boolean).join(' '))
  return ` (${texts.filter((text) => text !== '').join('; ')})`
}

function adviceFor(
  answer: Answer,
  code: ApiErrorCode,
  requiredScope: string | undefined,
  context: ErrorContext,
): string | undefined {
  if (code === 'redirect_refused') {
    const target = redirectOrigin(answer.header('location'))
    const what =
      target === undefined || context.anonymous === true
        ? ''
        : ` (this one leads to ${target}): set the final address as ${context.oauth ? 'authUrl' : 'baseUrl'}`
    return `Redirects are not followed${what}${context.advice === undefined ? '' : `. ${context.advice}`}`
  }
  if (context.oauth !== undefined) return answer.status === 404 || answer.status === 405 ? 'Check authUrl' : undefined
  if (context.anonymous === true && [401, 403, 404].includes(answer.status)) {
    return 'No token was sent there: the address alone opens the content, for a short time. Ask for a new one'
  }
  if (code === 'unauthorized') return 'The token is missing, expired or revoked'
  if (code === 'insufficient_scope') return `The token lacks the scope ${requiredScope}`
  if (code === 'listing_too_deep') return 'Narrow the list with filters such as branch or created_from'
  if (code === 'not_found') {
    const lacking = context.extension ? ', or this server may not offer it' : ''
    const doubled = context.versionedBase ? '; baseUrl must end before /v2, which every path brings itself' : ''
    return `It does not exist, or your user cannot see it${lacking}${doubled}`
  }
  if (code === 'rate_limited' && context.retryAfterMs > 0) {
    return `The server wants ${Math.ceil(context.retryAfterMs / 1_000)} s of rest`
  }
  return context.advice
}

function redirectOrigin(location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location)) return undefined
  return new URL(location).origin
}
