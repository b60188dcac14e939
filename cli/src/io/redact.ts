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
