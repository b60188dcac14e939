import type { LogExcerpt } from './failure-summary.js'
import { cutAround, type LogLine } from './log-lines.js'
import { HINT, SYMPTOM } from './loud-words.js'
import { isQuiet } from './loudness.js'
import { isSilent, type ReadLog } from './read-log.js'
import { byteLength } from './text.js'

/** How large an excerpt may be. */
interface ExcerptSize {
  readonly lines: number
  readonly bytes: number
}

/**
 * The lines that matter: those that tell what failed with their surroundings, the most telling
 * first, then the end of the group that tells and of the log.
 */
export function excerpt(log: ReadLog, most: ExcerptSize): LogExcerpt {
  const choice = new Choice(log, most)
  const { loud, lines, telling, groups } = log
  const levelOf = (index: number) => lines[index]?.level ?? 0
  const causes = loud.filter((index) => levelOf(index) >= SYMPTOM)
  const hints = loud.filter((index) => levelOf(index) < SYMPTOM && levelOf(index) >= HINT)
  const [top] = loud

  if (choice.takesAll()) return choice.excerpt()
  if (top !== undefined) {
    choice.take(top, 0.4)
    choice.around(top, { before: 1, behind: 3 }, 0.4)
  }
  for (const index of causes) choice.take(index, 0.6)
  choice.backwards(lines.length, 2, 0.7)
  choice.backwards(telling.end, 2, 0.7)
  for (const index of causes) choice.around(index, { before: 2, behind: 4 }, 0.8)
  for (const index of hints) choice.take(index, 0.85)
  for (const index of loud) choice.take(index, 0.85)
  for (const index of [...causes, ...hints]) choice.around(index, { before: 6, behind: 12 }, 0.9)
  // Where a line tells the reason, more lines that say nothing would only hide it.
  const rest = isSilent(log) ? lines.length : Math.floor(most.lines / 3)
  choice.backwards(telling.end, Math.min(rest, telling.end - telling.start), 1)
  const last = groups.at(-1)
  const inLast = isSilent(log) ? lines.length : lines.length - (last?.start ?? 0)
  if (last?.aside !== true) choice.backwards(lines.length, Math.min(rest, inLast), 1)
  return choice.excerpt()
}

/** Bytes of "[100 lines left out]", as a line. */
const GAP_BYTES = 27

/** Bytes of a blank line. */
const BLANK_BYTES = 3

/** The lines that were chosen from a log so far. */
class Choice {
  readonly #log: ReadLog
  readonly #most: ExcerptSize
  readonly #longest: number
  readonly #texts = new Map<number, string>()
  /** Lines that report success are of interest only where no line says why the job failed. */
  readonly #takesQuiet: boolean
  #bytes = 0
  /** Runs of lines that follow each other, or have one blank line between them. */
  #runs = 0
  /** Blank lines between two chosen ones. They are shown, since a gap would be longer. */
  #blanks = 0

  constructor(log: ReadLog, most: ExcerptSize) {
    this.#log = log
    this.#most = most
    this.#takesQuiet = isSilent(log)
    this.#longest = Math.max(160, Math.min(400, Math.floor(most.bytes / 5)))
  }

  /** Chooses the whole log if that fits. */
  takesAll(): boolean {
    const { lines, count } = this.#log
    const fits = count === lines.length && lines.length <= this.#most.lines
    if (!fits || sizeOf(lines.map(({ text }) => text)) > this.#most.bytes) return false
    for (const [index, { text }] of lines.entries()) this.#texts.set(index, text)
    return true
  }

  /** Chooses a line if no more than `share` of the size is taken then. */
  take(index: number, share: number): boolean {
    const line = this.#log.lines[index]
    if (line === undefined) return false
    if (this.#texts.has(index)) return true
    const neighbours = [index - 1, index + 1].filter((at) => this.#texts.has(at)).length
    const newBlanks = [index - 1, index + 1].filter((at) => this.#isBlankBetween(at, index)).length
    const runs = this.#runs + 1 - neighbours - newBlanks
    const blanks = this.#blanks + newBlanks
    const { text } = cutAround(line.text, line.at, this.#longest)
    const bytes = this.#bytes + jsonBytes(text)
    const gaps = Math.max(0, runs - 1)
    // The first line is wanted even if the share is too small for it.
    const isFirst = this.#texts.size === 0
    const limit = isFirst ? 1 : share
    if (bytes + gaps * GAP_BYTES + blanks * BLANK_BYTES > this.#most.bytes * limit) return false
    const shown = this.#texts.size + 1 + gaps + blanks
    if (shown > Math.max(1, this.#most.lines * limit)) return false
    this.#texts.set(index, text)
    this.#bytes = bytes
    this.#runs = runs
    this.#blanks = blanks
    return true
  }

  /** Chooses lines that say something around a line, the nearest first. */
  around(
    index: number,
    { before, behind }: { before: number; behind: number },
    share: number,
  ): void {
    if (!this.#texts.has(index)) return
    const { groups, lines } = this.#log
    const { start, end } = groups.findLast((group) => group.start <= index) ?? {
      start: 0,
      end: groups[0]?.start ?? lines.length,
    }
    this.#walk({ from: index + 1, end, step: 1 }, behind, share)
    this.#walk({ from: index - 1, end: start - 1, step: -1 }, before, share)
  }

  /** Chooses among the last `count` lines before `end`. */
  backwards(end: number, count: number, share: number): void {
    this.#walk({ from: end - 1, end: -1, step: -1 }, count, share)
  }

  /** Chooses among `count` lines, `from` the first to before `end`; blank ones do not count. */
  #walk(
    { from, end, step }: { from: number; end: number; step: 1 | -1 },
    count: number,
    share: number,
  ): void {
    let left = count
    for (let index = from; left > 0 && index !== end; index += step) {
      const line = this.#log.lines[index]
      if (line === undefined) return
      if (line.text === '') continue
      left -= 1
      if (!this.#takesQuiet && isQuiet(line.text)) continue
      if (!this.take(index, share)) return
    }
  }

  excerpt(): LogExcerpt {
    const { lines, count, bytes, whole } = this.#log
    const shown: string[] = []
    let kept = 0
    let keptBytes = 0
    let expected: number | null = null
    for (const [index, line] of lines.entries()) {
      const text = this.#texts.get(index) ?? this.#filler(index)
      if (text === undefined) continue
      const gap: number = expected === null ? 0 : line.number - expected
      if (gap > 0) shown.push(`[${gap} ${gap === 1 ? 'line' : 'lines'} left out]`)
      shown.push(text)
      kept += 1
      keptBytes += byteLength(text) + 1
      expected = line.number + 1
    }
    const behind = expected === null ? 0 : count + 1 - expected
    if (behind > 0) shown.push(`[${behind} ${behind === 1 ? 'line' : 'lines'} left out]`)
    return {
      lines: shown,
      lines_left_out: whole ? count - kept : null,
      bytes_left_out: Math.max(0, bytes - keptBytes),
    }
  }

  #filler(index: number): string | undefined {
    return this.#isBlankBetween(index, index + 1) && this.#texts.has(index + 1) ? '' : undefined
  }

  /** True for a blank line beside the line `chosen`, if the line on its other side is chosen too. */
  #isBlankBetween(index: number, chosen: number): boolean {
    const line: LogLine | undefined = this.#log.lines[index]
    return line?.text === '' && !this.#texts.has(index) && this.#texts.has(2 * index - chosen)
  }
}

/** Bytes of lines in a JSON list. */
export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + jsonBytes(line), 0)
}

function jsonBytes(line: string): number {
  return byteLength(JSON.stringify(line)) + 1
}
