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

/** A summary of any size, whose logs are whole. */
export interface WholeSummary extends Omit<FailureSummary, 'problems' | 'truncated'> {
  readonly problems: readonly (Omit<Problem, 'log' | 'log_absent'> & { readonly found: LogFound })[]
  /** Problems that nobody described. */
  readonly others: number
  /** There may be annotations, and they could not be read. */
  readonly notesUnread: boolean
  readonly logLines: number
}

/** How much of a summary is kept. */
interface Size {
  readonly problems: number
  readonly annotations: number
  /** Bytes of all logs together. */
  readonly logs: number
  /** Characters of a text that can be cut. */
  readonly text: number
  /** Characters of a word or an address, which is of use whole or not at all. */
  readonly exact: number
  /** Without the builds before, the earlier attempts, and rare states of jobs. */
  readonly bare: boolean
}

/**
 * The smallest summary that there is: which build it is about, how it stands, and how much is
 * missing.
 */
const least: Size = { problems: 0, annotations: 0, logs: 0, text: 8, exact: 36, bare: true }

/**
 * The summary within `maxBytes` of JSON in UTF-8: logs are shortened first, then texts, then
 * entries go; what was cut is said.
 */
export function fit(whole: WholeSummary, maxBytes: number): FailureSummary {
  const lines = whole.logLines
  const logs = whole.problems.map(({ found }) =>
    'read' in found ? excerpt(found.read, { lines, bytes: Number.POSITIVE_INFINITY }) : null,
  )
  for (const size of sizes(whole, maxBytes)) {
    const summary = cut(whole, logs, size)
    if (byteLength(JSON.stringify(summary)) <= maxBytes) return summary
  }
  return cut(whole, logs, least)
}

function* sizes(whole: WholeSummary, maxBytes: number): Generator<Size> {
  const all = {
    problems: whole.problems.length,
    annotations: whole.annotations.length,
    exact: 2_000,
    bare: false,
  }
  yield { ...all, logs: maxBytes, text: 4_000 }
  for (let share = 0.85; share > 0.1; share *= 0.85)
    yield { ...all, logs: maxBytes * share, text: 1_000 }
  for (let left = 0.8; left > 0.05; left *= 0.8) {
    const problems = Math.max(1, Math.floor(all.problems * left))
    const annotations = Math.floor(all.annotations * left)
    yield { problems, annotations, logs: maxBytes * 0.2, text: 200, exact: 500, bare: false }
  }
  const one = { problems: 1, annotations: 0, exact: 80, bare: true }
  for (const share of [0.4, 0.3, 0.2, 0.1]) yield { ...one, logs: maxBytes * share, text: 80 }
  for (const text of [40, 20]) yield { ...one, logs: 0, text, exact: 40 }
  for (const text of [80, 40, 20]) yield { ...least, text, exact: 80 }
}

function cut(
  whole: WholeSummary,
  logs: readonly (LogExcerpt | null)[],
  size: Size,
): FailureSummary {
  let texts = 0
  const brief = (key: string, given: string): string | null => {
    const text = plain(given)
    if (text.length <= size.exact && /^[\w.:+-]*$/.test(text)) return text
    if (ADDRESS.test(key)) return text.length <= size.exact ? text : null
    // The headline is the answer.
    const kept = cutText(text, key === 'headline' ? 3 * size.text : size.text)
    if (kept !== text) texts += 1
    return kept
  }
  let short = 0
  const shares = shareOut(
    logs.slice(0, size.problems).map((log) => sizeOf(log?.lines ?? [])),
    size.logs,
  )
  const problems = whole.problems
    .slice(0, size.problems)
    .map(({ found, ...problem }, at): Problem => {
      const attempts = size.bare ? problem.attempts.slice(-1) : problem.attempts
      const log_absent = 'absent' in found ? found.absent : null
      const most = { lines: whole.logLines, bytes: shares[at] ?? 0 }
      const log = 'read' in found ? excerpt(found.read, most) : null
      if (log !== null && log.lines.length < (logs[at]?.lines.length ?? 0)) short += 1
      return { ...briefly({ ...problem, attempts, log_absent }, brief), log }
    })
  const annotations = briefly(whole.annotations.slice(0, size.annotations), brief)
  const { outcome } = whole
  const before = size.bare ? null : whole.before
  const build = size === least ? skeleton(whole.build) : whole.build
  const shown = briefly({ build, outcome, headline: whole.headline, before }, brief)
  const truncated = [
    left(
      'problems',
      whole.others + whole.problems.length - problems.length,
      'read the build with its jobs',
    ),
    left('logs', short, 'read the log of the job'),
    left('annotations', whole.annotations.length - annotations.length, 'list the annotations'),
    left('annotations', whole.notesUnread ? 1 : 0, 'list the annotations: they could not be read'),
    left('before', before === whole.before ? 0 : 1, 'allow more bytes'),
    left('text', texts, 'allow more bytes'),
  ].filter(({ count }) => count > 0)
  const jobs = size.bare ? mostOf(whole.jobs) : whole.jobs
  return { ...shown, jobs, problems, annotations, truncated }
}

function left(what: SummaryCut['what'], count: number, advice: string): SummaryCut {
  return {
    what,
    count,
    advice,
  }
}

/** Times, addresses and commits are of no use in pieces. */
const ADDRESS = /^(?:.*_at|.*_url|commit)$/u

function skeleton({
  id,
  org_slug,
  pipeline_slug,
  number,
  state,
  blocked,
  ...rest
}: SummaryBuild): SummaryBuild {
  const nothing = Object.fromEntries(Object.keys(rest).map((key) => [key, null])) as Record<
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
 * How many bytes each log gets: the first at least half, the others as much as each needs of the
 * rest.
 */
function shareOut([first = 0, ...others]: readonly number[], bytes: number): number[] {
  const wanted = others.reduce((sum, need) => sum + need, 0)
  const own = Math.min(first, Math.max(bytes / 2, bytes - wanted))
  let room = bytes - own
  const shares = others.map((need, at) => {
    const share = Math.min(need, room / (others.length - at))
    room -= share
    return share
  })
  return [own, ...shares]
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
