import type { ApiError, FieldError } from '@buildwire/sdk'
import type { Hint } from '../../io/command-error.js'
import { type ErrorReport, FROM_STDIN, type RunFacts } from '../../io/error-report.js'
import { ExitCode } from '../../io/exit-codes.js'
import { blank, joined, type Printable, say } from '../../io/printable.js'
import { wait } from '../../io/time.js'
import { describeNotFound } from './not-found.js'
import { refusalText, unknownOutcome } from './writes.js'

/** The path in an error of the storage: its real address is signed and works as a key. */
const SIGNED_ADDRESS = '/…'

/** The words for a response whose status is not a success. */
export function describeApiError(error: ApiError, exitCode: number, facts: RunFacts): ErrorReport {
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
  const requestLine = say`${error.method} ${error.path}`
  const idText = requestId === undefined ? blank : say` · request ${requestId}`
  const lineWithId = say`${requestLine}${idText}`
  const line = detail === undefined ? lineWithId : say`${requestLine}: ${detail}${idText}`

  function report(
    message: Printable,
    lines: readonly Printable[] = [line],
    hint?: Hint,
  ): ErrorReport {
    return {
      code,
      status,
      operationId,
      requestId,
      detail,
      requiredScope,
      grantedScopes,
      retryAfterMs,
      exitCode,
      message,
      lines,
      hint,
    }
  }

  if (isOfStorage(error)) {
    const isMissing = status === 404 || status === 410
    const isRefused = status === 401 || status === 403
    if (isMissing)
      return report(say`the storage does not have the content of the artifact`, [requestLine])
    if (!isRefused) return report(say`the storage of the artifact failed`, [requestLine])
    const refused = report(say`the storage refused the signed address of the artifact`, [
      say`The address expires after a short time; run the same command again to get a new one`,
    ])
    return { ...refused, exitCode: ExitCode.forbidden }
  }

  switch (code) {
    case 'unauthorized': {
      const hint = facts.credential === FROM_STDIN ? undefined : loginHint(facts)
      const source = tokenSource(facts.credential)
      return report(say`the server does not accept your access token`, [line, source], hint)
    }
    case 'insufficient_scope': {
      const scopes = new Set(grantedScopes)
      if (requiredScope) scopes.add(requiredScope)
      const message = say`your access token lacks the scope ${requiredScope ?? 'for this operation'}`
      const hint = loginHint(facts, ['--scope', [...scopes].join(',')])
      if (grantedScopes === undefined) return report(message, [line], hint)

      const lineWithoutId = detail === undefined ? requestLine : say`${requestLine}: ${detail}`
      const granted = say`The token has: ${grantedScopes.join(' ') || 'no scope'}${idText}`
      return report(message, [lineWithoutId, granted], hint)
    }
    case 'forbidden':
      return report(say`your user may not do this`)
    case 'not_found':
      return describeNotFound(error, report(blank), facts)
    case 'unprocessable': {
      const errors = fieldErrors(error)
      const listed = errors.map(({ field, code, message }) =>
        [field, message ?? code].filter(Boolean).join(': '),
      )
      const fieldLine = listed.length > 0 ? [joined(listed, say` · `)] : []
      return {
        ...report(refusalText(operationId), [lineWithId, ...fieldLine]),
        headline: refusalText(operationId, detail),
        errors,
      }
    }
    case 'rate_limited':
      return report(say`too many requests; wait ${wait(retryAfterMs ?? 0)}`)
    case 'bad_request':
    case 'conflict':
    case 'http_error':
      return report(refusalText(operationId, detail), [lineWithId])
    case 'listing_too_deep': {
      const hint = say`ci builds list --created-to TIME, or narrow by --branch`
      return report(say`the list is too deep for the server`, [line], hint)
    }
    default: {
      const what = status >= 500 ? 'failed' : 'sent a response that this API does not have'
      const outcome = unknownOutcome(error, facts)
      return report(say`the server ${what}`, [line, ...(outcome?.lines ?? [])], outcome?.hint)
    }
  }
}

/** Whether the storage of artifacts answered, not the API. */
function isOfStorage({ operationId, path }: ApiError): boolean {
  return operationId === 'artifacts.download' && path === SIGNED_ADDRESS
}

function fieldErrors(error: ApiError): readonly FieldError[] {
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : []
}

/** Says where the token came from: while the variable is set, a login changes nothing. */
export function tokenSource(credential: string | null): Printable {
  const wins = credential === 'BUILDWIRE_TOKEN' ? ', which is used instead of a login' : ''
  return say`The token came from ${credential ?? 'this run'}${wins}`
}

function loginHint(
  { contextName, credential, command }: RunFacts,
  options: readonly string[] = [],
): Hint {
  const context = contextName === null ? [] : ['--context', contextName]
  const words = ['auth', 'login', ...context, ...options]
  return credential === 'BUILDWIRE_TOKEN' ? say`unset BUILDWIRE_TOKEN && ${command(words)}` : words
}
