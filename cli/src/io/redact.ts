import type { Printable } from './printable.js'
import { made } from './printable-maker.js'

const MASK = '[redacted]'
/** Shorter texts are not replaced: they occur by chance in other text. */
const MIN_LENGTH = 6

/** Replaces every secret of this run, also its percent- and base64-encoded forms. */
export type Redactor = ReturnType<typeof createRedactor>

export function createRedactor() {
  /** The longest first, because a form may contain another. */
  let forms: readonly string[] = []
  const redact = (text: string) => {
    let safe = text
    for (const form of forms) safe = safe.replaceAll(form, MASK)
    return safe
  }
  return {
    redact,
    /**
     * Masks secrets in a stream with as many asterisks as they have bytes, so that what is behind
     * them keeps its place.
     */
    maskStream: (parts: AsyncIterable<Uint8Array>) => masked(parts, forms),
    redacted: (text: Printable) => made(redact(String(text))),
    add(...secrets: readonly (string | undefined)[]): void {
      for (const secret of secrets) {
        if (secret === undefined || secret.length < MIN_LENGTH) continue
        const bytes = Buffer.from(secret, 'utf8')
        const base64 = bytes.toString('base64')
        const url = bytes.toString('base64url')
        const all = [
          ...forms,
          secret,
          encodeURIComponent(secret),
          base64,
          base64.replace(/(?<!=)=+$/u, ''),
          url,
        ]
        forms = [...new Set(all)].sort((a, b) => b.length - a.length)
      }
    },
  }
}

async function* masked(
  parts: AsyncIterable<Uint8Array>,
  forms: readonly string[],
): AsyncGenerator<Uint8Array, void> {
  if (forms.length === 0) return yield* parts
  const secrets = forms.map((form) => Buffer.from(form, 'utf8'))
  let rest = Buffer.alloc(0)
  for await (const part of parts) {
    const bytes = Buffer.concat([rest, part])
    const end = bytes.length - beginningAtEnd(bytes, secrets)
    mask(bytes, secrets, end)
    if (end > 0) yield bytes.subarray(0, end)
    rest = bytes.subarray(end)
  }
  mask(rest, secrets, rest.length)
  if (rest.length > 0) yield rest
}

/** Overwrites the secrets that begin before `end`. */
function mask(bytes: Buffer, secrets: readonly Buffer[], end: number): void {
  for (const secret of secrets) {
    for (let at = bytes.indexOf(secret); at !== -1 && at < end; at = bytes.indexOf(secret, at)) {
      bytes.fill('*', at, at + secret.length)
    }
  }
}

/** How many bytes at the end may be the beginning of a secret. */
function beginningAtEnd(bytes: Buffer, secrets: readonly Buffer[]): number {
  const longest = Math.max(...secrets.map(({ length }) => length)) - 1
  for (let at = Math.max(0, bytes.length - longest); at < bytes.length; at++) {
    const end = bytes.subarray(at)
    if (secrets.some((secret) => secret.subarray(0, end.length).equals(end))) return end.length
  }
  return 0
}

/** Header names and body keys whose values are always masked. */
export const SECRET_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'access_token',
  'refresh_token',
  'code',
  'client_secret',
  'client_assertion',
  'device_code',
  'user_code',
  'subject_token',
  'verification_uri_complete',
])

/** Masks the values of secret names in a JSON or form body. */
export function maskBody(body: string): string {
  const json = body.replace(
    /"([A-Za-z_-]+)"(\s*:\s*)"(?:[^"\\]|\\.)*"/gu,
    (whole, name: string, colon: string) =>
      SECRET_NAMES.has(name.toLowerCase()) ? `"${name}"${colon}"${MASK}"` : whole,
  )
  return json.replace(/(^|[&?])([A-Za-z_-]+)=([^&\s]*)/gu, (whole, before: string, name: string) =>
    SECRET_NAMES.has(name.toLowerCase()) ? `${before}${name}=${MASK}` : whole,
  )
}
