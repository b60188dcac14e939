import type { TimeoutKind } from '../errors/errors.js'
import { codeOf, isAggregate, isError } from '../errors/redact.js'
import type { SocketFacts } from './no-sockets.js'

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

/**
 * Nothing is sent before the handshake is over; of OpenSSL's codes only these surely belong to it.
 */
const certificate =
  /^(CERT_|ERR_TLS_|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|TLSV1_ALERT_PROTOCOL_VERSION|TLSV1_UNRECOGNIZED_NAME)$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA$|INVALID_PURPOSE$)/

export function socketFacts(error: unknown): SocketFacts {
  const tls = tlsCode(error)
  return {
    timeout: undiciTimeouts[codeOf(error) ?? ''],
    untrusted: certificate.test(tls),
    unsent: isUnsent(error),
    hint: hints.find(([pattern]) => pattern.test(tls))?.[1],
  }
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/^ERR_SSL_WRONG_VERSION_NUMBER$/, 'Perhaps the address is http://, not https://'],
  [
    /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    'For a certificate authority of your own set NODE_EXTRA_CA_CERTS, or give a dispatcher that trusts it',
  ],
]

/**
 * The error's code. node:https calls every failed handshake EPROTO; what undici's code says then
 * stands in the message.
 */
function tlsCode(error: unknown): string {
  const code = codeOf(error) ?? ''
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(
    code === 'EPROTO' && isError(error) ? error.message : '',
  )
  return reason?.[1] === undefined
    ? code
    : `ERR_SSL_${reason[1].toUpperCase().replaceAll(' ', '_')}`
}

function isUnsent(error: unknown): boolean {
  for (
    let seen = 0, current = error;
    seen < 5 && typeof current === 'object' && current !== null;
    seen++
  ) {
    if (isAggregate(current)) return current.errors.length > 0 && current.errors.every(isUnsent)
    const { code, syscall, cause } = current as {
      code?: unknown
      syscall?: unknown
      cause?: unknown
    }
    if (typeof code === 'string') {
      // The same code can come from a connection that was open: then bytes may have left.
      if (syscall === 'read' || syscall === 'write') return false
      return syscall === 'connect' || unsentCodes.has(code)
    }
    current = cause
  }
  return false
}
