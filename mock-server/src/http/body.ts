import { accept, type Decision, refuse } from '../domain/decision.js'
import { decodeUtf8, parseJson } from '../domain/json.js'
import { isPlainObject } from '../fields/field.js'

/** A request whose body is read once, when it is needed. */
export interface RequestBody {
  readonly headers: Headers
  /** The bytes of the body; refused if they exceed the limit or are incomplete. */
  bytes(): Promise<Decision<Uint8Array>>
}

/** Refuses a compressed body. */
export function unencoded(headers: Headers): Decision<null> {
  return /^(?:identity)?$/i.test(headers.get('content-encoding')?.trim() ?? '')
    ? accept(null)
    : refuse('unsupported_media_type', 'Content-Encoding is not supported')
}

/**
 * Reads a body to its end. It is refused once Content-Length or the chunks exceed the limit.
 * `onChunk` is called with each chunk.
 */
export async function readBytes(
  headers: Headers,
  chunks: AsyncIterable<Uint8Array> | null,
  limit: number,
  onChunk: (chunk: Uint8Array) => void = () => undefined,
): Promise<Decision<Uint8Array>> {
  const tooLarge = refuse('payload_too_large', 'Request body is too large', {
    headers: { Connection: 'close' },
  })
  if (Number(headers.get('content-length') ?? 0) > limit) return tooLarge
  if (chunks === null) return accept(new Uint8Array())
  const kept: Uint8Array[] = []
  const reader = chunks[Symbol.asyncIterator]()
  let size = 0
  try {
    for (let chunk = await reader.next(); chunk.done !== true; chunk = await reader.next()) {
      onChunk(chunk.value)
      size += chunk.value.byteLength
      if (size > limit) {
        // Not awaited: a cloned body ends only together with its twin, and the refusal must not
        // wait for that.
        reader.return?.().catch(() => undefined)
        return tooLarge
      }
      kept.push(chunk.value)
    }
  } catch {
    // The client disconnected before the body was complete. It will not read the answer, and
    // nothing has changed yet.
    return refuse('bad_request', 'The request body could not be read', {
      detail: 'body_incomplete',
    })
  }
  return accept(Buffer.concat(kept))
}

/**
 * Reads a JSON object of any media type; an empty body is `{}`. Checks size, encoding and syntax,
 * in this order.
 */
export async function readJson(body: RequestBody): Promise<Decision<Record<string, unknown>>> {
  const read = await body.bytes()
  if (!read.ok) return read
  const encoding = unencoded(body.headers)
  if (!encoding.ok) return encoding
  if (read.value.byteLength === 0) return accept({})
  const parsed = readJsonValue(read.value)
  if (!parsed.ok) return parsed
  return isPlainObject(parsed.value)
    ? accept(parsed.value)
    : refuse('bad_request', 'Body should be a JSON object')
}

/** Reads any JSON value in UTF-8 within the budget. */
export function readJsonValue(bytes: Uint8Array): Decision<unknown> {
  const text = decodeUtf8(bytes)
  const parsed = text === undefined ? undefined : parseJson(text)
  return parsed === undefined
    ? refuse('bad_request', 'Problems parsing JSON')
    : accept(parsed.value)
}
