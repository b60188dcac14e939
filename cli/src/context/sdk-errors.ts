import type { ApiError, CiError, FieldError } from '@buildwire/sdk'
import { isLoopback } from '../config/server-url.js'
import type { Hint } from '../io/command-error.js'
import { type ErrorReport, FROM_STDIN, type RunFacts } from '../io/error-report.js'
import { describeNotFound, serverOf } from '../io/not-found.js'
import { blank, joined, type Printable, reference, say } from '../io/printable.js'
import { wait } from '../io/time.js'

/**
 * What did not happen, by operation: the headline of a refusal. Behind it what the operation makes
 * or starts: when its answer is lost, nobody knows whether it happened.
 */
const WRITES: Readonly<Record<string, readonly [refused: string, made?: string]>> = {
  'builds.create': ['the build was not created', 'The build'],
  'builds.cancel': ['the build was not canceled'],
  'builds.rebuild': ['the build was not rebuilt', 'The build'],
  'builds.retryFailedJobs': ['the jobs were not retried', 'The build'],
  'jobs.retry': ['the job was not retried', 'The new job'],
  'jobs.unblock': ['the job was not unblocked'],
  'annotations.create': ['the annotation was not created', 'The annotation'],
  'tests.changeLabels': ['the labels were not changed'],
  'tests.find': ['the test was not looked up'],
}

export function describeSdkError(error: CiError, exitCode: number, facts: RunFacts): ErrorReport {
  if ('path' in error) return describeApiError(error, exitCode, facts)
  const { code, operationId, summary, advice, serverMessage: detail } = error
  if ('error' in error) {
    const { error: word, status, retryAfterMs } = error
    const message =
      detail === undefined ? say`the server answered ${word}` : say`${word}: ${detail}`
    const lines = advice === undefined ? [] : [say`${advice}`]
    return { code: word, message, status, detail, retryAfterMs, lines, exitCode }
  }
  const server = serverOf(operationId, facts)
  const base = { code, exitCode, operationId, detail: summary, message: say`${summary}` }
  switch (code) {
    case 'connection': {
      const proxy = server === null ? null : facts.proxyOf(server.value)
      const route =
        proxy === null
          ? []
          : [say`${proxy} names a proxy for it; hosts in NO_PROXY are asked directly`]
      const hint =
        server === null || proxy !== null || error.sent !== 'no'
          ? undefined
          : serverHint(server.value)
      const outcome = unknownOutcome(error, facts, hint)
      const message = say`${error.sent === 'no' ? 'cannot reach' : 'lost the connection to'} ${server?.value ?? 'the server'}`
      return { ...base, ...outcome, message, lines: [base.message, ...outcome.lines, ...route] }
    }
    case 'timeout': {
      const outcome = unknownOutcome(error, facts)
      const { timeoutMs: ms } = error
      const message = say`no answer within ${ms < 1000 ? `${ms} ms` : wait(ms)}`
      return { ...base, ...outcome, message, lines: [base.message, ...outcome.lines] }
    }
    case 'invalid_response': {
      // A page for people: some other server answered, or a login stands before this one.
      const isPage = error.got.includes('text/html')
      const { status, requestId } = error
      const outcome = unknownOutcome(error, facts, isPage ? ['doctor', '--offline'] : undefined)
      const lines = [
        ...outcome.lines,
        ...(isPage && server
          ? [say`This is no API; is ${server.value} (${server.source}) its address?`]
          : []),
        ...(requestId === undefined ? [] : [say`request ${requestId}`]),
      ]
      return { ...base, ...outcome, status, requestId, lines }
    }
    case 'unsafe_link': {
      const cure = say`If that is the same service, set the base URL to ${error.origin ?? ''}`
      return { ...base, lines: advice === undefined ? [] : [cure] }
    }
    default: {
      const isToken = code === 'config' && error.option === 'auth'
      return {
        code,
        exitCode,
        message: say`${error.message}`,
        lines: isToken ? [tokenSource(facts.credential)] : [],
      }
    }
  }
}

/** What to say and try when a build may have been made; `hint` is what else would help. */
function unknownOutcome(
  error: Pick<CiError, 'sent' | 'operationId'>,
  { pipeline }: RunFacts,
  hint?: Hint,
): { lines: Printable[]; hint?: Hint | undefined } {
  const [, made] = WRITES[error.operationId ?? ''] ?? []
  if (error.sent !== 'unknown' || made === undefined) return { lines: [], hint }
  const where = pipeline === null ? [] : ['-p', reference(pipeline)]
  return {
    lines: [say`${made} may exist; look before you try again`],
    hint: [
      'builds',
      'list',
      ...where,
      ...(pipeline?.branch === undefined ? [] : ['-b', pipeline.branch]),
      '-L',
      5,
    ],
  }
}

/**
 * A server on this machine can be started, on the port that was asked; of another one the address
 * may be wrong.
 */
function serverHint(url: string): string[] {
  return isLoopback(url)
    ? ['server', 'start', '--port', new URL(url).port || '80']
    : ['doctor', '--offline']
}

/** The path of an error from the address that the service named: the address itself is a key. */
const ELSEWHERE = '/…'

function describeApiError(error: ApiError, exitCode: number, facts: RunFacts): ErrorReport {
  const {
    code,
    status,
    operationId,
    requestId,
    requiredScope,
    grantedScopes,
    retryAfterMs,
    serverMessage: detail,
  } = error
  const asked = say`${error.method} ${error.path}`
  const request = requestId === undefined ? blank : say` · request ${requestId}`
  const fields = {
    code,
    status,
    operationId,
    requestId,
    detail,
    requiredScope,
    grantedScopes,
    retryAfterMs,
    exitCode,
  }
  const answered =
    detail === undefined ? say`${asked}${request}` : say`${asked}: ${detail}${request}`
  const told = (
    message: Printable,
    lines: readonly Printable[] = [answered],
    hint?: Hint,
  ): ErrorReport => {
    return { ...fields, message, lines, hint }
  }
  if (
    operationId === 'artifacts.download' &&
    error.path === ELSEWHERE &&
    [401, 403, 404].includes(status)
  ) {
    return told(say`the storage refused the signed address of the artifact`, [
      say`It holds for a short time, and no token is sent there; the same command asks for a new one`,
    ])
  }
  switch (code) {
    case 'unauthorized': {
      const hint = facts.credential === FROM_STDIN ? undefined : login(facts)
      return told(
        say`the server does not accept your access token`,
        [answered, tokenSource(facts.credential)],
        hint,
      )
    }
    case 'insufficient_scope': {
      const scopes = new Set([...(grantedScopes ?? []), ...(requiredScope ? [requiredScope] : [])])
      const has = grantedScopes && [
        say`The token has: ${grantedScopes.join(' ') || 'no scope'}${request}`,
      ]
      const line =
        has === undefined ? answered : detail === undefined ? asked : say`${asked}: ${detail}`
      const message = say`your access token lacks the scope ${requiredScope ?? 'for this operation'}`
      return told(message, [line, ...(has ?? [])], login(facts, ['--scope', [...scopes].join(',')]))
    }
    case 'forbidden':
      return told(say`your user may not do this`)
    case 'not_found':
      return describeNotFound(error, told(blank), facts)
    case 'unprocessable': {
      const errors: readonly FieldError[] =
        'errors' in error && Array.isArray(error.errors) ? error.errors : []
      const listed = errors.map(({ field, code, message }) =>
        [field, code ?? message].filter(Boolean).join(': '),
      )
      const lines = [
        say`${asked}${request}`,
        ...(listed.length > 0 ? [joined(listed, say` · `)] : []),
      ]
      return { ...told(refusal(error), lines), headline: refusal(error, detail), errors }
    }
    case 'rate_limited':
      return told(say`too many requests; wait ${wait(retryAfterMs ?? 0)}`)
    case 'bad_request':
    case 'conflict':
    case 'http_error':
      return told(refusal(error, detail), [say`${asked}${request}`])
    case 'listing_too_deep': {
      const hint = say`ci builds list --created-to TIME, or narrow by --branch`
      return told(say`the list is too deep for the server`, [answered], hint)
    }
    default: {
      const what = status >= 500 ? 'failed' : 'gave an answer that this API does not have'
      const { lines, hint } = unknownOutcome(error, facts)
      return told(say`the server ${what}`, [answered, ...lines], hint)
    }
  }
}

function refusal({ operationId }: ApiError, detail?: string): Printable {
  const [what] = WRITES[operationId] ?? ['the request was refused']
  return detail === undefined ? say`${what}` : say`${what}: ${detail}`
}

/** A login does not help while the variable is set. */
function tokenSource(credential: string | null): Printable {
  const wins = credential === 'BUILDWIRE_TOKEN' ? ', which wins over a login' : ''
  return say`The token came from ${credential ?? 'this run'}${wins}`
}

function login(
  { contextName, credential, command }: RunFacts,
  options: readonly string[] = [],
): Hint {
  const words = [
    'auth',
    'login',
    ...(contextName === null ? [] : ['--context', contextName]),
    ...options,
  ]
  return credential === 'BUILDWIRE_TOKEN' ? say`unset BUILDWIRE_TOKEN && ${command(words)}` : words
}
