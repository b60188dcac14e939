import { isBytes } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'
import { looksLikeDerSignature } from './ecdsa-der.js'
import type { AssertionSigner } from './signing-keys.js'

// The past half absorbs a slow server clock, the whole stays far below the five minutes that a
// service allows.
const backdatedSeconds = 30
const livesSeconds = 120
const longestJtiBytes = 255

/**
 * Signs one client assertion (RFC 7523 §3), a new one for every HTTP attempt; `nowMs` is epoch.
 * @throws ConfigError `config`
 */
export async function signAssertion(
  signer: AssertionSigner,
  { client_id, aud, nowMs, jti }: { client_id: string; aud: string; nowMs: number; jti: string },
): Promise<string> {
  checkSigner(signer)
  if (
    typeof jti !== 'string' ||
    jti === '' ||
    new TextEncoder().encode(jti).length > longestJtiBytes
  ) {
    throw new ConfigError(
      'jti',
      `The jti factory must return a non-empty string of at most ${longestJtiBytes} bytes`,
    )
  }
  const now = Math.floor(nowMs / 1000)
  const { alg, kid } = signer
  const header = { alg, typ: 'JWT', kid }
  const payload = {
    iss: client_id,
    sub: client_id,
    aud,
    iat: now - backdatedSeconds,
    exp: now + livesSeconds,
    jti,
  }
  // Loaded here: it needs a TextEncoder at once, which a test page without signing may lack.
  const { encode } = await import('jose/base64url')
  const input = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(payload))}`
  const signature = await signer.sign(new TextEncoder().encode(input))
  checkSignature(alg, signature)
  return `${input}.${encode(signature)}`
}

function checkSigner(signer: AssertionSigner): void {
  if (typeof signer?.sign !== 'function') {
    throw new ConfigError(
      'signer',
      'The signer must be { alg, kid?, sign(input) }; createSigner makes one from a key',
    )
  }
  if (signer.alg !== 'RS256' && signer.alg !== 'ES256') {
    throw new ConfigError('signer', 'The signer must have the alg RS256 or ES256')
  }
  if (signer.kid !== undefined && (typeof signer.kid !== 'string' || signer.kid === '')) {
    throw new ConfigError('signer', 'The kid of the signer must be a non-empty string, or absent')
  }
}

function checkSignature(alg: AssertionSigner['alg'], signature: Uint8Array): void {
  if (!isBytes(signature) || signature.length === 0) {
    throw new ConfigError('signer', 'The signer must return the signature as bytes (Uint8Array)')
  }
  const { length } = signature
  if (alg === 'ES256' && length !== 64) {
    const advice = looksLikeDerSignature(signature)
      ? 'it returned a DER sequence: pass it through ecdsaDerToJose'
      : `it returned ${length} bytes`
    throw new ConfigError('signer', `An ES256 signer must return the 64 bytes r‖s; ${advice}`)
  }
  if (alg === 'RS256' && length < 256) {
    throw new ConfigError(
      'signer',
      `An RS256 signer must return at least 256 bytes; it returned ${length}`,
    )
  }
}
