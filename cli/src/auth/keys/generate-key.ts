import { lstat, rm, writeFile } from 'node:fs/promises'
import { generateSigningKey, publicJwks } from '@buildwire/sdk'
import { isJsonObject, parsedJson, unwritable, writeJsonFile } from '../../config/json-file.js'
import { CommandError, errorCode, usageError } from '../../io/command-error.js'
import { readNamedFile } from '../../io/input.js'
import { say } from '../../io/printable.js'

export interface KeyRequest {
  readonly type: 'ec' | 'rsa'
  readonly bits: number | undefined
  readonly kid: string | undefined
  readonly format: 'pem' | 'jwk'
  readonly out: string | undefined
  /** The file of the set to which the new public key is added; it is made if it does not exist. */
  readonly jwks: string | undefined
  readonly force: boolean
}

/**
 * Makes a key pair. The private key is written to a new file that only its owner can read, and the
 * public key is added to a set.
 */
export async function generateKey({ type, bits, kid, format, out, jwks, force }: KeyRequest) {
  const key = await generateSigningKey({
    alg: type === 'rsa' ? 'RS256' : 'ES256',
    modulusLength: bits,
    kid,
  })
  const published = jwks === undefined ? [] : await readJwks(jwks)
  if (published.some((other) => other.kid === key.kid)) {
    throw usageError(
      say`${jwks ?? ''} has a key with the kid ${JSON.stringify(key.kid)} already; name another with --kid`,
    )
  }
  const path = out ?? `./${fileName(key.kid)}.${format === 'pem' ? 'pem' : 'jwk.json'}`
  const text = format === 'pem' ? key.revealPem() : `${JSON.stringify(key.revealJwk(), null, 2)}\n`
  await writePrivate(path, text, force)
  const set = { keys: [...published, ...publicJwks([key]).keys] }
  try {
    if (jwks !== undefined) await writeJsonFile(jwks, set, { mode: 0o644 })
  } catch (error) {
    // A private key is useless if its public key is not published.
    await rm(path, { force: true })
    throw error
  }
  return { jwks: set, kid: key.kid, path }
}

/** A kid as the name of a file, without characters that could lead to another folder. */
function fileName(kid: string): string {
  return kid.replace(/^\.+|[^A-Za-z0-9._-]/gu, '_').slice(0, 100) || 'key'
}

async function readJwks(path: string): Promise<readonly { readonly [name: string]: unknown }[]> {
  let text: string
  try {
    text = (await readNamedFile(path)).toString('utf8')
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    if (errorCode(cause) === 'ENOENT') return []
    throw usageError(say`cannot read ${path} (${errorCode(cause)})`, { cause })
  }
  const { keys } = parsedJson(path, text, 'usage')
  if (!Array.isArray(keys) || !keys.every(isJsonObject))
    throw usageError(say`${path} is not a JWKS: it has no list of keys`)
  const secret = keys.find((key) => ['d', 'p', 'q', 'k'].some((part) => key[part] !== undefined))
  if (secret !== undefined)
    throw usageError(say`${path} holds a private key; a published set holds public keys only`)
  return keys
}

async function writePrivate(path: string, text: string, force: boolean): Promise<void> {
  const existing = await lstat(path).catch(() => null)
  if (existing !== null && !force)
    throw usageError(say`${path} exists already; --force replaces it`)
  if (existing !== null && !existing.isFile()) {
    throw usageError(say`${path} is not a regular file, so the key was not written to it`)
  }
  try {
    if (existing !== null) await rm(path)
    // Fails if another process made a file or a link here meanwhile.
    await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch (cause) {
    throw unwritable(path, cause)
  }
}
