import { isJsonObject } from '../../config/json-file.js'

/** What a signed JWT says, without the means to use it. */
export interface DecodedJwt {
  readonly header: object
  readonly claims: object
  /** The token with its signature masked. */
  readonly masked: string
}

/** Reads a JWT without checking its signature; null for text that is none. */
export function decodeJwt(text: string): DecodedJwt | null {
  const parts = text.split('.')
  const [head = '', body = '', signature = ''] = parts
  if (parts.length !== 3 || signature === '') return null
  const header = part(head)
  const claims = part(body)
  return header === null || claims === null ? null : { header, claims, masked: `${head}.${body}.[redacted]` }
}

function part(text: string): object | null {
  if (!/^[A-Za-z0-9_-]+$/u.test(text)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
