import type { FailureSummary, LogExcerpt, Problem, SummaryCut } from './failure-summary.js'
import { excerpt, sizeOf } from './log-excerpt.js'
import type { LogFound } from './problem-log.js'
import { byteLength, cutText, plain } from './text.js'
import { skeleton, thinBefore, thinBuild, thinProblem, withoutNulls } from './thin.js'

/** A summary before it is cut, with whole logs. */
export interface WholeSummary extends Omit<FailureSummary, 'problems' | 'truncated'> {
  readonly problems: readonly (Omit<Problem, 'log' | 'log_absent'> & { readonly found: LogFound })[]
  /** How many other problems there are. */
  readonly others: number
  /** True: the annotations could not be read. */
  readonly notesUnread: boolean
  readonly logLines: number
}

/** How much of a summary is kept. */
interface SummarySize {
  readonly problems: number
  readonly annotations: number
  /** Names of jobs that did not run. */
  readonly names: number
  /** Characters of a text that can be cut. */
  readonly text: number
  /** Characters of a word or an address, which is only of use as a whole. */
  readonly exact: number
  /** `thin` has no nulls, and no ids, times and addresses that follow from others. */
  readonly frame: 'whole' | 'thin' | 'bare'
  /** The part of `maxBytes` that logs must get at least, if they need so much. */
  readonly logShare: number
}

/** The smallest summary: which build it is about, its outcome, and how much is missing. */
const least: SummarySize = {
  problems: 0,
  annotations: 0,
  names: 0,
  text: 8,
  exact: 36,
  frame: 'bare',
  logShare: 0,
}

/**
 * The summary within `maxBytes` of JSON in UTF-8: logs are shortened first, then what is around
 * them, then texts, then entries are left out. `truncated` lists what was cut.
 */
export function fit(whole: WholeSummary, maxBytes: number): FailureSummary {
  const most = { lines: whole.logLines, bytes: Number.POSITIVE_INFINITY }
  const logs = whole.problems.map(({ found }) =>
    'read' in found ? excerpt(found.read, most) : null,
  )
  const fits = (summary: FailureSummary) => byteLength(JSON.stringify(summary)) <= maxBytes
  for (const size of sizesOf(whole)) {
    const wanted = sizeOf(logs.slice(0, size.problems).flatMap((log) => log?.lines ?? []))
    const room = maxBytes - byteLength(JSON.stringify(cut(whole, logs, size, 0)))
    if (room < Math.min(wanted, size.logShare * maxBytes)) continue
    for (const share of LOG_SHARES) {
      const summary = cut(whole, logs, size, room * share)
      if (fits(summary)) return summary
    }
  }
  return cut(whole, logs, least, 0)
}

/** Parts of the room for logs: gaps in an excerpt may need more than what was kept for them. */
const LOG_SHARES = [1, 0.95, 0.85, 0.6, 0]

/** The sizes in the order in which they are tried, from everything to the build alone. */
function sizesOf(whole: WholeSummary): readonly SummarySize[] {
  const everything: SummarySize = {
    problems: whole.problems.length,
    annotations: whole.annotations.length,
    names: 20,
    text: 4_000,
    exact: 2_000,
    frame: 'whole',
    logShare: 0.6,
  }
  const thin: SummarySize = { ...everything, text: 300, exact: 500, frame: 'thin', names: 10 }
  const fewerEntries = powers(0.8, 0.05).map((share): SummarySize => {
    return {
      ...thin,
      problems: Math.max(1, Math.floor(everything.problems * share)),
      annotations: Math.floor(everything.annotations * share),
      text: 120,
      names: 5,
      logShare: 0.45,
    }
  })
  const onlyFirstProblem = [0.4, 0.3, 0.2, 0.1].map((logShare): SummarySize => {
    return { ...least, problems: 1, logShare, text: 80, exact: 80 }
  })
  const withoutLog = [40, 20].map((text): SummarySize => {
    return { ...least, problems: 1, text, exact: 40 }
  })
  const onlyBuild = [80, 40, 20].map((text): SummarySize => ({ ...least, text, exact: 80 }))
  return [
    everything,
    { ...everything, text: 1_000 },
    thin,
    { ...thin, text: 120, logShare: 0.45 },
    ...fewerEntries,
    ...onlyFirstProblem,
    ...withoutLog,
    ...onlyBuild,
  ]
}

/** The powers of `base` that are larger than `end`. */
function powers(base: number, end: number): number[] {
  const all: number[] = []
  for (let power = base; power > end; power *= base) all.push(power)
  return all
}

/** The summary at a size, with `logBytes` for all logs together. */
function cut(
  whole: WholeSummary,
  logs: readonly (LogExcerpt | null)[],
  size: SummarySize,
  logBytes: number,
): FailureSummary {
  let shortenedTexts = 0
  const brief = (key: string, value: string): string | null => {
    const text = plain(value)
    const isWord = /^[\w.:+-]*$/.test(text)
    if (isWord && text.length <= size.exact) return text
    if (ADDRESS.test(key)) return text.length <= size.exact ? text : null
    // The headline is the answer, so more of it is kept.
    const kept = cutText(text, key === 'headline' ? 3 * size.text : size.text)
    if (kept !== text) shortenedTexts += 1
    return kept
  }
  const isWhole = size.frame === 'whole'
  const isBare = size.frame === 'bare'

  const shares = shareOut(
    logs.slice(0, size.problems).map((log) => sizeOf(log?.lines ?? [])),
    logBytes,
  )
  const problems = whole.problems
    .slice(0, size.problems)
    .map(({ found, ...described }, at): Problem => {
      const problem = isWhole ? described : thinProblem(described, isBare)
      const log_absent = 'absent' in found ? found.absent : null
      const full = logs[at] ?? null
      const bytes = shares[at] ?? 0
      const isShort = bytes < sizeOf(full?.lines ?? [])
      const log =
        isShort && 'read' in found ? excerpt(found.read, { lines: whole.logLines, bytes }) : full
      return { ...briefly({ ...problem, log_absent }, brief), log }
    })

  const annotations = briefly(whole.annotations.slice(0, size.annotations), brief)
  const not_run = briefly(whole.not_run.slice(0, size.names), brief)
  const { outcome, headline, passed_after = null } = whole
  const before = isBare ? null : isWhole ? whole.before : thinBefore(whole.before)
  const thinned = isWhole ? whole.build : thinBuild(whole.build)
  const build = size === least ? skeleton(whole.build) : thinned
  const shown = briefly({ build, outcome, headline, before, passed_after }, brief)
  const jobs = isBare ? mostOf(whole.jobs) : whole.jobs

  const bytes = problems.reduce((sum, { log }) => sum + (log?.bytes_left_out ?? 0), 0)
  const missing = {
    problems: whole.others + whole.problems.length - problems.length,
    names: whole.not_run.length - not_run.length,
    logs: problems.filter(({ log }) => (log?.bytes_left_out ?? 0) > 0).length,
    annotations: whole.annotations.length - annotations.length,
    before: whole.before !== null && before === null ? 1 : 0,
  }
  const cuts: readonly SummaryCut[] = [
    { what: 'problems', count: missing.problems, advice: 'read the build with its jobs' },
    { what: 'not_run', count: missing.names, advice: 'read the build with its jobs' },
    { what: 'logs', count: missing.logs, bytes, advice: 'read the log of the job' },
    { what: 'annotations', count: missing.annotations, advice: 'list the annotations' },
    {
      what: 'annotations',
      count: whole.notesUnread ? 1 : 0,
      advice: 'list the annotations: they could not be read',
    },
    { what: 'before', count: missing.before, advice: 'allow more bytes' },
    { what: 'text', count: shortenedTexts, advice: 'allow more bytes' },
  ]
  const truncated = cuts.filter(({ count }) => count > 0)
  const summary = { ...shown, jobs, problems, not_run, annotations, truncated }
  return isWhole ? summary : withoutNulls(summary)
}

/** A part of a time, an address or a commit is of no use. */
const ADDRESS = /^(?:.*_at|.*_url|commit)$/u

/** The four largest counts; the others together. */
function mostOf(counts: Readonly<Record<string, number>>): Record<string, number> {
  const [...sorted] = Object.entries(counts).sort(([, one], [, other]) => other - one)
  const rest = sorted.slice(4).reduce((sum, [, count]) => sum + count, 0)
  const most = Object.fromEntries(sorted.slice(0, 4))
  return rest === 0 ? most : { ...most, other: (most['other'] ?? 0) + rest }
}

/**
 * How many bytes each log gets. The first log gets at least half; the others share the rest, and a
 * log that needs less than its share leaves more to those after it.
 */
function shareOut([first = 0, ...others]: readonly number[], bytes: number): number[] {
  const wanted = others.reduce((sum, need) => sum + need, 0)
  const firstShare = Math.min(first, Math.max(bytes / 2, bytes - wanted))
  let left = bytes - firstShare
  const shares = others.map((need, at) => {
    const share = Math.min(need, left / (others.length - at))
    left -= share
    return share
  })
  return [firstShare, ...shares]
}

/** A value with each text in it shortened. */
function briefly<T>(value: T, brief: (key: string, text: string) => string | null): T {
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return brief(key, part)
    if (Array.isArray(part)) return part.map((each) => walk(each, key))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, walk(each, name)]))
  }
  return walk(value, '') as T
}
