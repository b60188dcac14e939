import { must } from '../base/checked.js'
import { ConfigError, InvalidResponseError } from '../errors/errors.js'
import { expectNoPage, type HttpAnswer, type RequestName } from '../http/body.js'
import { lengthOf } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'
import type { BodyStream } from '../transport/body-stream.js'
import { countLimit } from '../transport/limits.js'
import { concat } from '../transport/transport.js'
import { type ByteStream, bodyOf, openStream } from './byte-stream.js'

/** Which part of a log is wanted; without either all of it. */
export interface LogStreamOptions extends CallOptions {
  /**
   * The `raw_log_url` of the job's record. The log is read there if the address is at the origin of
   * `baseUrl`; the token is sent to no other origin, so any other address is left out.
   */
  raw_log_url?: string | null | undefined
  /** The log from this byte on, 0 for its beginning. */
  from?: number | undefined
  /** The last bytes of the log, so many at most, from 1. */
  last?: number | undefined
}

/** How much of the end of a log is wanted. */
export interface LogTailOptions extends CallOptions {
  /** As in {@link LogStreamOptions}. */
  raw_log_url?: string | null | undefined
  /** Bytes at most, from 1. @default 65536 */
  bytes?: number | undefined
}

/** A log or a part of it. */
export interface LogStream extends ByteStream {
  /**
   * Where in the log the first byte of this stream stands; `from`, or the end of the log, when
   * nothing is there.
   */
  readonly offset: number
  /**
   * Whether the server sent only the part that was asked for. Otherwise all of it crosses the
   * network.
   */
  readonly partial: boolean
}

/** The end of a log. */
export interface LogTail {
  /** As the job wrote it, control sequences included; it begins with a whole character. */
  readonly text: string
  /** Bytes of the log before it. */
  readonly offset: number
  /** Bytes of the whole log when the server answered, or null when it did not say. */
  readonly size: number | null
}

/**
 * A log as the answer's headers describe it. With `last` and an unknown size, the offset is null
 * until the whole log has been read.
 */
interface OpenedLog {
  readonly stream: BodyStream | undefined
  /** How many bytes the server sends before the part that is wanted. */
  readonly before: number
  readonly size: number | null
  readonly offset: number | null
  readonly partial: boolean
}

/** The `Range` of the part that is wanted, undefined for all. @throws ConfigError `config` */
export function logRange({ from, last }: LogStreamOptions): string | undefined {
  const first = countLimit('from', from, 0)
  countLimit('last', last, 1, 1)
  if (first === Number.POSITIVE_INFINITY) throw must('from', 'be a whole number from 0')
  if (from !== undefined && last !== undefined)
    throw new ConfigError('last', 'give from or last, not both')
  if (last !== undefined) return Number.isFinite(last) ? `bytes=-${last}` : undefined
  return first === 0 ? undefined : `bytes=${first}-`
}

/**
 * Reads the headers of the answer. @throws InvalidResponseError for a page, or a part that was not
 * asked for.
 */
export function openedLog(
  wanted: LogStreamOptions,
  answer: HttpAnswer,
  asked: RequestName,
): OpenedLog {
  const { from = 0, last } = wanted
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(
    answer.header('content-range')?.trim() ?? '',
  )
  const total = range?.[2] === undefined || range[2] === '*' ? null : Number(range[2])
  if (answer.status === 416)
    return { stream: undefined, before: 0, size: total, offset: total ?? from, partial: true }
  expectNoPage(answer, asked)
  const { stream } = answer
  if (answer.status === 206) {
    const start = range?.[1] === undefined ? undefined : Number(range[1])
    if (start === undefined || (last === undefined && start !== from))
      throw otherPart(answer, asked)
    return { stream, before: 0, size: total, offset: start, partial: true }
  }
  const size = lengthOf(answer)
  const endOffset = size === null ? null : Math.max(0, size - (last ?? 0))
  const offset = last === undefined ? from : endOffset
  return { stream, before: offset ?? 0, size, offset, partial: false }
}

/**
 * The stream that a caller gets. What a server sends before the wanted part is read here, in no
 * more memory than the part takes.
 */
export async function logStream(
  opened: OpenedLog,
  { last = 0 }: LogStreamOptions,
): Promise<LogStream> {
  const { stream, before, size, offset, partial } = opened
  if (stream === undefined) return openStream(bodyOf([]), { size, offset: offset ?? 0, partial })
  if (offset !== null) {
    const skipped = await stream.skip(before)
    if (skipped < before) return openStream(stream, { size: skipped, offset: skipped, partial })
    return openStream(stream, { size, offset, partial })
  }
  const end = await endOf(stream, last)
  return openStream(bodyOf(end.parts), { size: end.size, offset: end.size - end.bytes, partial })
}

export async function logTail(stream: LogStream, most: number): Promise<LogTail> {
  const { parts, bytes, size } = await endOf(stream, most)
  const whole = concat(parts)
  let offset = stream.offset + size - bytes
  let start = 0
  // A character that began before the cut is not shown in pieces.
  while (offset > 0 && start < Math.min(3, bytes) && ((whole[start] ?? 0) & 0xc0) === 0x80)
    start += 1
  offset += start
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole.subarray(start))
  return { text, offset, size: stream.size }
}

/** The last bytes of a body; memory holds them and one part. */
async function endOf(
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ parts: Uint8Array[]; bytes: number; size: number }> {
  const parts: Uint8Array[] = []
  let bytes = 0
  let size = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.byteLength
    size += part.byteLength
    for (
      let first = parts[0];
      first !== undefined && bytes - first.byteLength >= most;
      first = parts[0]
    ) {
      bytes -= first.byteLength
      parts.shift()
    }
  }
  const [first] = parts
  if (first !== undefined && bytes > most) {
    parts[0] = first.subarray(bytes - most)
    bytes = most
  }
  return { parts, bytes, size }
}

function otherPart(answer: HttpAnswer, { asked, operationId }: RequestName): InvalidResponseError {
  const range = answer.header('content-range')
  const got =
    range === undefined
      ? 'a part without content-range'
      : `the part ${range.replace(/[^\w */-]/g, '?').slice(0, 60)}`
  const summary = `${asked} was answered with ${got}, which was not asked for`
  return new InvalidResponseError(summary, {
    operationId,
    expected: 'the part that was asked for',
    got,
  })
}
