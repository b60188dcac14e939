import type { LogExcerpt } from './failure-summary.js'
import { byteLength, cutText, plain } from './text.js'

/** The end of a log, in lines as a reader would see them. */
export interface ReadLog {
  readonly lines: readonly string[]
  /** The lines of the group that tells: `start` to before `end`. */
  readonly telling: { readonly start: number; readonly end: number }
  /** Bytes of the whole log, and whether all of it was read. */
  readonly bytes: number
  readonly whole: boolean
}

/**
 * Control strings (time marks of agents, titles), then CSI, then other escapes; a log may end
 * inside any of them.
 */
const ESCAPES =
  /\u001b[\]_PX^][^\u0007\u001b]*(?:\u0007|\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/gu
/**
 * `---`, `~~~` closed and `+++` open; `^^^ +++` opens the group before it, which is how scripts
 * mark a failed one.
 */
const GROUP = /^(?:---|~~~|\+\+\+) /u
const OPENED = /^\+\+\+ /u
const REOPENED = /^\^\^\^ \+\+\+/u
/** A minified line says nothing after so many characters. */
const longestLine = 400

/**
 * Reads a log, or its end with `offset` bytes before it: what a line overwrote is gone, and so are
 * blank lines at the end.
 */
export function readLog({ text, offset }: { text: string; offset: number }): ReadLog {
  const lines = text.split('\n').map((line) => {
    const shown = line.replace(ESCAPES, '').replace(/\r+$/u, '')
    return cutText(plain(shown.slice(shown.lastIndexOf('\r') + 1)).trimEnd(), longestLine)
  })
  // The cut went through this line.
  if (offset > 0 && lines.length > 1) lines.shift()
  while (lines.at(-1) === '') lines.pop()
  return {
    lines,
    telling: tellingGroup(lines),
    bytes: offset + byteLength(text),
    whole: offset === 0,
  }
}

/**
 * The end of the last group that was opened by `+++` or failed, else of the log; a quarter is left
 * for the very end behind it.
 */
export function excerpt(
  log: ReadLog,
  most: { readonly lines: number; readonly bytes: number },
): LogExcerpt {
  const { lines, telling } = log
  const group = lines.slice(telling.start, telling.end)
  const behind = lines.slice(telling.end)
  const share = Math.min(behind.length, Math.floor(most.lines / 4))
  const wanted = sizeOf(lastLines(group, most.lines - share, most.bytes))
  const tail = lastLines(behind, share, Math.max(most.bytes / 4, most.bytes - wanted))
  const body = lastLines(group, most.lines - tail.length, most.bytes - sizeOf(tail))
  const skipped = lines.length - telling.end - tail.length
  const gap = skipped > 0 ? [`[${skipped} ${skipped === 1 ? 'line' : 'lines'} left out]`] : []
  return {
    lines: [...body, ...gap, ...tail],
    lines_left_out: log.whole ? lines.length - body.length - tail.length : null,
    bytes_left_out: Math.max(0, log.bytes - sizeOf(body) - sizeOf(tail)),
  }
}

function lastLines(lines: readonly string[], most: number, bytes: number): string[] {
  let start = lines.length
  for (let room = bytes; start > 0 && lines.length - start < most; start--) {
    room -= byteLength(lines[start - 1] ?? '') + 1
    if (room < 0) break
  }
  return lines.slice(start)
}

export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + byteLength(line) + 1, 0)
}

function tellingGroup(lines: readonly string[]): { start: number; end: number } {
  let header = 0
  let telling: number | undefined
  for (const [at, line] of lines.entries()) {
    if (GROUP.test(line)) header = at
    if (OPENED.test(line)) telling = at
    if (REOPENED.test(line)) telling = header
  }
  if (telling === undefined) return { start: 0, end: lines.length }
  const start = telling
  const next = lines.findIndex((line, at) => at > start && GROUP.test(line))
  return { start, end: next === -1 ? lines.length : next }
}
