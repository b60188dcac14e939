import { isBytes, must } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'

const half = 32

/**
 * Turns a DER ECDSA signature over P-256, as key services return it, into the 64 bytes r‖s that a
 * JWT carries (RFC 7518 §3.4).
 *
 * @throws ConfigError `config` when the bytes are not exactly one DER sequence of two positive
 * integers of at most 32 bytes.
 * @example
 * ```ts
 * const signature = (der: Uint8Array) => ecdsaDerToJose(der)
 * ```
 */
export function ecdsaDerToJose(der: Uint8Array): Uint8Array {
  if (!isBytes(der)) throw must('der', 'be the signature as bytes (Uint8Array)')
  if (der[0] !== 0x30 || der[1] !== der.length - 2)
    throw refused('one SEQUENCE that fills the input')
  const joined = new Uint8Array(2 * half)
  let at = 2
  for (const end of [half, 2 * half]) {
    const length = der[at + 1]
    if (der[at] !== 0x02 || length === undefined || length === 0) throw refused('two INTEGERs')
    const integer = der.subarray(at + 2, at + 2 + length)
    if (integer.length !== length) throw refused('two whole INTEGERs')
    const digits = magnitude(integer)
    joined.set(digits, end - digits.length)
    at += 2 + length
  }
  if (at !== der.length) throw refused('exactly two INTEGERs')
  return joined
}

/**
 * The bytes without DER's sign byte; DER allows that byte only where the next one would look
 * negative.
 */
function magnitude(integer: Uint8Array): Uint8Array {
  const [first = 0, second = 0] = integer
  if (first >= 0x80) throw refused('positive INTEGERs')
  if (first !== 0) return checked(integer)
  if (integer.length === 1) throw refused('INTEGERs above zero')
  if (second < 0x80) throw refused('INTEGERs in their shortest form')
  return checked(integer.subarray(1))
}

function checked(digits: Uint8Array): Uint8Array {
  if (digits.length > half) throw refused('INTEGERs of at most 32 bytes (a P-256 key)')
  return digits
}

function refused(expected: string): ConfigError {
  return new ConfigError('der', `The signature is not a DER ECDSA signature: expected ${expected}`)
}

/**
 * Whether the bytes are one whole DER SEQUENCE, which is what a key service returns where a JWT
 * needs r‖s.
 */
export function looksLikeDerSignature(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 8 && bytes[0] === 0x30 && bytes[1] === bytes.length - 2 && bytes[2] === 0x02
  )
}
