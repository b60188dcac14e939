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
/** A run over texts of so many characters pairs all units, as many as its time permits. */
const manyCharacters = 32_768

/** Texts of one unit. */
function singles(): TextShape[] {
  return Object.entries(units).map(([name, unit]) => {
    return { name, make: (length) => `x${unit.repeat(length)}x` }
  })
}

/** Texts of two units in turn, and of a run of one before a run of another. */
function* pairs(isLarge: boolean): Generator<TextShape> {
  const paired = Object.entries(units).filter(([name]) => isLarge || fewUnits.includes(name))
  for (const [one, a] of paired) {
    for (const [other, b] of paired) {
      if (a === b) continue
      const make = (length: number) => `x${a.repeat(length / 2)}${b.repeat(length / 2)}x`
      yield { name: `${one}, then ${other}`, make }
      if (one < other)
        yield { name: `${one} and ${other}`, make: (length) => `x${(a + b).repeat(length / 2)}x` }
    }
  }
}

/** A read of the longest text that takes less CPU time is not measured further. */
const quickMs = 50
/** Linear reads take four times as long for four times the text; quadratic ones sixteen times. */
const mostGrowth = 9
/**
 * Once more twice the text takes a linear reader twice the time, and a quadratic one four times. So a
 * step at one length, such as the first collection of old objects, is not a growth.
 */
const mostDoubling = 3
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
  const quarter = cpuMs(reader, make(Math.floor(longest / 4)))
  const isClearlyLinear = first < (quarter * mostGrowth) / 2
  if (isClearlyLinear) return null
  const times = [longest / 4, longest / 2, longest].map((size) => {
    return fastest(reader, make(Math.floor(size)))
  })
  const [short = 0, , long = 0] = times
  const growth = long / Math.max(short, 0.5)
  if (long < quickMs || growth < mostGrowth) return null
  if (reader.most !== undefined && long < mostMsAtLimit) return null
  const isStep =
    reader.most === undefined && fastest(reader, make(2 * longest)) < long * mostDoubling
  if (isStep) return null
  return `${times.map((ms) => ms.toFixed(1)).join(', ')} ms for ${longest / 4}, ${longest / 2}, ${longest} characters`
}

/** Each shape for each reader. */
function casesOf(shapes: Iterable<TextShape>) {
  return [...shapes].flatMap((shape) =>
    Object.entries(readers).map(([name, reader]) => ({ name, reader, shape })),
  )
}

/**
 * Gives every reader of foreign text shapes of text in three sizes, and judges by the ratio of their
 * times. `requests` is the shortest size in characters. A large run takes pairs in the order of its
 * seed until its time is over; a small run needs time for all.
 */
export const run: StressTask = async ({ requests = manyCharacters, within, roll, log }) => {
  const isLarge = requests >= manyCharacters
  const required = casesOf(singles())
  const further = casesOf(pairs(isLarge))
    .map((each) => ({ each, order: roll() }))
    .sort((a, b) => a.order - b.order)
    .map(({ each }) => each)
  const cases = [...required, ...further]
  const found: string[] = []
  let texts = 0
  for (const { name, reader, shape } of cases) {
    if (!within()) break
    texts += 1
    const growth = findGrowth(reader, shape, requests)
    if (growth === null) continue
    log(`${name} of ${shape.name}: ${growth}`)
    if (found.length < 20) found.push(`${name} of ${shape.name}: ${growth}`)
  }
  const least = isLarge ? required.length : cases.length
  if (texts < least) found.push(`no time was left for ${cases[texts]?.name}`)
  const figures = { readers: Object.keys(readers).length, texts, of: cases.length }
  return {
    figures: { ...figures, characters: 4 * requests },
    failure: found.join('\n') || undefined,
  }
}
