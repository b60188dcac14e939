import { type ApiError, type CiError, type FieldError, isCiError } from '@buildwire/sdk'
import { isLoopback } from '../config/loopback.js'
import type { Hint } from '../io/command-error.js'
import { type ErrorFacts, type ErrorReport, FROM_STDIN, report } from '../io/error-report.js'
import { describeNotFound } from '../io/not-found.js'
import { blank, joined, type Printable, reference, say } from '../io/printable.js'
import { wait } from '../io/time.js'

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
  'jobs.retry': 'the job was not retried',
  'jobs.unblock': 'the job was not unblocked',
  'annotations.create': 'the annotation was not created',
  'tests.changeLabels': 'the labels were not changed',
  'tests.find': 'the test was not looked up',
}

/** Operations that make or start something: when their answer is lost, nobody knows whether it happened. */
const MAKES: Readonly<Record<string, string>> = {
  'builds.create': 'The build',
  'builds.rebuild': 'The build',
  'builds.retryFailedJobs': 'The build',
  'jobs.retry': 'The new job',
  'annotations.create': 'The annotation',
}

/** Explains an SDK error in this program's words. */
export function describeSdkError(error: CiError, exitCode: number, facts: ErrorFacts): ErrorReport {
  if ('path' in error) return describeApiError(error, exitCode, facts)
  const detail = error.serverMessage ?? null
  if ('error' in error) {
    return report({
      code: error.error,
      message: detail === null ? say`the server answered ${error.error}` : say`${error.error}: ${detail}`,
      status: error.status || null,
      detail,
      retryAfterMs: error.retryAfterMs ?? null,
      lines: error.advice === undefined ? [] : [say`${error.advice}`],
      exitCode,
    })
  }
  const { code, operationId = null, summary } = error
  const server = serverOf(operationId, facts)
  const base = { code, exitCode, operationId, detail: summary, message: say`${summary}` }
  switch (code) {
    case 'connection': {
      const proxy = server === null ? null : facts.proxyOf(server.value)
      const route = proxy === null ? [] : [say`${proxy} names a proxy for it; hosts in NO_PROXY are asked directly`]
      const hint = server === null || proxy !== null || error.sent !== 'no' ? null : serverHint(server.value)
      const outcome = unknownOutcome(error, facts, hint)
      const what = error.sent === 'no' ? 'cannot reach' : 'lost the connection to'
      const message = say`${what} ${server?.value ?? 'the server'}`
      return report({ ...base, ...outcome, message, lines: [base.message, ...outcome.lines, ...route] })
    }
    case 'timeout': {
      const outcome = unknownOutcome(error, facts)
      const message = say`no answer within ${wait(error.timeoutMs)}`
      return report({ ...base, ...outcome, message, lines: [base.message, ...outcome.lines] })
    }
    case 'invalid_response': {
      // A page for people: some other server answered, or a login stands before this one.
      const isPage = error.got.includes('text/html')
      const { status = null, requestId = null } = error
      const outcome = unknownOutcome(error, facts, isPage ? ['doctor', '--offline'] : null)
      const wrong = isPage && server !== null
      const lines = [
        ...outcome.lines,
        ...(wrong ? [say`This is no API; is ${server.value} (${server.source}) its address?`] : []),
        ...(requestId === null ? [] : [say`request ${requestId}`]),
      ]
      return report({ ...base, ...outcome, status, requestId, lines })
    }
    case 'unsafe_link': {
      const cure = say`If that is the same service, set the base URL to ${error.origin ?? ''}`
      return report({ ...base, lines: error.advice === undefined ? [] : [cure] })
    }
    default:
      return report({ code, exitCode, message: say`${error.message}` })
  }
}

function serverOf(operationId: string | null, { authUrl, baseUrl }: ErrorFacts): ErrorFacts['baseUrl'] {
  return operationId?.startsWith('oauth.') ? authUrl : baseUrl
}

/** What to say and try when a build may have been made; `hint` is what else would help. */
function unknownOutcome(
  error: Pick<CiError, 'sent' | 'operationId'>,
  { pipeline }: ErrorFacts,
  hint: Hint | null = null,
): { lines: Printable[]; hint: Hint | null } {
  const made = MAKES[error.operationId ?? '']
  if (error.sent !== 'unknown' || made === undefined) return { lines: [], hint }
  const where = pipeline === null ? [] : ['-p', reference(pipeline)]
  return {
    lines: [say`${made} may exist; look before you try again`],
    hint: ['builds', 'list', ...where, ...(pipeline?.branch === undefined ? [] : ['-b', pipeline.branch]), '-L', 5],
  }
}

/** A server on this machine can be started, on the port that was asked; of another one the address may be wrong. */
function serverHint(url: string): string[] {
  return isLoopback(url) ? ['server', 'start', '--port', new URL(url).port || '80'] : ['doctor', '--offline']
}

/** The path of an error from the address that the service named: the address itself is a key. */
const ELSEWHERE = '/…'

function describeApiError(error: ApiError, exitCode: number, facts: ErrorFacts): ErrorReport {
  const detail = error.serverMessage ?? null
  const asked = say`${error.method} ${error.path}`
  const request = error.requestId === undefined ? say`` : say` · request ${error.requestId}`
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
  const answered = detail === null ? say`${asked}${request}` : say`${asked}: ${detail}${request}`
  const isStorage = error.operationId === 'artifacts.download' && error.path === ELSEWHERE
  if (isStorage && [401, 403, 404].includes(error.status)) {
    return report({
      ...fields,
      message: say`the storage refused the signed address of the artifact`,
      lines: [say`It holds for a short time, and no token is sent there; the same command asks for a new one`],
    })
  }
  const told = (message: Printable, lines: readonly Printable[] = [answered], hint: Hint | null = null) =>
    report({ ...fields, message, lines, hint })
  switch (error.code) {
    case 'unauthorized': {
      const hint = facts.credential === FROM_STDIN ? null : login(facts)
      return told(say`the server does not accept your access token`, [answered, tokenSource(facts.credential)], hint)
    }
    case 'insufficient_scope': {
      const { grantedScopes: granted, requiredScope: required } = error
      const scopes = new Set([...(granted ?? []), ...(required ? [required] : [])])
      const has = granted === undefined ? [] : [say`The token has: ${granted.join(' ') || 'no scope'}${request}`]
      const line = granted === undefined ? answered : detail === null ? asked : say`${asked}: ${detail}`
      const message = say`your access token lacks the scope ${required ?? 'for this operation'}`
      return told(message, [line, ...has], login(facts, ['--scope', [...scopes].join(',')]))
    }
    case 'forbidden':
      return told(say`your user may not do this`)
    case 'not_found':
      return describeNotFound(error, told(blank), facts)
    case 'unprocessable':
      return describeRefusal(error, fields, say`${asked}${request}`)
    case 'rate_limited':
      return told(say`too many requests; wait ${wait(error.retryAfterMs ?? 0)}`)
    case 'bad_request':
    case 'conflict':
      return told(refusal(error, detail), [say`${asked}${request}`])
    case 'listing_too_deep': {
      const hint = say`ci builds list --created-to TIME, or narrow by --branch`
      return told(say`the list is too deep for the server`, [answered], hint)
    }
    default: {
      const message =
        error.status >= 500 ? say`the server failed` : say`the server gave an answer that this API does not have`
      const { lines, hint } = unknownOutcome(error, facts)
      return told(message, [answered, ...lines], hint)
    }
  }
}

function refusal(error: ApiError, detail: string | null): Printable {
  const what = REFUSED[error.operationId] ?? 'the request was refused'
  return detail === null ? say`${what}` : say`${what}: ${detail}`
}

function describeRefusal(
  error: ApiError,
  fields: Omit<Parameters<typeof report>[0], 'message'>,
  asked: Printable,
): ErrorReport {
  const errors: readonly FieldError[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  const listed = errors.map(({ field, code, message }) => [field, code ?? message].filter(Boolean).join(': '))
  return report({
    ...fields,
    message: refusal(error, null),
    headline: refusal(error, fields.detail ?? null),
    errors,
    lines: listed.length > 0 ? [asked, joined(listed, say` · `)] : [asked],
  })
}

/** A login does not help while the variable is set. */
function tokenSource(credential: string | null): Printable {
  const wins = credential === 'BUILDWIRE_TOKEN' ? ', which wins over a login' : ''
  return say`The token came from ${credential ?? 'this run'}${wins}`
}

function login({ contextName, credential, command }: ErrorFacts, options: readonly string[] = []): Hint {
  const words = ['auth', 'login', ...(contextName === null ? [] : ['--context', contextName]), ...options]
  return credential === 'BUILDWIRE_TOKEN' ? say`unset BUILDWIRE_TOKEN && ${command(words)}` : words
}
