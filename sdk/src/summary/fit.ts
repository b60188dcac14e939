import type {
  FailureSummary,
  LogExcerpt,
  Problem,
  SummaryBuild,
  SummaryCut,
} from './failure-summary.js'
import { excerpt, sizeOf } from './log-excerpt.js'
import type { LogFound } from './problem-log.js'
import { byteLength, cutText, plain } from './text.js'

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
  /** Bytes of all logs together. */
  readonly logs: number
  /** Characters of a text that can be cut. */
  readonly text: number
  /** Characters of a word or an address, which is only of use as a whole. */
  readonly exact: number
  /** Without the builds before, the earlier attempts, and rare states of jobs. */
  readonly bare: boolean
}

/** The smallest summary: which build it is about, its outcome, and how much is missing. */
const least: SummarySize = {
  problems: 0,
  annotations: 0,
  logs: 0,
  text: 8,
  exact: 36,
  bare: true,
}

/**
 * The summary within `maxBytes` of JSON in UTF-8: logs are shortened first, then texts, then entries
 * are left out. `truncated` lists what was cut.
 */
export function fit(whole: WholeSummary, maxBytes: number): FailureSummary {
  const most = { lines: whole.logLines, bytes: Number.POSITIVE_INFINITY }
  const logs = whole.problems.map(({ found }) =>
    'read' in found ? excerpt(found.read, most) : null,
  )
  for (const size of sizesOf(whole, maxBytes)) {
    const summary = cut(whole, logs, size)
    if (byteLength(JSON.stringify(summary)) <= maxBytes) return summary
  }
  return cut(whole, logs, least)
}

/** The sizes in the order in which they are tried, from everything to the build alone. */
function sizesOf(whole: WholeSummary, maxBytes: number): readonly SummarySize[] {
  const everything: SummarySize = {
    problems: whole.problems.length,
    annotations: whole.annotations.length,
    logs: maxBytes,
    text: 4_000,
    exact: 2_000,
    bare: false,
  }
  const shorterLogs = powers(0.85, 0.1).map((share): SummarySize => {
    return { ...everything, logs: maxBytes * share, text: 1_000 }
  })
  const fewerEntries = powers(0.8, 0.05).map((share): SummarySize => {
    return {
      problems: Math.max(1, Math.floor(everything.problems * share)),
      annotations: Math.floor(everything.annotations * share),
      logs: maxBytes * 0.2,
      text: 200,
      exact: 500,
      bare: false,
    }
  })
  const onlyFirstProblem = [0.4, 0.3, 0.2, 0.1].map((share): SummarySize => {
    return { ...least, problems: 1, logs: maxBytes * share, text: 80, exact: 80 }
  })
  const withoutLog = [40, 20].map((text): SummarySize => {
    return { ...least, problems: 1, text, exact: 40 }
  })
  const onlyBuild = [80, 40, 20].map((text): SummarySize => ({ ...least, text, exact: 80 }))
  return [
    everything,
    ...shorterLogs,
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

function cut(
  whole: WholeSummary,
  logs: readonly (LogExcerpt | null)[],
  size: SummarySize,
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

  let shortenedLogs = 0
  const shares = shareOut(
    logs.slice(0, size.problems).map((log) => sizeOf(log?.lines ?? [])),
    size.logs,
  )
  const problems = whole.problems
    .slice(0, size.problems)
    .map(({ found, ...problem }, at): Problem => {
      const attempts = size.bare ? problem.attempts.slice(-1) : problem.attempts
      const log_absent = 'absent' in found ? found.absent : null
      const full = logs[at] ?? null
      const wholeLines = full?.lines.length ?? 0
      const bytes = shares[at] ?? 0
      const isShort = bytes < sizeOf(full?.lines ?? [])
      const log =
        isShort && 'read' in found ? excerpt(found.read, { lines: whole.logLines, bytes }) : full
      if (log !== null && log.lines.length < wholeLines) shortenedLogs += 1
      return { ...briefly({ ...problem, attempts, log_absent }, brief), log }
    })

  const annotations = briefly(whole.annotations.slice(0, size.annotations), brief)
  const { outcome, headline } = whole
  const before = size.bare ? null : whole.before
  const build = size === least ? skeleton(whole.build) : whole.build
  const shown = briefly({ build, outcome, headline, before }, brief)
  const jobs = size.bare ? mostOf(whole.jobs) : whole.jobs

  const missingProblems = whole.others + whole.problems.length - problems.length
  const missingAnnotations = whole.annotations.length - annotations.length
  const unreadAnnotations = whole.notesUnread ? 1 : 0
  const missingBefore = before === whole.before ? 0 : 1
  const cuts: readonly SummaryCut[] = [
    { what: 'problems', count: missingProblems, advice: 'read the build with its jobs' },
    { what: 'logs', count: shortenedLogs, advice: 'read the log of the job' },
    { what: 'annotations', count: missingAnnotations, advice: 'list the annotations' },
    {
      what: 'annotations',
      count: unreadAnnotations,
      advice: 'list the annotations: they could not be read',
    },
    { what: 'before', count: missingBefore, advice: 'allow more bytes' },
    { what: 'text', count: shortenedTexts, advice: 'allow more bytes' },
  ]
  const truncated = cuts.filter(({ count }) => count > 0)
  return { ...shown, jobs, problems, annotations, truncated }
}

/** A part of a time, an address or a commit is of no use. */
const ADDRESS = /^(?:.*_at|.*_url|commit)$/u

/** The build with what identifies it, and null for all else. */
function skeleton({
  id,
  org_slug,
  pipeline_slug,
  number,
  state,
  blocked,
  ...rest
}: SummaryBuild): SummaryBuild {
  const keys = Object.keys(rest) as (keyof typeof rest)[]
  const nothing = Object.fromEntries(keys.map((key) => [key, null])) as Record<
    keyof typeof rest,
    null
  >
  return { id, org_slug, pipeline_slug, number, state, blocked, ...nothing }
}

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
