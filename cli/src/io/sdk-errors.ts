import { type ApiError, type CiError, type FieldError, isCiError } from '@buildwire/sdk'
import { isLoopback } from '../config/loopback.js'
import { type ErrorFacts, type ErrorReport, FROM_STDIN, report } from './error-report.js'
import { describeNotFound } from './not-found.js'
import { wait } from './time.js'

/** Whether an error comes from the SDK, and so has a `code` of its table. */
export function isSdkError(error: unknown): error is CiError {
  return isCiError(error)
}

/** What did not happen, by operation: the headline of a refusal. */
const REFUSED: Readonly<Record<string, string>> = {
  'builds.create': 'the build was not created',
  'builds.cancel': 'the build was not canceled',
  'builds.rebuild': 'the build was not rebuilt',
  'builds.retryFailedJobs': 'the jobs were not retried',
  'tests.changeLabels': 'the labels were not changed',
  'tests.find': 'the test was not looked up',
}

/** Operations that make or start something: when their answer is lost, nobody knows whether it happened. */
const MAKES_BUILD = new Set(['builds.create', 'builds.rebuild', 'builds.retryFailedJobs'])

/** Explains an SDK error in this program's words. */
export function describeSdkError(error: CiError, exitCode: number, facts: ErrorFacts): ErrorReport {
  if ('path' in error) return describeApiError(error, exitCode, facts)
  if ('error' in error) {
    const detail = error.serverMessage ?? null
    return report({
      code: error.error,
      message: detail === null ? `the server answered ${error.error}` : `${error.error}: ${detail}`,
      status: error.status || null,
      detail,
      retryAfterMs: error.retryAfterMs ?? null,
      lines: error.advice === undefined ? [] : [error.advice],
      exitCode,
    })
  }
  const base = { code: error.code, exitCode }
  switch (error.code) {
    case 'connection': {
      const server = serverOf(error, facts)
      const proxy = server === null ? null : facts.proxyOf(server.value)
      return report({
        ...base,
        message: `${error.sent === 'no' ? 'cannot reach' : 'lost the connection to'} ${server?.value ?? 'the server'}`,
        detail: error.message,
        lines: [withoutAdvice(error.message), ...unknownOutcome(error.sent, error.message), ...proxyLine(proxy)],
        hint: server === null || proxy !== null || error.sent !== 'no' ? null : serverHint(server.value),
      })
    }
    case 'timeout':
      return report({
        ...base,
        message: `no answer within ${wait(error.timeoutMs)}`,
        detail: error.message,
        lines: [withoutAdvice(error.message), ...unknownOutcome(error.sent, error.message)],
      })
    case 'invalid_response':
      return report({
        ...base,
        message: withoutAdvice(error.message),
        detail: error.message,
        lines: [
          ...unknownOutcome('unknown', error.message),
          ...(isPage(error.got) ? wrongServer(serverOf(error, facts)) : []),
        ],
        hint: isPage(error.got) ? 'ci doctor --offline' : null,
      })
    default:
      return report({ ...base, message: error.message })
  }
}

/** The SDK's advice names its own methods; ours names commands. */
function withoutAdvice(message: string): string {
  return message.replace(/\. The (?:new )?build may exist: .*$/u, '')
}

/** Whether a body was a page for people: some other server answered, or a login stands before this one. */
function isPage(got: string): boolean {
  return got.includes('text/html')
}

function wrongServer(server: ErrorFacts['baseUrl']): string[] {
  return server === null ? [] : [`This is no API; is ${server.value} (${server.source}) its address?`]
}

/** The server that was asked, by what the SDK says of the request. */
function serverOf(error: CiError, { authUrl, baseUrl }: ErrorFacts): ErrorFacts['baseUrl'] {
  return /^POST \S*\/oauth\//u.test(error.message) ? authUrl : baseUrl
}

function unknownOutcome(sent: string, message: string): string[] {
  const may = /\bPOST \S*\/builds\b|\bPUT \S*\/(?:rebuild|retry_failed_jobs)\b/u.test(message)
  return sent === 'unknown' && may ? ['The build may exist; look before you try again: ci builds list -L 5'] : []
}

/** A server on this machine can be started, on the port that was asked; of another one the address may be wrong. */
function serverHint(url: string): string {
  return isLoopback(url) ? `ci server start --port ${new URL(url).port || '80'}` : 'ci doctor --offline'
}

function proxyLine(proxy: string | null): string[] {
  return proxy === null ? [] : [`${proxy} names a proxy for it; hosts in NO_PROXY are asked directly`]
}

function describeApiError(error: ApiError, exitCode: number, facts: ErrorFacts): ErrorReport {
  const detail = serverMessage(error)
  const asked = `${error.method} ${error.path}`
  const request = error.requestId === undefined ? '' : ` · request ${error.requestId.slice(0, 8)}`
  const fields = {
    code: error.code,
    status: error.status || null,
    operationId: error.operationId,
    requestId: error.requestId ?? null,
    detail,
    requiredScope: error.requiredScope ?? null,
    grantedScopes: error.grantedScopes ?? null,
    retryAfterMs: error.retryAfterMs ?? null,
    exitCode,
  }
  const answered = detail === null ? `${asked}${request}` : `${asked}: ${detail}${request}`
  switch (error.code) {
    case 'unauthorized':
      return report({
        ...fields,
        message: 'the server does not accept your access token',
        lines: [answered, tokenSource(facts.credential)],
        hint: facts.credential === FROM_STDIN ? null : loginHint(facts),
      })
    case 'insufficient_scope': {
      const scope = error.requiredScope ?? 'for this operation'
      const scopes = [
        ...new Set([...(error.grantedScopes ?? []), ...(error.requiredScope ? [error.requiredScope] : [])]),
      ]
      const granted = error.grantedScopes?.join(' ')
      return report({
        ...fields,
        message: `your access token lacks the scope ${scope}`,
        lines: [
          detail === null ? asked : `${asked}: ${detail}`,
          granted === undefined ? request.replace(' · ', '') : `The token has: ${granted || 'no scope'}${request}`,
        ].filter((line) => line !== ''),
        hint: `${loginHint(facts)} --scope ${scopes.join(',')}`,
      })
    }
    case 'forbidden':
      return report({ ...fields, message: 'your user may not do this', lines: [answered] })
    case 'not_found':
      return describeNotFound(error, report({ ...fields, message: '', lines: [answered] }), facts)
    case 'unprocessable':
      return describeRefusal(error, fields, asked + request)
    case 'rate_limited':
      return report({
        ...fields,
        message: `too many requests; wait ${wait(error.retryAfterMs ?? 0)}`,
        lines: [answered],
      })
    case 'bad_request':
    case 'conflict':
      return report({ ...fields, message: refusal(error, detail), lines: [asked + request] })
    case 'listing_too_deep':
      return report({
        ...fields,
        message: 'the list is too deep for the server',
        lines: [answered],
        hint: 'ci builds list --created-to TIME, or narrow by --branch',
      })
    default: {
      const may = MAKES_BUILD.has(error.operationId) && error.status >= 500
      const lost = may ? ['The build may exist; look before you try again: ci builds list -L 5'] : []
      const message =
        error.status >= 500 ? 'the server failed' : 'the server gave an answer that this API does not have'
      return report({ ...fields, message, lines: [answered, ...lost] })
    }
  }
}

function refusal(error: ApiError, detail: string | null): string {
  const what = REFUSED[error.operationId] ?? 'the request was refused'
  return detail === null ? what : `${what}: ${detail}`
}

function describeRefusal(
  error: ApiError,
  fields: Omit<Parameters<typeof report>[0], 'message'>,
  asked: string,
): ErrorReport {
  const errors: readonly FieldError[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  const listed = errors.map(({ field, code, message }) => [field, code ?? message].filter(Boolean).join(': '))
  return report({
    ...fields,
    message: REFUSED[error.operationId] ?? 'the request was refused',
    headline: refusal(error, fields.detail ?? null),
    errors,
    lines: [asked, ...(listed.length > 0 ? [listed.join(' · ')] : [])],
  })
}

/** A login does not help while the variable is set. */
function tokenSource(credential: string | null): string {
  const wins = credential === 'BUILDWIRE_TOKEN' ? ', which wins over a login' : ''
  return `The token came from ${credential ?? 'this run'}${wins}`
}

function loginHint(facts: ErrorFacts): string {
  return facts.contextName === null ? 'ci auth login' : `ci auth login --context ${facts.contextName}`
}

function serverMessage(error: ApiError): string | null {
  const { body } = error
  if (typeof body !== 'object' || body === null || !('message' in body)) return null
  return typeof body.message === 'string' ? body.message : null
}
