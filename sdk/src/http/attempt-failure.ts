import { ConfigError, ConnectionError, type Sent, TimeoutError, type TimeoutKind } from '../errors/errors.js'
import { codeOf, safeCause } from '../errors/redact.js'
import { TransportTimeout } from '../transport/transport.js'
import type { Refused } from './call.js'

/** Failures of name resolution and connecting: the request cannot have left. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const undiciTimeouts: Readonly<Record<string, TimeoutKind>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'headers',
  UND_ERR_BODY_TIMEOUT: 'body',
}

/** Nothing is sent before the handshake is over; of OpenSSL's codes only these surely belong to it. */
const certificate =
  /^(CERT_|ERR_TLS_|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|TLSV1_ALERT_PROTOCOL_VERSION|TLSV1_UNRECOGNIZED_NAME)$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA$|INVALID_PURPOSE$)/

/**
 * One attempt that got no whole answer. Stays inside the package: callers see the ConnectionError or TimeoutError that
 * `toError` makes of it.
 */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure'
  readonly sent: Sent
  /** Somebody's code is wrong, not the network. */
  readonly fault: boolean
  /** False for what another attempt cannot change: a certificate, a fault, the end of the whole call. */
  readonly retryable: boolean
  readonly timeout: TimeoutKind | undefined
  readonly foreign: unknown

  constructor(foreign: unknown, timeout?: TimeoutKind) {
    super('the attempt failed')
    const kind = timeout ?? timeoutKind(foreign)
    const untrusted = kind === undefined && isCertificateError(foreign)
    this.foreign = foreign
    this.timeout = kind
    this.sent = kind === 'connect' || untrusted || (kind === undefined && isUnsent(foreign)) ? 'no' : 'unknown'
    this.fault = kind === undefined && isFault(foreign)
    this.retryable = !untrusted && !this.fault && kind !== 'total'
  }

  /** The word that events carry. */
  get code(): 'timeout' | 'connection' {
    return this.timeout === undefined ? 'connection' : 'timeout'
  }
}

/** Turns a failed attempt into the error a caller gets; `sent` is of the whole call, since an earlier attempt may have arrived. */
export function toError(
  failure: AttemptFailure,
  { call, attempts, sent, secrets }: Omit<Refused, 'retryAfterMs'>,
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
  const reason = code === undefined || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`
  const what = failure.sent === 'no' ? 'no answer' : 'no whole answer'
  const advice = [look, hintFor(foreign)].filter((text) => text !== undefined).join('. ') || undefined
  return new ConnectionError(`${asked} got ${what}: ${reason}${tail}`, { operationId, sent, attempts, advice, cause })
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'Perhaps the address is http://, not https://'],
  [
    /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    'For a certificate authority of your own set NODE_EXTRA_CA_CERTS, or give a dispatcher that trusts it',
  ],
]

function hintFor(error: unknown): string | undefined {
  const code = tlsCode(error)
  return hints.find(([pattern]) => pattern.test(code))?.[1]
}

const timeoutTexts: Readonly<Record<TimeoutKind, string>> = {
  connect: 'could not connect',
  headers: 'got no answer',
  body: 'got the beginning of an answer and then nothing more',
  attempt: 'got no complete answer',
  total: 'did not end',
}

function timeoutKind(error: unknown): TimeoutKind | undefined {
  if (error instanceof TransportTimeout) return error.kind
  return undiciTimeouts[codeOf(error) ?? '']
}

function isCertificateError(error: unknown): boolean {
  return certificate.test(tlsCode(error))
}

/** The error's code. node:https calls every failed handshake EPROTO; what undici's code says then stands in the message. */
function tlsCode(error: unknown): string {
  const code = codeOf(error) ?? ''
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(code === 'EPROTO' && error instanceof Error ? error.message : '')
  return reason?.[1] === undefined ? code : `ERR_SSL_${reason[1].toUpperCase().replaceAll(' ', '_')}`
}

/** fetch tells a lost network by a TypeError, too, each platform in its own words. */
const network =
  /^(fetch failed|failed to fetch|load failed|network ?error|network connection lost|terminated|error (sending|reading) )/i

function isFault(error: unknown): boolean {
  if (!(error instanceof Error) || !/^(Type|Reference|Range|Syntax)Error$/.test(error.name)) return false
  const code = codeOf(error)
  return code === undefined ? error.cause === undefined && !network.test(error.message) : /^ERR_INVALID_/.test(code)
}

function isUnsent(error: unknown): boolean {
  for (let seen = 0, current = error; seen < 5 && typeof current === 'object' && current !== null; seen++) {
    if (current instanceof AggregateError) return current.errors.length > 0 && current.errors.every(isUnsent)
    const { code, syscall, cause } = current as { code?: unknown; syscall?: unknown; cause?: unknown }
    if (typeof code === 'string') {
      // The same code can come from a connection that was open: then bytes may have left.
      if (syscall === 'read' || syscall === 'write') return false
      return syscall === 'connect' || unsentCodes.has(code)
    }
    current = cause
  }
  return false
}
