import { budget } from './budget.js'
import { accept, type Decision, refuse } from './decision.js'
import { decodeUtf8, parseJson } from './json.js'
import { type AssertionAlgorithm, decodeBase64url } from './keys.js'

export type Claims = Readonly<Record<string, unknown>>

/** A JWT with valid form and header. Its signature is not verified yet. */
export interface ClientAssertion {
  readonly text: string
  readonly alg: AssertionAlgorithm
  readonly kid: string | undefined
  readonly claims: Claims
}

/** The same message for every failure of application, key and signature, so that none leaks. */
export function badSignature(detail: string) {
  return refuse('invalid_client', 'Invalid client assertion signature', { detail })
}

function readObject(segment: string): Claims | undefined {
  const bytes = decodeBase64url(segment)
  // A byte order mark is not allowed in JSON (RFC 8259 §8.1).
  const text = bytes && decodeUtf8(bytes, true)
  const value = text === undefined ? undefined : parseJson(text)?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Claims)
    : undefined
}

/**
 * Reads a JWT in compact form (RFC 7515 §3.1). `crit` and `b64` are refused; keys in the header are
 * ignored.
 */
export function readAssertion(text: string): Decision<ClientAssertion> {
  if (Buffer.byteLength(text) > budget.assertionBytes) return badSignature('assertion_malformed')
  const segments = text.split('.')
  const [headerSegment = '', claimsSegment = '', signature = ''] = segments
  if (segments.length !== 3 || decodeBase64url(signature) === undefined)
    return badSignature('assertion_malformed')
  const header = readObject(headerSegment)
  const claims = readObject(claimsSegment)
  if (header === undefined || claims === undefined) return badSignature('assertion_malformed')
  const { alg, kid, typ } = header
  if (alg !== 'RS256' && alg !== 'ES256') return badSignature('alg_not_accepted')
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64'))
    return badSignature('extension_not_known')
  if (typ !== undefined && !(typeof typ === 'string' && /^(application\/)?jwt$/i.test(typ))) {
    return badSignature('typ_not_accepted')
  }
  if (kid !== undefined && (typeof kid !== 'string' || kid === ''))
    return badSignature('kid_not_accepted')
  return accept({ text, alg, kid, claims })
}

export interface ExpectedClaims {
  readonly client_id: string
  readonly tokenUrls: readonly string[]
  readonly expLeewaySeconds: number
  readonly nbfLeewaySeconds: number
}

export interface CheckedClaims {
  readonly exp: number
  readonly jti: string | undefined
}

/** The maximum of `expLeewaySeconds` and `nbfLeewaySeconds`. */
export const longestLeewaySeconds = 300
const mostAheadSeconds = 60
const longestLifeSeconds = 300

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isAud(aud: unknown, urls: readonly string[]): boolean {
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return named.every((item) => typeof item === 'string') && urls.some((url) => named.includes(url))
}

function isJti(jti: unknown): jti is string {
  return typeof jti === 'string' && jti !== '' && new TextEncoder().encode(jti).byteLength <= 255
}

/**
 * Checks the claims of a verified assertion at `now` (ms). The order decides which message a client
 * gets. Fractions of seconds count.
 */
export function checkClaims(
  claims: Claims,
  expected: ExpectedClaims,
  now: number,
): Decision<CheckedClaims> {
  const seconds = now / 1000
  const { iss, sub, aud, iat, exp, nbf, jti } = claims
  const refused = (message: string) => refuse('invalid_client', message, { detail: message })
  if (!(iss === expected.client_id && sub === iss)) return refused('JWT iss claim must match sub')
  if (!isAud(aud, expected.tokenUrls)) return refused('JWT aud claim is invalid')
  if (!(isFiniteNumber(iat) && iat <= seconds + mostAheadSeconds))
    return refused('JWT iat claim is invalid')
  if (!(isFiniteNumber(exp) && seconds - expected.expLeewaySeconds < exp)) {
    return refused('JWT exp claim must be in the future')
  }
  if (!(iat <= exp && exp <= iat + longestLifeSeconds))
    return refused('JWT exp claim must be within 5 minutes of iat')
  if (!(nbf === undefined || (isFiniteNumber(nbf) && nbf <= seconds + expected.nbfLeewaySeconds))) {
    return refused('JWT nbf claim must not be in the future')
  }
  if (!(jti === undefined || isJti(jti)))
    return refused('JWT jti claim must be a non-empty string of at most 255 bytes')
  return accept({ exp, jti })
}
