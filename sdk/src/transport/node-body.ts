import { pipeline, Readable } from 'node:stream'
import { createGunzip, gunzip } from 'node:zlib'
import { BodyEncodingError, BodyTooLargeError } from './transport.js'

/** How a body must be undone: `gzip` is all that is asked for, and one layer of it. */
export function bodyEncoding(header: string | undefined): 'identity' | 'gzip' {
  const encoding = (header ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip'
  throw new BodyEncodingError(
    `a content-encoding that was not asked for (${encoding.slice(0, 40).replace(/[^\w, -]/g, '?')})`,
  )
}

/**
 * The parts of a body without its encoding. A storage may keep a file as gzip and send it so,
 * whatever was asked for. @throws BodyEncodingError also for a range of a packed body
 */
export function decodedParts(
  parts: AsyncIterable<Uint8Array>,
  header: string | undefined,
  status: number,
): AsyncIterable<Uint8Array> {
  if (bodyEncoding(header) === 'identity') return parts
  if (status === 206) throw new BodyEncodingError('a part of a gzip body, which cannot be unpacked')
  return unpacked(parts)
}

async function* unpacked(parts: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // The loop below gets the errors of the pipeline.
  const plain = pipeline(Readable.from(parts), createGunzip(), () => {})
  try {
    yield* plain
  } catch (error) {
    const isOfGzip = error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
    throw isOfGzip ? new BodyEncodingError('a body that is not valid gzip') : error
  }
}

/**
 * A whole body without its encoding, as a Buffer always; an empty one has none, whatever the answer
 * to a HEAD says.
 */
export async function decoded(
  bytes: Uint8Array,
  encoding: 'identity' | 'gzip',
  maxBytes: number,
): Promise<Buffer> {
  if (encoding === 'identity' || bytes.byteLength === 0)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const most = Math.min(maxBytes, 2 ** 31 - 1)
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: most }, (error, plain) => {
      if (error === null) return resolve(plain)
      const tooLarge = 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      reject(
        tooLarge
          ? new BodyTooLargeError(maxBytes)
          : new BodyEncodingError('a body that is not valid gzip'),
      )
    })
  })
}

/** Bytes as text, without a byte-order mark. */
export function utf8(bytes: Buffer): string {
  const text = bytes.toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
