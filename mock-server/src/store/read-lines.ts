import { createReadStream } from 'node:fs'

const newline = 0x0a

/**
 * Lines of a file that end in a newline, as bytes; what follows the last newline is left out. Not readline: that also
 * splits at U+2028, which JSON text may hold.
 */
export async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const end = chunk.subarray(from, at)
      yield rest.length === 0 ? end : Buffer.concat([...rest, end])
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
}
