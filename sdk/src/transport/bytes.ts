import { BodyTooLargeError } from './transport.js'

/** Reads parts whole. Leaving the loop ends their stream, and with it the connection. @throws BodyTooLargeError */
export async function readBytes(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.byteLength
    if (size > maxBytes) throw new BodyTooLargeError(maxBytes)
    parts.push(part)
  }
  return concat(parts)
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
