import { accept, type Decision, refuse } from '../domain/decision.js'
import type { RequestBody } from './bytes.js'

/** Caps on what a JSON document may hold, whatever its size. */
const deepest = 64
const mostValues = 100_000

const notJson = refuse('bad_request', 'Problems parsing JSON')

/** Reads a JSON object, whatever the media type says; an empty body is `{}`. Order: size, encoding, syntax. */
export async function readJson(body: RequestBody): Promise<Decision<Record<string, unknown>>> {
  const read = await body.bytes()
  if (!read.ok) return read
  const encoding = body.request.headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') {
    return refuse('unsupported_media_type', 'Content-Encoding is not supported')
  }
  return parseJsonObject(read.value)
}

function parseJsonObject(bytes: Uint8Array): Decision<Record<string, unknown>> {
  if (bytes.byteLength === 0) return accept({})
  const parsed = parseJson(bytes)
  if (!parsed.ok) return parsed
  const { value } = parsed
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? accept(value as Record<string, unknown>)
    : refuse('bad_request', 'Body should be a JSON object')
}

/** Any JSON value, in UTF-8, within the caps on depth and number of values, and well-formed throughout. */
export function parseJson(bytes: Uint8Array): Decision<unknown> {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (depthOf(text) > deepest) return notJson
    value = JSON.parse(text)
  } catch {
    return notJson
  }
  return isSound(value) ? accept(value) : notJson
}

/** Nesting of a JSON text, by its brackets outside strings: known before a parser has to follow it. */
function depthOf(text: string): number {
  let depth = 0
  let most = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (inString) {
      if (sign === '\\') at++
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') most = Math.max(most, ++depth)
    else if (sign === '}' || sign === ']') depth--
  }
  return most
}

const loneSurrogate = /\p{Surrogate}/u

/** Few enough values, and no lone surrogate in any name or value. */
function isSound(root: unknown): boolean {
  const open: unknown[] = [root]
  let count = 0
  while (open.length > 0) {
    const value = open.pop()
    if (++count > mostValues) return false
    if (typeof value === 'string' && loneSurrogate.test(value)) return false
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value) && Object.keys(value).some((key) => loneSurrogate.test(key))) return false
    for (const inner of Object.values(value)) open.push(inner)
  }
  return true
}
