import { accept, type Decision, refuse } from './decision.js'

export type AssertionAlgorithm = 'RS256' | 'ES256'

/** A public key of a key set (RFC 7517) that `acceptKey` has accepted. */
export type PublicJwk = Readonly<Record<string, unknown>> & {
  readonly kty: string
  readonly kid: string
}

const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

function refused(reason: string) {
  return refuse('unprocessable', reason)
}

/** Decodes base64url without padding; undefined unless the text is in canonical form. */
export function decodeBase64url(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function bitLength(value: bigint): number {
  return value.toString(2).length
}

function checkRsa(n: unknown, e: unknown): string | undefined {
  const modulus = decodeBase64url(n)
  const exponent = decodeBase64url(e)
  if (modulus === undefined || exponent === undefined)
    return 'n and e must be base64url without padding'
  if (modulus.length > 1024 || bitLength(toInteger(modulus)) < 2048)
    return 'the modulus must have 2048 to 8192 bits'
  if (((modulus.at(-1) ?? 0) & 1) === 0) return 'the modulus must be odd'
  const value = exponent.length > 8 ? 0n : toInteger(exponent)
  return value >= 3n && (value & 1n) === 1n
    ? undefined
    : 'the public exponent must be odd, at least 3 and below 2^64'
}

// P-256 (FIPS 186-5): y² = x³ - 3x + b over the field of p elements.
const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

function checkEc(crv: unknown, x: unknown, y: unknown): string | undefined {
  if (crv !== 'P-256') return 'the curve must be P-256'
  const xBytes = decodeBase64url(x)
  const yBytes = decodeBase64url(y)
  if (xBytes?.length !== 32 || yBytes?.length !== 32)
    return 'x and y must be 32 bytes in base64url without padding'
  const px = toInteger(xBytes)
  const py = toInteger(yBytes)
  const isInField = px < p && py < p
  const isOnCurve = isInField && (py * py - (px * px * px - 3n * px + b)) % p === 0n
  return isOnCurve ? undefined : 'the point is not on the curve'
}

/** Checks a public key. Keys of unknown types are accepted, but never used. */
export function acceptKey(jwk: unknown): Decision<PublicJwk> {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk))
    return refused('a key must be an object')
  const key = jwk as Readonly<Record<string, unknown>>
  if (typeof key['kid'] !== 'string' || key['kid'] === '')
    return refused('kid must be a non-empty string')
  if (typeof key['kty'] !== 'string') return refused('kty must be a string')
  if (key['kty'] === 'oct') return refused('symmetric keys are not accepted')
  const secret = secretMembers.find((member) => Object.hasOwn(key, member))
  if (secret !== undefined) return refused(`a public key has no member ${secret}`)
  const problem = findKeyProblem(key)
  return problem === undefined ? accept(key as PublicJwk) : refused(problem)
}

function findKeyProblem(key: Readonly<Record<string, unknown>>): string | undefined {
  if (key['kty'] === 'RSA') return checkRsa(key['n'], key['e'])
  return key['kty'] === 'EC' ? checkEc(key['crv'], key['x'], key['y']) : undefined
}

function isFor(key: PublicJwk, algorithm: AssertionAlgorithm): boolean {
  const { kty, crv, alg, use, key_ops } = key
  const hasType = algorithm === 'RS256' ? kty === 'RSA' : kty === 'EC' && crv === 'P-256'
  const hasAlgorithm = alg === undefined || alg === algorithm
  const isForSignatures = use === undefined || use === 'sig'
  const mayVerify = key_ops === undefined || (Array.isArray(key_ops) && key_ops.includes('verify'))
  return hasType && hasAlgorithm && isForSignatures && mayVerify
}

/** The keys for an assertion: those with its `kid`, or all keys if it has no `kid`. */
export function chooseKeys(
  keys: readonly PublicJwk[],
  alg: AssertionAlgorithm,
  kid: string | undefined,
): readonly PublicJwk[] {
  return keys.filter((key) => (kid === undefined || key.kid === kid) && isFor(key, alg))
}
