import { decodeProtectedHeader, decodeJwt as payloadOf } from 'jose'

/** Reads a signed JWT without checking its signature, which `masked` leaves out; null for text that is none. */
export function decodeJwt(text: string) {
  const [head, body, signature] = text.split('.')
  if (!signature) return null
  try {
    return { header: decodeProtectedHeader(text), claims: payloadOf(text), masked: `${head}.${body}.[redacted]` }
  } catch {
    return null
  }
}
