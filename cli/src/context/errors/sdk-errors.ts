import type { CiError } from '@buildwire/sdk'
import { isLoopback } from '../../config/server-url.js'
import type { ErrorReport, RunFacts } from '../../io/error-report.js'
import { say } from '../../io/printable.js'
import { wait } from '../../io/time.js'
import { serverOf, storageOrigin } from './address.js'
import { describeApiError, tokenSource } from './api-errors.js'
import { unknownOutcome } from './writes.js'

type ErrorOf<Code extends CiError['code']> = Extract<CiError, { readonly code: Code }>

/** The words for an error of the SDK. */
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

  const base = { code, exitCode, operationId, detail: summary, message: say`${summary}` }
  switch (code) {
    case 'connection':
      return { ...base, ...connectionWords(error, facts) }
    case 'timeout':
      return { ...base, ...timeoutWords(error, facts) }
    case 'invalid_response':
      return { ...base, ...unreadableWords(error, facts) }
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

function connectionWords(error: ErrorOf<'connection'>, facts: RunFacts) {
  const storage = storageOrigin(error)
  const server = storage === null ? serverOf(error.operationId, facts) : null
  const url = storage ?? server?.value ?? null
  const proxy = url === null ? null : facts.proxyOf(url)
  const isUnreached = error.sent === 'no'
  const outcome = unknownOutcome(error, facts)
  const aboutProxy =
    proxy === null
      ? []
      : [say`${proxy} names a proxy for it; hosts in NO_PROXY are reached directly`]
  const canHint = server !== null && proxy === null && isUnreached
  const named = storage === null ? (url ?? 'the server') : `the storage of the artifact, ${storage}`
  return {
    message: say`${isUnreached ? 'cannot reach' : 'lost the connection to'} ${named}`,
    lines: [say`${error.summary}`, ...(outcome?.lines ?? []), ...aboutProxy],
    hint: outcome?.hint ?? (canHint ? serverHint(server.value) : undefined),
  }
}

function timeoutWords(error: ErrorOf<'timeout'>, facts: RunFacts) {
  const { timeoutMs } = error
  const outcome = unknownOutcome(error, facts)
  return {
    message: say`no response within ${timeoutMs < 1000 ? `${timeoutMs} ms` : wait(timeoutMs)}`,
    lines: [say`${error.summary}`, ...(outcome?.lines ?? [])],
    hint: outcome?.hint,
  }
}

function unreadableWords(error: ErrorOf<'invalid_response'>, facts: RunFacts) {
  const { got, status, requestId, operationId } = error
  const server = storageOrigin(error) === null ? serverOf(operationId, facts) : null
  // A page for people comes from another server, or from a login page in front of this one.
  const isPage = got.includes('text/html')
  const outcome = unknownOutcome(error, facts)
  const aboutPage =
    isPage && server !== null
      ? [say`This is not the API; is ${server.value} (${server.source}) its address?`]
      : []
  const request = requestId === undefined ? [] : [say`request ${requestId}`]
  return {
    status,
    requestId,
    lines: [...(outcome?.lines ?? []), ...aboutPage, ...request],
    hint: outcome?.hint ?? (isPage ? ['doctor', '--offline'] : undefined),
  }
}

/**
 * A server on this machine can be started on the requested port; the address of another server may
 * be wrong.
 */
function serverHint(url: string): readonly string[] {
  return isLoopback(url)
    ? ['server', 'start', '--port', new URL(url).port || '80']
    : ['doctor', '--offline']
}
