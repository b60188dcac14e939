import type { LogLine } from './log-lines.js'
import { TELLING } from './loud-words.js'

/** A group of lines: its header at `start`, and the first line behind it. */
export interface LogGroup {
  readonly start: number
  readonly end: number
  /** The script marked it as failed. */
  readonly reopened: boolean
  /** The script asked to show it open. */
  readonly opened: boolean
  /** It cleans up or uploads, and does not do the work of the job. */
  readonly aside: boolean
}

/**
 * `---`, `~~~` closed and `+++` open; `^^^ +++` opens the group before it, which is how scripts
 * mark a failed one.
 */
const HEADER = /^(?:---|~~~|\+\+\+) \S/u
const REOPENED = /^\^\^\^ \+\+\+/u
/** Results of Go tests look like headers. */
const GO_RESULT = /^--- (?:PASS|FAIL|SKIP|BENCH):/u
const ASIDE =
  /\b(?:hooks?|clean\w{0,6}|tear\w{0,8}|upload\w{0,4}|artifacts?|post-\w{1,12}|annotat\w{1,4}|cache|saving)\b/iu

/** The groups of a log, in order; lines before the first header belong to none. */
export function groupsOf(lines: readonly LogLine[]): LogGroup[] {
  const headers: number[] = []
  const reopened = new Set<number>()
  for (const [index, { text }] of lines.entries()) {
    if (REOPENED.test(text)) reopened.add(headers.at(-1) ?? 0)
    else if (isHeader(text, lines[index - 1]?.text, lines[index + 1]?.text)) headers.push(index)
  }
  return headers.map((start, at) => {
    const header = lines[start]?.text ?? ''
    return {
      start,
      end: headers[at + 1] ?? lines.length,
      reopened: reopened.has(start),
      opened: header.startsWith('+++'),
      aside: ASIDE.test(header),
    }
  })
}

/** True for a header of a group; a diff begins with `---` and `+++` in two lines that follow. */
function isHeader(text: string, before = '', behind = ''): boolean {
  if (!HEADER.test(text) || GO_RESULT.test(text)) return false
  const isOld = text.startsWith('--- ') && behind.startsWith('+++ ')
  const isNew = text.startsWith('+++ ') && before.startsWith('--- ')
  return !isOld && !isNew
}

/**
 * The group that tells: the last one that is marked as failed, else the one of the most telling
 * line, else the last one that was opened.
 */
export function tellingGroup(
  lines: readonly LogLine[],
  groups: readonly LogGroup[],
  top: number | undefined,
): { start: number; end: number } {
  const whole = { start: 0, end: lines.length }
  const marked = groups.findLast(({ reopened }) => reopened)
  if (marked !== undefined) return marked
  if (top !== undefined && (lines[top]?.level ?? 0) >= TELLING) {
    return groups.find(({ start, end }) => start <= top && top < end) ?? whole
  }
  return groups.findLast(({ opened }) => opened) ?? whole
}
