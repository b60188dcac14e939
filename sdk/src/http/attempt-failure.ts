import { socketFacts } from '#sockets'
import {
  ConfigError,
  ConnectionError,
  type Sent,
  TimeoutError,
  type TimeoutKind,
} from '../errors/errors.js'
import { codeOf, isError, safeCause } from '../errors/redact.js'
import { isTransportError } from '../transport/transport.js'
import type { RefusedCall } from './call.js'

/** One attempt that got no whole answer; callers see the error that `toError` makes of it. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure'
  readonly sent: Sent
  /** The cause is a mistake in code, not the network. */
  readonly fault: boolean
  /** False where another attempt cannot help: a certificate, a fault, the end of the call's time. */
  readonly retryable: boolean
  readonly timeout: TimeoutKind | undefined
  readonly foreign: unknown
  readonly hint: string | undefined

  constructor(foreign: unknown, timeout?: TimeoutKind) {
    super('the attempt failed')
    const ourKind =
      timeout ?? (isTransportError(foreign, 'TransportTimeout') ? foreign.kind : undefined)
    const facts = ourKind === undefined ? socketFacts(foreign) : {}
    const { unsent, untrusted, hint } = facts
    const kind = ourKind ?? facts.timeout
    const isUnsent = kind === undefined ? untrusted || unsent : kind === 'connect'
    this.foreign = foreign
    this.timeout = kind
    this.hint = hint
    this.sent = isUnsent ? 'no' : 'unknown'
    this.fault = kind === undefined && isFault(foreign)
    this.retryable = !untrusted && !this.fault && kind !== 'total'
  }

  /** The word that events carry. */
  get code(): 'timeout' | 'connection' {
    return this.timeout === undefined ? 'connection' : 'timeout'
  }
}

/**
 * Turns a failed attempt into the error a caller gets; `sent` is of the whole call, since an
 * earlier attempt may have arrived.
 */
export function toError(
  failure: AttemptFailure,
  { call, attempts, sent, secrets }: Omit<RefusedCall, 'retryAfterMs'>,
  limits: Readonly<Record<TimeoutKind, number>>,
): ConnectionError | TimeoutError | ConfigError {
  const { asked, operationId } = call
  const tail = attempts > 1 ? ` (${attempts} attempts)` : ''
  const look = sent === 'unknown' ? call.advice : undefined
  const { timeout: kind, foreign, fault } = failure
  if (kind !== undefined) {
    const timeoutMs = limits[kind]
    const summary = `${asked} ${timeoutTexts[kind]} within ${timeoutMs} ms${tail}`
    return new TimeoutError(summary, { operationId, kind, timeoutMs, sent, attempts, advice: look })
  }
  const cause = safeCause(foreign, secrets, fault)
  if (fault) {
    const what = `transport threw ${cause.name}: ${cause.message}; that is a fault in its code, not in the network`
    return new ConfigError('transport', what, { sent, operationId, cause })
  }
  const code = codeOf(foreign)
  const reason =
    code === undefined || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`
  const what = failure.sent === 'no' ? 'no answer' : 'no whole answer'
  const advice = [look, failure.hint].filter((text) => text !== undefined).join('. ') || undefined
  return new ConnectionError(`${asked} got ${what}: ${reason}${tail}`, {
    operationId,
    sent,
    attempts,
    advice,
    cause,
  })
}

const timeoutTexts: Readonly<Record<TimeoutKind, string>> = {
  connect: 'could not connect',
  headers: 'got no answer',
  body: 'got the beginning of an answer and then nothing more',
  attempt: 'got no complete answer',
  total: 'did not end',
}

/** For a lost network, too, fetch throws a TypeError; its message depends on the platform. */
const network =
  /^(fetch failed|failed to fetch|load failed|network ?error|network connection lost|terminated|error (sending|reading) )/i

function isFault(error: unknown): boolean {
  if (!isError(error) || !/^(Type|Reference|Range|Syntax)Error$/.test(error.name)) return false
  const code = codeOf(error)
  return code === undefined
    ? error.cause === undefined && !network.test(error.message)
    : /^ERR_INVALID_/.test(code)
}
