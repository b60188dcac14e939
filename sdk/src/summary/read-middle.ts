import { startTimer } from '../base/clock.js'
import type { CiClient } from '../client/client.js'
import type { JobPath } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import type { CallOptions } from '../http/client-options.js'
import { isSilent, LogReader, type ReadLog } from './read-log.js'

const MOST_BYTES = 64 * 1024 * 1024
const MOST_MS = 5_000
/** A line without an end is read in pieces of this many characters. */
const LONGEST_PIECE = 1024 * 1024

/**
 * Streams a log whose end is silent, the last 64 MiB of it for 5 s at most, in memory that does
 * not grow with it.
 *
 * @returns Null if nothing telling was found in what could be read.
 */
export async function readMiddle(
  ci: CiClient,
  path: JobPath,
  end: ReadLog,
  { signal, ...call }: CallOptions & { bytes?: number },
): Promise<ReadLog | null> {
  const late = new AbortController()
  const stop = startTimer(MOST_MS, () => late.abort())
  const reader = new LogReader()
  const from = Math.max(0, end.bytes - MOST_BYTES)
  const { bytes: _, ...options } = call
  const signals = signal === undefined ? [late.signal] : [signal, late.signal]
  let isWhole = false
  try {
    const stream = await ci.jobs.logStream(path, {
      ...options,
      from,
      signal: AbortSignal.any(signals),
    })
    await addLines(reader, stream)
    isWhole = from === 0
  } catch (error) {
    // What the end says is an answer too, so a part that cannot be read is left out.
    if (!isCiError(error) || signal?.aborted === true) throw error
  } finally {
    stop()
  }
  const read = reader.end({ bytes: end.bytes, whole: isWhole })
  return isSilent(read) ? null : read
}

async function addLines(reader: LogReader, stream: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let pieces: string[] = []
  let length = 0
  const endLine = () => {
    reader.add(pieces.join(''))
    pieces = []
    length = 0
  }
  const add = (text: string) => {
    const [first = '', ...lines] = text.split('\n')
    pieces.push(first)
    length += first.length
    for (const line of lines) {
      endLine()
      pieces.push(line)
      length = line.length
    }
    if (length > LONGEST_PIECE) endLine()
  }
  for await (const part of stream) add(decoder.decode(part, { stream: true }))
  add(decoder.decode())
  if (length > 0) endLine()
}
