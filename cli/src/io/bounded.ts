import { usageError } from './command-error.js'
import { say } from './printable.js'

const MAX_MEBIBYTES = 64

/**
 * Reads to the end what may have none, such as `/dev/zero` or the output of `yes`.
 *
 * @throws CommandError `usage` beyond 64 MiB: more than any request takes.
 */
export async function readBounded(chunks: AsyncIterable<Uint8Array | string>, name: string): Promise<Buffer> {
  const read: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_MEBIBYTES * 2 ** 20) throw usageError(say`${name} holds more than ${MAX_MEBIBYTES} MiB`)
    read.push(bytes)
  }
  return Buffer.concat(read)
}

/** The bytes of a file that a person named; rejects with the system's error. */
export async function readNamedFile(path: string): Promise<Buffer> {
  // Late: as a module it makes all of Node's file streams, and help waits for that too.
  const { createReadStream } = await import('node:fs')
  return readBounded(createReadStream(path), path)
}
