import { isTameJson } from './budget.js'

/** The value of a JSON text; undefined if it is invalid or exceeds the budget. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  if (!isTameJson(text)) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Decodes UTF-8; undefined if it is invalid. A byte order mark is removed unless `keepBom`. */
export function decodeUtf8(bytes: Uint8Array, keepBom = false): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepBom }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Decodes a percent-encoded text; undefined if an escape is invalid or not UTF-8. */
export function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Decodes a name or a value of a form, in which a plus is a space. */
export function formDecode(text: string): string | undefined {
  return percentDecode(text.replaceAll('+', ' '))
}
