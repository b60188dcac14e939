import { decodeUtf8, parseJson } from '../../domain/json.js'
import type { Pairs } from '../../rules/match.js'
import type { Redactor } from './redact.js'

export interface ReadBody {
  readonly text: string | null
  readonly json?: unknown
  readonly form?: Pairs
}

export const parseForm = (text: string): Pairs => [...new URLSearchParams(text)]

/** What is kept of a body that nobody can take apart: its length and an HMAC. */
const opaque = (bytes: Uint8Array, redactor: Redactor): ReadBody => ({
  text: `[${bytes.byteLength} bytes ${redactor.standIn(Buffer.from(bytes).toString('latin1'))}]`,
})

const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded/i.test(type)

/** A body that may carry credentials, as those of OAuth endpoints and pages do: they are added to `found`. */
export const readSecret = (bytes: Uint8Array, type: string, redactor: Redactor, found: Set<string>): ReadBody => {
  if (bytes.byteLength === 0) return { text: null }
  const text = decodeUtf8(bytes)
  if (text === undefined || /^text\/html/i.test(type)) return opaque(bytes, redactor)
  if (isForm(type)) {
    const form = redactor.pairs(parseForm(text), found)
    return { text: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString(), form }
  }
  const parsed = parseJson(text)
  if (!parsed) return opaque(bytes, redactor)
  const json = redactor.json(parsed.value, found)
  return { text: JSON.stringify(json), json }
}

/** Any other body. */
export const readOpen = (bytes: Uint8Array, type: string, redactor: Redactor): ReadBody => {
  if (bytes.byteLength === 0) return { text: null }
  const text = decodeUtf8(bytes)
  if (text === undefined) return opaque(bytes, redactor)
  return { text, ...(isForm(type) && { form: parseForm(text) }) }
}
