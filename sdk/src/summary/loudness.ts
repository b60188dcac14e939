import {
  CAUSE,
  CLOSING,
  CLOSINGS,
  COUNTED,
  DOING,
  ERROR,
  HARMLESS,
  HINT,
  LOCATED,
  LOGGED,
  MENTION,
  MILD,
  PREFIX,
  QUIET,
  RETRIED,
  RULES,
  STEMS,
} from './loud-words.js'

/** How much a line says about a failure. */
export interface Loudness {
  /** 0 for a line that says nothing; the larger the more telling. */
  readonly level: number
  /** Where in the line its most telling word begins, in UTF-16 units. */
  readonly at: number
}

const SILENT: Loudness = { level: 0, at: 0 }
/** Longer lines are read in pieces, which overlap so that no word is cut. */
const PIECE = 1_000
const OVERLAP = 100

/** Reads how loud a line is. The line has no escapes; `red` says whether it had red text. */
export function loudness(line: string, red: boolean): Loudness {
  let best = SILENT
  for (let from = 0; from === 0 || from < line.length; from += PIECE - OVERLAP) {
    const { level, at } = pieceLoudness(line.slice(from, from + PIECE), red)
    if (level > best.level) best = { level, at: from + at }
    if (from + PIECE >= line.length) break
  }
  return best
}

/** True if a line reports success, begins something, or belongs to a table without failures. */
export function isQuiet(line: string): boolean {
  const piece = line.slice(0, PIECE)
  const words = piece.slice(prefixLength(piece))
  return (QUIET.test(words) || QUIET.test(piece)) && !COUNTED.test(words)
}

function pieceLoudness(piece: string, red: boolean): Loudness {
  const start = prefixLength(piece)
  const words = piece.slice(start)
  const unspoken = red && /\w{3}/u.test(words) ? HINT - 0.5 : 0
  if (!STEMS.test(words)) return { level: unspoken, at: start }

  const text = words.replace(HARMLESS, (phrase) => ' '.repeat(phrase.length))
  const isCounted = COUNTED.test(text)
  if (!isCounted && (QUIET.test(text) || QUIET.test(piece))) return SILENT

  const first = RULES.reduce((least, { pattern }) => {
    const at = text.search(pattern)
    return at === -1 ? least : Math.min(least, at)
  }, Number.POSITIVE_INFINITY)
  if (first === Number.POSITIVE_INFINITY) {
    return isCounted ? { level: CLOSING, at: start } : { level: unspoken, at: start }
  }

  const mild = text.search(MILD)
  const mildBefore = MILD.test(piece.slice(0, start))
  if (mildBefore || (mild !== -1 && mild <= first)) return { level: MENTION, at: start }

  const rule = RULES.find(({ pattern }) => pattern.test(text))
  if (rule === undefined) return SILENT
  const at = start + Math.max(0, text.search(rule.pattern))
  const isClosing = CLOSINGS.some((pattern) => pattern.test(text))
  if (isClosing && rule.level < CAUSE + 1) {
    return { level: CLOSING + (rule.level === CAUSE ? 1 : 0) + (red ? 0.25 : 0), at }
  }
  if (rule.level < CAUSE && DOING.test(text)) return { level: 1, at }

  const symptoms = RULES.filter(({ level, pattern }) => level < rule.level && pattern.test(text))
  const isSpecific = rule.level >= ERROR && symptoms.length > 0
  const isRetried = RETRIED.test(text)
  const isLogged = rule.level < CAUSE && LOGGED.test(piece)
  const level =
    rule.level +
    (isSpecific ? 0.5 : 0) +
    (LOCATED.test(text) ? 0.75 : 0) +
    (red ? 0.25 : 0) -
    (isRetried && rule.level < CAUSE ? 2 : 0) -
    (isLogged ? 0.75 : 0)
  return { level, at }
}

/** The length of what stands before the words of a line. */
function prefixLength(piece: string): number {
  let start = 0
  for (let removed = 0; removed < 4; removed++) {
    const prefix = PREFIX.exec(piece.slice(start))
    if (prefix === null) return start
    start += prefix[0].length
  }
  return start
}
