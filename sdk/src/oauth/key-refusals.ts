import { ConfigError } from '../errors/errors.js'

/** What fits, said once: every refusal of a key ends with it. */
const fits = 'give an RSA private key of at least 2048 bits (RS256) or a P-256 private key (ES256)'

/** The refusal of a key: what was given, then what fits. Nothing of the key itself is in it. */
export function keyRefused(what: string, advice = fits): ConfigError {
  return new ConfigError('key', `${what}; ${advice}`)
}

const armoured: readonly (readonly [RegExp, string, string?])[] = [
  [
    /^OPENSSH PRIVATE KEY$/,
    'The key is an OpenSSH file',
    'convert with ssh-keygen -p -m PKCS8 -f <file>, or give PEM (PKCS#8, PKCS#1 or SEC1)',
  ],
  [/CERTIFICATE/, 'The key is a certificate, which holds a public key only'],
  [/PUBLIC KEY/, 'The key is a public key'],
  [/^PGP /, 'The key is an OpenPGP key'],
]

/**
 * The one private-key block of a PEM text; `null` when the text holds no PEM at all.
 * Environment variables often carry line breaks as the two characters `\n`, so these are read as breaks.
 */
export function privateKeyBlock(text: string): { pem: string; encrypted: boolean } | null {
  const lines = text.replaceAll('\\r', '').replaceAll('\\n', '\n').trim()
  const blocks = [...lines.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)]
  const key = blocks.find(([, label = '']) => /PRIVATE KEY$/.test(label) && label !== 'OPENSSH PRIVATE KEY')
  if (key !== undefined) {
    const [pem, label = ''] = key
    return { pem: `${pem}\n`, encrypted: label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: *4,ENCRYPTED/m.test(pem) }
  }
  const label = blocks[0]?.[1]
  if (label === undefined) {
    if (/^(ssh-|ecdsa-sha2-)/.test(lines)) throw keyRefused('The key is a public key in OpenSSH form')
    return null
  }
  for (const [pattern, what, advice] of armoured) if (pattern.test(label)) throw keyRefused(what, advice)
  throw keyRefused(`The PEM text holds no private key but ${label}`)
}

/** The refusal of a text that holds no key: variables often hold one in base64, or where it is. */
export function noKey(text: string): ConfigError {
  const word = text.trim()
  // So begin "-----BEGIN", the sequences of DER and a JWK.
  if (/^(LS0tLS1CRUdJTi|MI[GIH]|MHcC|eyJ)/.test(word))
    return keyRefused('The key is in base64', 'give what it decodes to')
  if (word.length < 300 && /^([~./\\]|[A-Za-z]:)|\.(pem|key|jwk|json)$/.test(word)) {
    return keyRefused('The key looks like the path of a file', 'give what the file holds')
  }
  return keyRefused('The key is a text that is neither PEM nor a JWK')
}

const signatureAlgorithms = new Set(['RS256', 'ES256'])

/** Refuses a JWK whose own members say that it cannot sign here (RFC 7517 §4). */
export function refuseUnfitJwk(jwk: Record<string, unknown>): void {
  const { kty, alg, use, key_ops } = jwk
  if (Array.isArray(jwk['keys'])) throw keyRefused('The key is a JWK set', 'give one private key of it')
  if (typeof kty !== 'string') throw keyRefused('The key is an object without `kty`, so it is no JWK')
  if (kty === 'oct') throw keyRefused('The key is a symmetric key')
  if (kty !== 'RSA' && kty !== 'EC') throw keyRefused(`The key is a JWK of type ${shown(kty)}`)
  if (jwk['d'] === undefined) throw keyRefused('The key is a public JWK (it has no `d`)')
  if (use !== undefined && use !== 'sig') throw keyRefused('The JWK is not for signatures (`use` is not "sig")')
  if (key_ops !== undefined && !(Array.isArray(key_ops) && key_ops.includes('sign'))) {
    throw keyRefused('The JWK is not for signing (`key_ops` lacks "sign")')
  }
  if (alg !== undefined && !signatureAlgorithms.has(String(alg))) {
    throw keyRefused(`The JWK is for ${shown(alg)}`)
  }
}

/** A short word from the caller's own key, safe to print: algorithm and type names, nothing longer. */
export function shown(word: unknown): string {
  return typeof word === 'string' && /^[\w.+-]{1,20}$/.test(word) ? word : 'an unknown kind'
}
