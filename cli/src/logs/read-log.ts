import type { CiClient, LogStream } from '@buildwire/sdk'
import type { BuildPath, Job } from '@buildwire/sdk/contract'
import { leanMemory } from './lean-memory.js'

/** The most bytes in memory of a log that is read ahead. */
const HELD_BYTES = 512 * 1024
/** A tail of up to this size is kept in memory; a larger one is requested again. */
const KEPT_BYTES = 1024 * 1024
const FIRST_REQUEST_BYTES = 64 * 1024
const LINE_FEED = 0x0a

/** A log from `offset` on. Its bytes arrive as a stream and can be read once. */
export interface LogPart extends AsyncIterable<Uint8Array> {
  readonly offset: number
  /** Bytes of the whole log; null if the server does not report them. */
  readonly size: number | null
  /** The server sent only the requested range. */
  readonly partial: boolean
  readonly isEmpty: boolean
}

export type OpenLog = (part: {
  readonly from?: number
  readonly last?: number
}) => Promise<LogStream>

export interface LogReader {
  readonly ci: CiClient
  readonly target: BuildPath
  readonly signal: AbortSignal
}

export function logOf({ ci, target, signal }: LogReader, job: Job): OpenLog {
  const { id: job_id, raw_log_url } = job
  return async (part) => ci.jobs.logStream({ ...target, job_id }, { ...part, raw_log_url, signal })
}

/**
 * Reads a log from a byte on. A log that is printed `later` is read up to 512 KiB, and its rest is
 * requested again when it is printed: the server would close a connection that is not read.
 */
export async function logFrom(
  open: OpenLog,
  from: number,
  turn: 'now' | 'later',
): Promise<LogPart> {
  const stream = await open({ from })
  const { offset, size, partial } = stream
  const parts = stream[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let bytes = 0
  let isOver = false
  const minBytes = turn === 'now' ? 1 : HELD_BYTES
  while (!isOver && bytes < minBytes) {
    const { done, value } = await parts.next()
    isOver = done === true
    if (isOver) break
    held.push(value)
    bytes += value.byteLength
  }
  if (!isOver && turn === 'later') await parts.return?.()
  async function* all(): AsyncGenerator<Uint8Array, void> {
    yield* held
    if (isOver) return
    if (turn === 'later') yield* await open({ from: offset + bytes })
    else yield* { [Symbol.asyncIterator]: () => parts }
  }
  return { offset, size, partial, isEmpty: bytes === 0, [Symbol.asyncIterator]: all }
}

/**
 * Reads the last lines of a log. Larger and larger ends are requested until they contain the lines.
 */
export async function logTail(open: OpenLog, lines: number): Promise<LogPart> {
  for (let last = FIRST_REQUEST_BYTES; ; last *= 16) {
    const stream = await open({ last })
    const { size, partial } = stream
    const end = await endOf(stream, lines)
    // The first line may have begun before the offset, so one more line is needed.
    if (stream.offset > 0 && end.lines <= lines) {
      // A server that ignores ranges is asked for the whole log next.
      if (!partial) last = Number.POSITIVE_INFINITY
      continue
    }
    const source = end.kept === null ? await open({ from: end.offset }) : iterate(end.kept)
    const { skipped, rest } = await skipLines(source, end.lines - lines)
    return {
      offset: end.offset + skipped,
      size,
      partial,
      isEmpty: end.isEmpty,
      [Symbol.asyncIterator]: rest,
    }
  }
}

/**
 * Reads a stream to its end. `offset` and `lines` describe its last parts that contain at least the
 * wanted lines; `kept` has their bytes, or is null if they are too large to keep.
 */
async function endOf(stream: LogStream, lines: number) {
  const parts: {
    readonly bytes: Uint8Array | null
    readonly length: number
    readonly ends: number
  }[] = []
  let { offset } = stream
  let length = 0
  let ends = 0
  let isKept = true
  let isEnded = true
  const collectGarbage = leanMemory()
  for await (const bytes of stream) {
    collectGarbage(bytes.byteLength)
    const lineEnds = countLineEnds(bytes)
    parts.push({ bytes: isKept ? bytes : null, length: bytes.byteLength, ends: lineEnds })
    length += bytes.byteLength
    ends += lineEnds
    isEnded = bytes.at(-1) === LINE_FEED
    for (let [first] = parts; first !== undefined && ends - first.ends > lines; [first] = parts) {
      parts.shift()
      offset += first.length
      length -= first.length
      ends -= first.ends
    }
    if (length > KEPT_BYTES) isKept = false
  }
  const kept = parts.flatMap((part) => part.bytes ?? [])
  const all = kept.length === parts.length ? kept : null
  return { offset, isEmpty: offset + length === 0, lines: ends + (isEnded ? 0 : 1), kept: all }
}

function countLineEnds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    count += 1
  }
  return count
}

/** Skips lines of a stream; `rest` yields the bytes after them. */
async function skipLines(stream: AsyncIterable<Uint8Array>, lines: number) {
  const parts = stream[Symbol.asyncIterator]()
  let skipped = 0
  let left = lines
  let first = new Uint8Array()
  while (left > 0) {
    const { done, value } = await parts.next()
    if (done === true) break
    let start = 0
    for (; left > 0; left -= 1) {
      const end = value.indexOf(LINE_FEED, start)
      if (end === -1) break
      start = end + 1
    }
    const cut = left === 0 ? start : value.byteLength
    skipped += cut
    first = value.slice(cut)
  }
  async function* rest(): AsyncGenerator<Uint8Array, void> {
    yield first
    yield* { [Symbol.asyncIterator]: () => parts }
  }
  return { skipped, rest }
}

async function* iterate(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* parts
}
