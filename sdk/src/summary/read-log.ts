import { groupsOf, type LogGroup, tellingGroup } from './log-groups.js'
import { type LogLine, shownLines } from './log-lines.js'
import { MENTION, TELLING } from './loud-words.js'
import { byteLength } from './text.js'

/** The lines of a log that were kept, and which of them tell most. */
export interface ReadLog {
  /** In the order of the log. Lines between two numbers that do not follow were not kept. */
  readonly lines: readonly LogLine[]
  /** Places of loud lines in `lines`, the most telling first; a repeated line counts once. */
  readonly loud: readonly number[]
  readonly groups: readonly LogGroup[]
  /** The lines of the group that tells: `start` to before `end`. */
  readonly telling: { readonly start: number; readonly end: number }
  /** How many lines were read. */
  readonly count: number
  /** Bytes of the whole log, and whether all of it was read. */
  readonly bytes: number
  readonly whole: boolean
}

/** So many lines are kept at most, twice that while reading. */
const MOST_LINES = 8_000
/** Of lines that are dropped, the surroundings of so many loud ones are kept. */
const MOST_LOUD = 100
const BEFORE = 8
const BEHIND = 16
/** Lines are compared by so many characters. */
const LONGEST_KEY = 200
/** A shape of lines that comes so often is noise, and its lines are less telling by so much. */
const OFTEN = 5
const NOISE = 1.5

/** Reads raw lines in bounded memory: the last lines, and those around earlier loud ones. */
export class LogReader {
  #lines: LogLine[] = []
  #count = 0

  add(raw: string): void {
    for (const line of shownLines(raw)) {
      this.#count += 1
      this.#lines.push({ number: this.#count, ...line })
    }
    if (this.#lines.length >= 2 * MOST_LINES) this.#drop()
  }

  end({ bytes, whole }: { bytes: number; whole: boolean }): ReadLog {
    const lines = this.#lines
    while (lines.at(-1)?.text === '') {
      lines.pop()
      this.#count -= 1
    }
    const groups = groupsOf(lines)
    const loud = mostTelling(lines, groups)
    const telling = tellingGroup(lines, groups, loud[0])
    return { lines, loud, groups, telling, count: this.#count, bytes, whole }
  }

  #drop(): void {
    const old = this.#lines.slice(0, -MOST_LINES)
    const kept = new Set<number>()
    for (const index of mostTelling(old, []).slice(0, MOST_LOUD)) {
      for (let at = index - BEFORE; at <= index + BEHIND; at++) kept.add(at)
    }
    this.#lines = [...old.filter((_, index) => kept.has(index)), ...this.#lines.slice(-MOST_LINES)]
  }
}

/** Reads a log, or its end with `offset` bytes before it. */
export function readLog({ text, offset }: { text: string; offset: number }): ReadLog {
  const reader = new LogReader()
  const [first = '', ...lines] = text.split('\n')
  // The cut went through the first line, which is kept only if it is all that there is.
  const isAlone = lines.every((line) => line.trim() === '')
  if (offset === 0 || isAlone) reader.add(offset === 0 ? first : `…${first}`)
  for (const line of lines) reader.add(line)
  return reader.end({ bytes: offset + byteLength(text), whole: offset === 0 })
}

/** True if no line says why the job failed, and at most that it did. */
export function isSilent({ lines, loud: [top] }: ReadLog): boolean {
  return top === undefined || (lines[top]?.level ?? 0) < TELLING
}

/**
 * The line that tells most about a failure, for a headline.
 *
 * @returns Null when no line is loud.
 */
export function tellingLine({ lines, loud: [top] }: ReadLog): LogLine | null {
  return (top === undefined ? undefined : lines[top]) ?? null
}

/**
 * The places of loud lines by level. Of lines of one level the first comes first, then the last,
 * then the others in order.
 */
function mostTelling(lines: readonly LogLine[], groups: readonly LogGroup[]): number[] {
  const seen = new Set<string>()
  const shapes = new Map<string, number>()
  const distinct: number[] = []
  for (const [index, { text, level }] of lines.entries()) {
    if (level < MENTION) continue
    const key = text.slice(0, LONGEST_KEY).replace(/\d+/gu, '0')
    const shape = shapeOf(key)
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
    if (!seen.has(key)) distinct.push(index)
    seen.add(key)
  }
  const inGroup = groupLevels(groups)
  const ranked = distinct.map((index) => {
    const { level, text } = lines[index] ?? { level: 0, text: '' }
    const times = shapes.get(shapeOf(text)) ?? 0
    return { index, level: level + inGroup(index) - (times >= OFTEN ? NOISE : 0) }
  })
  const levels = byLevel(ranked)
  return [...levels.keys()]
    .sort((one, other) => other - one)
    .flatMap((level) => endsFirst(levels.get(level) ?? []))
}

/** The line without its numbers, paths and quoted texts: lines of one shape say the same. */
function shapeOf(text: string): string {
  return text
    .slice(0, LONGEST_KEY)
    .split(' ')
    .map((word) => (/[/\\"'`]/u.test(word) ? '?' : word))
    .join(' ')
    .replace(/\d+/gu, '0')
}

interface RankedLine {
  readonly index: number
  readonly level: number
}

function byLevel(ranked: readonly RankedLine[]): Map<number, RankedLine[]> {
  const levels = new Map<number, RankedLine[]>()
  for (const line of ranked) {
    const level = Math.floor(line.level)
    const same = levels.get(level)
    if (same === undefined) levels.set(level, [line])
    else same.push(line)
  }
  return levels
}

/** The first line, the last, then the others: the louder first. */
function endsFirst(lines: readonly RankedLine[]): number[] {
  const [first, ...others] = lines
  const last = others.pop()
  others.sort((one, other) => other.level - one.level || one.index - other.index)
  return [first, last, ...others].flatMap((line) => (line === undefined ? [] : [line.index]))
}

/** What the group of a line adds to its level. */
function groupLevels(groups: readonly LogGroup[]): (index: number) => number {
  return (index) => {
    const group = groups.findLast(({ start }) => start <= index)
    if (group === undefined) return 0
    if (group.reopened) return 1
    return group.aside ? -2 : 0
  }
}
