import { accept, type Decision, refuse } from '../domain/decision.js'
import { decodeUtf8, parseJson } from '../domain/json.js'
import { isPlainObject } from '../fields/field.js'
import { type RequestBody, unencoded } from './bytes.js'

/** Reads a JSON object, whatever the media type says; an empty body is `{}`. Order: size, encoding, syntax. */
export async function readJson(body: RequestBody): Promise<Decision<Record<string, unknown>>> {
  const read = await body.bytes()
  if (!read.ok) return read
  const encoding = unencoded(body.headers)
  if (!encoding.ok) return encoding
  if (read.value.byteLength === 0) return accept({})
  const parsed = readJsonValue(read.value)
  if (!parsed.ok) return parsed
  return isPlainObject(parsed.value) ? accept(parsed.value) : refuse('bad_request', 'Body should be a JSON object')
}

/** Any JSON value, in UTF-8 and within the budget. */
export function readJsonValue(bytes: Uint8Array): Decision<unknown> {
  const text = decodeUtf8(bytes)
  const parsed = text === undefined ? undefined : parseJson(text)
  return parsed === undefined ? refuse('bad_request', 'Problems parsing JSON') : accept(parsed.value)
}
