import { isTameJson } from './budget.js'

/** The value of a JSON text; undefined when it is none, or is more than the budget has room for. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (!isTameJson(text)) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/**
 * The text of UTF-8 bytes; undefined when they are none. A byte order mark goes unless it is kept.
 */
export function decodeUtf8(bytes: Uint8Array, keepBom = false): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepBom }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A percent-encoded text, decoded; undefined when its escapes are bad, or no UTF-8. */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The same for a name or value of a form, in which a plus is a blank. */
export function formDecode(text: string): string | undefined {
  return percentDecode(text.replaceAll('+', ' '))
}
