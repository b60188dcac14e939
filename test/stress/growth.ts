import { readers, type TextReader } from '../support/growth-readers.js'
import type { StressTask } from './task.js'

const units: Readonly<Record<string, string>> = {
  CR: '\r',
  LF: '\n',
  blank: ' ',
  tab: '\t',
  '<': '<',
  '&': '&',
  '[': '[',
  '(': '(',
  '*': '*',
  backtick: '`',
  ESC: '\u001b',
  ZWJ: '\u200d',
  quote: '"',
  letter: 'a',
}

interface TextShape {
  readonly name: string
  make(length: number): string
}

/** A small run pairs these units with each other only. */
const fewUnits = ['CR', 'LF', 'blank', '<', 'ESC', 'ZWJ']
/** A run over texts of so many characters pairs all units. */
const manyCharacters = 65_536

/** Texts of one unit, of two in turn, and of a run of one before a run of another. */
function* shapes(pairsAll: boolean): Generator<TextShape> {
  const named = Object.entries(units)
  const between = (text: string) => `x${text}x`
  for (const [one, a] of named) {
    yield { name: one, make: (length) => between(a.repeat(length)) }
    for (const [other, b] of named) {
      const isPaired = pairsAll || (fewUnits.includes(one) && fewUnits.includes(other))
      if (a === b || !isPaired) continue
      const half = (unit: string, length: number) => unit.repeat(length / 2)
      yield {
        name: `${one}, then ${other}`,
        make: (length) => between(half(a, length) + half(b, length)),
      }
      if (one < other)
        yield { name: `${one} and ${other}`, make: (length) => between(half(a + b, length)) }
    }
  }
}

/** A read of the longest text that takes less CPU time is not measured further. */
const quickMs = 50
/** Linear reads take four times as long for four times the text; quadratic ones sixteen times. */
const mostGrowth = 9
/** A reader whose text has a limit may take so long for a text of that length. */
const mostMsAtLimit = 1_500

/** CPU time, which other programs on this machine do not lengthen. */
function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function cpuMs({ read }: TextReader, text: string): number {
  const start = cpuMsOfProcess()
  read(text)
  return cpuMsOfProcess() - start
}

function fastest(reader: TextReader, text: string): number {
  return Math.min(...[1, 2, 3].map(() => cpuMs(reader, text)))
}

/** Says how the time of a read grows if it grows faster than the text; null otherwise. */
function findGrowth(reader: TextReader, { make }: TextShape, length: number): string | null {
  const longest = Math.min(4 * length, (reader.most ?? Number.POSITIVE_INFINITY) - 2)
  const first = cpuMs(reader, make(longest))
  if (first < quickMs) return null
  const times = [longest / 4, longest / 2, longest].map((size) => {
    return fastest(reader, make(Math.floor(size)))
  })
  const [short = 0, , long = 0] = times
  const growth = long / Math.max(short, 0.5)
  if (long < quickMs || growth < mostGrowth) return null
  if (reader.most !== undefined && long < mostMsAtLimit) return null
  return `${times.map((ms) => ms.toFixed(1)).join(', ')} ms for ${longest / 4}, ${longest / 2}, ${longest} characters`
}

/**
 * Gives every reader of foreign text each shape of text in three sizes, and judges by the ratio of
 * their times. `requests` is the shortest size in characters.
 */
export const run: StressTask = async ({ requests = manyCharacters, within, log }) => {
  const found: string[] = []
  let texts = 0
  for (const [name, reader] of Object.entries(readers)) {
    let slow = 0
    const start = cpuMsOfProcess()
    for (const shape of shapes(requests >= manyCharacters)) {
      if (!within()) return { figures: { texts }, failure: `no time was left for ${name}` }
      texts += 1
      const growth = findGrowth(reader, shape, requests)
      if (growth === null) continue
      slow += 1
      if (slow <= 3) found.push(`${name} of ${shape.name}: ${growth}`)
    }
    log(
      `${name}: ${Math.round(cpuMsOfProcess() - start)} ms, ${slow === 0 ? 'linear' : `${slow} shapes are not linear`}`,
    )
  }
  const figures = { readers: Object.keys(readers).length, texts, characters: 4 * requests }
  return { figures, failure: found.join('\n') || undefined }
}
