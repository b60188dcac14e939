import { tried } from '../base/tried.js'
import {
  ApiError,
  type ApiErrorCode,
  type FieldError,
  RateLimitError,
  UnprocessableError,
} from '../errors/errors.js'
import { redactHeaders, redactJson, serverText, wireWord } from '../errors/redact.js'
import { contentType, type HttpAnswer } from './body.js'
import type { EncodedCall, RefusedCall } from './call.js'
import { type ClosedWindow, rateLimitDetails, record } from './rate-limit.js'
import { isAmbiguous } from './retry.js'

/** The request id of an answer, in a form that an error or an event may show. */
export function requestIdOf(
  answer: { header(name: string): string | undefined },
  secrets: readonly string[] = [],
): string | undefined {
  const id = answer.header('x-request-id')
  return id === undefined || id === '' ? undefined : serverText(id, secrets).slice(0, 200)
}

/** The typed error for an answer that is not a success; `prefix` is the path of baseUrl. */
export function apiError(answer: HttpAnswer, refused: RefusedCall, prefix: string): ApiError {
  const { status, body } = answer
  const { call, attempts, sent, secrets } = refused
  const said = saidBy(answer)
  const requiredScope = status === 403 ? missingScope(answer, said, refused) : undefined
  const code = codeFor(status, said, requiredScope)
  const errors = status === 422 ? fieldErrors(body, secrets) : []
  const serverMessage = said === '' ? undefined : serverText(said, secrets)
  const { operationId, method, path } = call
  const fields = {
    status,
    operationId,
    method,
    path,
    attempts,
    sent,
    serverMessage,
    advice: adviceFor(answer, code, requiredScope, refused, prefix),
    requestId: requestIdOf(answer, secrets),
    headers: redactHeaders(answer.entries(), secrets),
    body: redactJson(body, secrets),
    retryAfterMs: refused.retryAfterMs > 0 ? refused.retryAfterMs : undefined,
  }
  const summary = `${call.asked} answered ${status}: ${serverMessage ?? emptyReason(answer)}${listed(errors)}`
  if (status === 429) {
    const { scope, limit } = rateLimitDetails(answer)
    const shownScope = scope === undefined ? undefined : serverText(scope, secrets)
    return new RateLimitError(summary, {
      ...fields,
      scope: shownScope,
      limit,
      retryAfterMs: refused.retryAfterMs,
    })
  }
  if (status === 422) return new UnprocessableError(summary, { ...fields, errors })
  const grantedScopes =
    status === 403 ? scopeList(answer.header('x-oauth-scopes'), secrets) : undefined
  return new ApiError(summary, { ...fields, code, requiredScope, grantedScopes })
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limited',
}

function codeFor(status: number, said: string, requiredScope: string | undefined): ApiErrorCode {
  if (status === 400 && /this deep/i.test(said)) return 'listing_too_deep'
  if (requiredScope !== undefined) return 'insufficient_scope'
  if (status >= 300 && status < 400) return 'redirect_refused'
  return codes[status] ?? (status >= 500 ? 'server_error' : 'http_error')
}

/** The server's own sentence, from the first of the usual fields that has one. */
function saidBy(answer: HttpAnswer): string {
  const { body, text = '' } = answer
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null)
    return contentType(answer) === 'text/plain' ? text.trim() : ''
  const { message, error, error_description, errors } = record(body)
  const nested =
    Array.isArray(errors) && message === undefined ? record(errors[0])['message'] : undefined
  const isSentence = (value: unknown): value is string => typeof value === 'string' && value !== ''
  return [message, error_description, error, nested].find(isSentence) ?? ''
}

function emptyReason(answer: HttpAnswer): string {
  if (answer.text === undefined) return 'a body that is too large to read'
  const type = contentType(answer)
  return answer.text === '' ? 'no body' : `a body ${type === '' ? 'of no type' : `of type ${type}`}`
}

/**
 * The scope a 403 is about: its challenge, else its text, else the table when the text speaks of a
 * scope.
 */
function missingScope(
  answer: HttpAnswer,
  said: string,
  { call, secrets }: RefusedCall,
): string | undefined {
  const challenge = answer.header('www-authenticate') ?? ''
  const named = /error="?insufficient_scope\b/.test(challenge)
    ? /\bscope="?([\w.:/ -]+)/.exec(challenge)?.[1]
    : undefined
  const spoken =
    /\b([a-z]+(?:_[a-z]+)+) scope\b/.exec(said)?.[1] ??
    /\bscope[s:]? ["'`]?([a-z]+(?:_[a-z]+)+)/.exec(said)?.[1]
  const table =
    /\binsufficient_scope\b/.test(challenge) || /\bscopes?\b/i.test(said) ? call.scope : null
  const scope = named?.trim() ?? spoken ?? table ?? undefined
  return scope === undefined ? undefined : serverText(scope, secrets)
}

function scopeList(
  header: string | undefined,
  secrets: readonly string[],
): readonly string[] | undefined {
  const scopes = header?.split(/[\s,]+/).filter((scope) => scope !== '')
  return scopes?.map((scope) => serverText(scope, secrets))
}

function fieldErrors(body: unknown, secrets: readonly string[]): FieldError[] {
  const { errors } = record(body)
  if (!Array.isArray(errors)) return []
  return errors.slice(0, 100).map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null)
      return { message: serverText(String(entry), secrets) }
    const { field, code, message } = record(entry)
    const texts = Object.entries({ field, code, message }).filter(
      ([, value]) => typeof value === 'string',
    )
    return Object.fromEntries(
      texts.map(([key, value]) => [
        key,
        serverText(String(value), key === 'message' ? secrets : wireWord(secrets)),
      ]),
    )
  })
}

function listed(errors: readonly FieldError[]): string {
  if (errors.length === 0) return ''
  const texts = errors.map(({ field, code, message }) =>
    [field, message ?? code].filter(Boolean).join(' '),
  )
  return ` (${texts.filter((text) => text !== '').join('; ')})`
}

function adviceFor(
  answer: HttpAnswer,
  code: ApiErrorCode,
  requiredScope: string | undefined,
  { call, retryAfterMs }: RefusedCall,
  prefix: string,
): string | undefined {
  const { status } = answer
  // 303 points at the result of work that is done (RFC 9110 §15.4.4).
  const look = isAmbiguous(status) || status === 303 ? call.advice : undefined
  if (code === 'redirect_refused') {
    const target = tried(() => new URL(answer.header('location') ?? '').origin)
    const what =
      target === undefined || call.anonymous === true
        ? ''
        : ` (this one leads to ${target}): set the final address as ${call.oauth ? 'authUrl' : 'baseUrl'}`
    return `Redirects are not followed${what}${look === undefined ? '' : `. ${look}`}`
  }
  if (call.oauth !== undefined)
    return status === 404 || status === 405 ? 'Check authUrl' : undefined
  if (call.anonymous === true && [401, 403, 404].includes(status)) {
    return 'No token was sent there: the address alone opens the content, for a short time. Ask for a new one'
  }
  if (code === 'unauthorized') return 'The token is missing, expired or revoked'
  if (code === 'insufficient_scope') return `The token lacks the scope ${requiredScope}`
  if (code === 'listing_too_deep')
    return 'Narrow the list with filters such as branch or created_from'
  if (code === 'not_found') {
    const lacking = call.extension ? ', or this server may not offer it' : ''
    const doubled = /\/v\d+$/.test(prefix)
      ? '; baseUrl must end before /v2, which every path brings itself'
      : ''
    return `It does not exist, or your user cannot see it${lacking}${doubled}`
  }
  if (code === 'rate_limited' && retryAfterMs > 0)
    return `The server wants ${Math.ceil(retryAfterMs / 1_000)} s of rest`
  return look
}

/** The error for a request that is not sent, because the server asks for a longer wait than allowed. */
export function gateError(
  { window, waitMs }: ClosedWindow,
  call: EncodedCall,
  maybeSent: boolean,
  attempts: number,
): RateLimitError {
  const { asked, operationId, method, path, organization } = call
  const whose = window === 'user' ? 'your user' : `organization ${organization}`
  const wants = `the server wants ${Math.ceil(waitMs / 1_000)} s of rest`
  return new RateLimitError(
    `${asked} was not sent${maybeSent ? ' again' : ''}: the request limit of ${whose} is used up; ${wants}`,
    {
      operationId,
      method,
      path,
      attempts,
      status: 429,
      retryAfterMs: waitMs,
      scope: window === 'user' ? 'rest_user' : 'rest',
      sent: maybeSent ? 'unknown' : 'no',
    },
  )
}
