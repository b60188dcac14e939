import { startTimer, systemClock } from '../base/clock.js'
import type { CiClient } from '../client/client.js'
import type { JobPath } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import type { LogTailOptions } from '../resources/log-stream.js'
import { isSilent, LogReader, type ReadLog } from './read-log.js'

const MOST_BYTES = 64 * 1024 * 1024
const MOST_MS = 5_000
/** Bytes that are read before timers and signals get a turn. */
const PIECE = 65_536
/** A line without an end is read in pieces of this many characters. */
const LONGEST_LINE = 1_048_576

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
  { signal, ...call }: LogTailOptions,
): Promise<ReadLog | null> {
  const late = new AbortController()
  const stop = startTimer(MOST_MS, () => late.abort())
  const reader = new LogReader()
  const from = Math.max(0, end.bytes - MOST_BYTES)
  const { bytes: _, ...options } = call
  const cancel = (): void => late.abort(signal?.reason)
  if (signal?.aborted === true) cancel()
  signal?.addEventListener('abort', cancel)
  let isWhole = false
  try {
    const stream = await ci.jobs.logStream(path, { ...options, from, signal: late.signal })
    const isRead = await addLines(reader, stream, late.signal)
    isWhole = isRead && from === 0
  } catch (error) {
    // What the end says is an answer too, so a part that cannot be read is left out.
    if (!isCiError(error) || signal?.aborted === true) throw error
  } finally {
    stop()
    signal?.removeEventListener('abort', cancel)
  }
  const read = reader.end({ bytes: end.bytes, whole: isWhole })
  return isSilent(read) ? null : read
}

/** Adds the lines of a stream until the signal aborts. Returns whether that were all of them. */
async function addLines(
  reader: LogReader,
  stream: AsyncIterable<Uint8Array>,
  late: AbortSignal,
): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let open = ''
  for await (const part of stream) {
    for (let from = 0; from < part.byteLength; from += PIECE) {
      // A turn for timers and signals: a part may be as large as the log.
      await systemClock.sleep(0)
      if (late.aborted) return false
      const piece = part.subarray(from, from + PIECE)
      const lines = (open + decoder.decode(piece, { stream: true })).split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) reader.add(line)
    }
    if (open.length > LONGEST_LINE) {
      reader.add(open)
      open = ''
    }
  }
  if (open !== '') reader.add(open)
  return true
}
