import { accept, type Decision, refuse } from '../domain/decision.js'
import { decodeUtf8, parseJson } from '../domain/json.js'
import { isPlainObject } from '../fields/field.js'

/** A request whose body is read when its check comes, and once only. */
export interface RequestBody {
  readonly headers: Headers
  /** The body's bytes; refused when they are more than the cap or not complete. */
  bytes(): Promise<Decision<Uint8Array>>
}

/** Refuses a body that is compressed. */
export function unencoded(headers: Headers): Decision<null> {
  return /^(?:identity)?$/i.test(headers.get('content-encoding')?.trim() ?? '')
    ? accept(null)
    : refuse('unsupported_media_type', 'Content-Encoding is not supported')
}

/**
 * A body to its end, or refused once its chunks pass the limit, whatever Content-Length says;
 * `onChunk` sees each.
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
        // Not awaited: half of a body that was cloned only ends with its twin, and the refusal must
        // not wait for it.
        reader.return?.().catch(() => undefined)
        return tooLarge
      }
      kept.push(chunk.value)
    }
  } catch {
    // The caller left before the body was complete: nobody reads the answer, and nothing has
    // happened yet.
    return refuse('bad_request', 'The request body could not be read', {
      detail: 'body_incomplete',
    })
  }
  return accept(Buffer.concat(kept))
}

/**
 * Reads a JSON object, whatever the media type says; an empty body is `{}`. Order: size, encoding,
 * syntax.
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

/** Any JSON value, in UTF-8 and within the budget. */
export function readJsonValue(bytes: Uint8Array): Decision<unknown> {
  const text = decodeUtf8(bytes)
  const parsed = text === undefined ? undefined : parseJson(text)
  return parsed === undefined
    ? refuse('bad_request', 'Problems parsing JSON')
    : accept(parsed.value)
}
