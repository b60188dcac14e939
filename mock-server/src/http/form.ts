import { operations } from '@buildwire/sdk/contract'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { decodeUtf8, formDecode } from '../domain/json.js'
import { type TokenParameter, unoffered } from '../domain/token-exchange.js'
import { type RequestBody, unencoded } from './body.js'

/** The parameters of all grants. Other parameters are ignored. */
const parameters = [
  ...(operations['oauth.token'].body?.properties ?? []),
  ...unoffered,
] as readonly TokenParameter[]

/** Known parameters with a value; empty ones count as omitted (RFC 6749 §3.2). */
export type Form = ReadonlyMap<TokenParameter, string>

const parameterOf: ReadonlyMap<string, TokenParameter> = new Map(
  parameters.map((name) => [name, name]),
)

function isForm(contentType: string | null): boolean {
  // A comma means two Content-Type headers, which a form POST must not have.
  if (contentType === null || contentType.includes(',')) return false
  const [type = '', ...options] = contentType.split(';').map((part) => part.trim())
  const charsets = options.flatMap(
    (option) => /^charset\s*=(.*)$/is.exec(option)?.[1]?.trim() ?? [],
  )
  return (
    /^application\/x-www-form-urlencoded$/i.test(type) &&
    charsets.every((charset) => /^("?)utf-8\1$/i.test(charset))
  )
}

/**
 * Decodes `application/x-www-form-urlencoded` strictly: the body is refused for invalid UTF-8, an
 * invalid escape or NUL.
 */
function decodePairs(
  bytes: Uint8Array,
): Decision<readonly (readonly [name: string, value: string])[]> {
  const pieces = decodeUtf8(bytes, true)?.split('&')
  const pairs = pieces?.flatMap((piece) => {
    if (piece === '') return []
    const at = piece.indexOf('=')
    const name = formDecode(at < 0 ? piece : piece.slice(0, at))
    const value = formDecode(at < 0 ? '' : piece.slice(at + 1))
    return [[name, value] as const]
  })
  const isReadable = pairs?.every((pair): pair is readonly [string, string] =>
    pair.every((text) => text?.includes('\0') === false),
  )
  if (isReadable) return accept(pairs as readonly (readonly [string, string])[])
  return refuse('invalid_request', 'The request body could not be read')
}

/** Parses a form body. A known parameter may occur only once, even if it is empty. */
function parseForm(bytes: Uint8Array): Decision<Form> {
  const pairs = decodePairs(bytes)
  if (!pairs.ok) return pairs
  const form = new Map<TokenParameter, string>()
  for (const [text, value] of pairs.value) {
    const name = parameterOf.get(text)
    if (name === undefined) continue
    if (form.has(name)) return refuse('invalid_request', `Repeated parameter: ${name}`)
    form.set(name, value)
  }
  for (const [name, value] of form) if (value === '') form.delete(name)
  return accept(form)
}

/** Reads an OAuth form. Checks media type, encoding, size and syntax, in this order. */
export async function readForm(body: RequestBody): Promise<Decision<Form>> {
  if (!isForm(body.headers.get('content-type'))) {
    return refuse('invalid_request', 'The request must be a form POST')
  }
  const encoding = unencoded(body.headers)
  // The body is not read, so the connection is closed.
  if (!encoding.ok)
    return refuse('unsupported_media_type', encoding.failure.message, {
      headers: { Connection: 'close' },
    })
  const read = await body.bytes()
  return read.ok ? parseForm(read.value) : read
}
