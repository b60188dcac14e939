import { type FailureSummary, type Problem, parseTimestamp } from '@buildwire/sdk'
import type { Looks } from '../io/color.js'
import { emojify } from '../io/emoji.js'
import { safeUrl } from '../io/hyperlink.js'
import { blank, firstLine, joined, type Printable, reference, say } from '../io/printable.js'
import { age, duration } from '../io/time.js'
import { pad, wrap } from '../io/width.js'
import { shortCommit } from './build.js'
import type { NextStep } from './facts.js'
import { markOf, markText, type StateMark, softFailureMark } from './marks.js'
import type { ViewOptions } from './view.js'

const RETRIED = ['failed', 'timed_out', 'canceled', 'expired']

/** Commands for the build that can be copied; only those that the server will accept. */
export function nextCommands(
  { build, problems }: FailureSummary,
  command: ViewOptions['command'],
): NextStep[] {
  const ref = reference(build, build.number)
  const retries = problems.some(({ state }) => RETRIED.includes(state ?? ''))
  const withLog = problems.find(({ log }) => log !== null)
  return [
    ...(retries ? [{ about: say`retry`, command: command(['builds', 'retry', ref]) }] : []),
    ...(withLog
      ? [{ about: say`whole log`, command: command(['builds', 'logs', ref, '--job', withLog.id]) }]
      : []),
    { about: say`open`, command: command(['builds', 'open', ref]) },
  ]
}

/** The name of a job with its position in its parallel group. */
function problemName({
  name,
  parallel_group_index: index = null,
  parallel_group_total: total = null,
}: Problem): string {
  if (index === null || total === null || name.includes(`${index + 1}/${total}`)) return name
  return `${name} ${index + 1}/${total}`
}

function sentenceOf({ sentence, attempts, soft }: Problem): string {
  const tries = attempts.length > 1 ? `; attempt ${attempts.length}` : ''
  return `${sentence}${tries}${soft ? '; it does not fail the build' : ''}`
}

/** How much of the log is missing before the excerpt. */
function leftOut({ log }: Problem): string | null {
  if (log === null || (log.bytes_left_out === 0 && (log.lines_left_out ?? 0) === 0)) return null
  if (log.lines_left_out === null) return 'the log begins earlier'
  return `${log.lines_left_out} ${log.lines_left_out === 1 ? 'line is' : 'lines are'} left out`
}

/** Since when the branch fails; null if unknown. */
function sinceText({ build, before }: FailureSummary): string | null {
  if (before === null) return null
  const { last_passed: passed, first_failed: failed, builds_since: since, searched } = before
  const short = (commit: string | null = null) =>
    commit === null ? '' : ` (${commit.slice(0, 12)})`
  const first =
    failed === null || failed.number === build.number
      ? ''
      : `, first #${failed.number}${short(failed.commit)}`
  if (passed === null)
    return searched === 0 ? null : `none of the ${searched} builds before passed${first}`
  const count = since === 1 ? 'this build is the first since' : `${since} builds since`
  return `${count} #${passed.number} passed${short(passed.commit)}${first}`
}

interface SummaryLook {
  readonly looks: Looks
  /** Null: lines are not broken. */
  readonly width: number | null
  readonly now: number
}

const LABEL = 11
/** Cells before a log line. */
const BAR = 6
const MAX_INDENT = 12

/**
 * Why a build failed, for people: the outcome, each problem with its log, since when it fails, and
 * commands to run next.
 */
export function summaryText(
  summary: FailureSummary,
  next: readonly NextStep[],
  { looks, width, now }: SummaryLook,
): Printable[] {
  const { build, outcome, problems, not_run, annotations, truncated } = summary
  const { paint, ascii, plain } = looks
  const broken = (indent: number, text: Printable, beside = 0) => {
    const start = say`${' '.repeat(indent)}`
    return (width === null ? [text] : wrap(text, width - indent - beside, null)).map(
      (line) => say`${start}${line}`,
    )
  }
  const marked = (mark: StateMark, text: Printable) => say`${markText(mark, looks)}${text}`
  const dot = ascii ? say` - ` : say` · `
  const finished = parseTimestamp(build.finished_at)
  const started = parseTimestamp(build.started_at)
  const at = finished ?? parseTimestamp(build.failing_at) ?? started
  const facts = [
    build.branch,
    shortCommit(build.commit),
    build.creator,
    at === null ? null : age(at, now, looks.utc),
    started === null || finished === null ? null : `took ${duration(finished - started)}`,
  ].flatMap((fact) => (fact ? [say`${fact}`] : []))
  const name = say`${build.org_slug}/${build.pipeline_slug} #${build.number} ${outcome}`
  const message = emojify(firstLine(build.message ?? ''), ascii).trim()

  /** If a log line is broken, each part keeps the indentation of the line. */
  const inset = (line: string): Printable[] => {
    const indent = Math.min(line.length - line.trimStart().length, MAX_INDENT)
    return width === null ? [say`${line}`] : broken(indent, say`${line}`, BAR)
  }
  const section = (problem: Problem): Printable[] => {
    const mark = problem.soft ? softFailureMark : markOf(problem.state ?? 'failed')
    const title = emojify(problemName(problem), ascii)
    const rest = leftOut(problem)
    const bar = plain ? say`` : paint('dim', ascii ? say`| ` : say`│ `)
    const log =
      problem.log?.lines.flatMap((line) => inset(line).map((part) => say`    ${bar}${part}`)) ?? []
    return [
      blank,
      ...broken(2, paint(mark.style, marked(mark, say`${title}`))),
      ...broken(4, say`${sentenceOf(problem)}`),
      ...(rest === null ? [] : [say`    ${paint('dim', rest)}`]),
      ...log,
      ...(problem.log_absent === null ? [] : broken(4, paint('dim', problem.log_absent.sentence))),
    ]
  }
  const labeled = (label: Printable, text: Printable) =>
    plain ? say`${label}: ${text}` : say`  ${paint('dim', pad(label, LABEL))}${text}`
  const since = sinceText(summary)
  const names = not_run.map((name) => say`${emojify(name, ascii)}`)
  return [
    paint(markOf(outcome).style, marked(markOf(outcome), name)),
    ...broken(2, joined(facts, dot)),
    ...(message === '' ? [] : broken(2, say`${message}`)),
    ...(problems.length === 0 ? [blank, ...broken(2, say`${summary.headline}`)] : []),
    ...problems.flatMap(section),
    ...(names.length === 0
      ? []
      : [blank, ...broken(2, say`Did not run because of it: ${joined(names, say`, `)}`)]),
    ...annotations.flatMap(({ style, context, text }) => [
      blank,
      ...broken(2, paint('dim', say`${style}${context === null ? '' : ` ${context}`}`)),
      ...text.split('\n').flatMap((line) => broken(4, say`${line}`)),
    ]),
    blank,
    ...advices(truncated).flatMap((advice) => broken(2, paint('dim', advice))),
    ...(since === null ? [] : [labeled(say`since`, say`${since}`)]),
    ...next.map(({ about, command }) => labeled(about, command)),
  ]
}

/** Why a build failed, as Markdown for a comment. Texts of the build are escaped or in code. */
export function summaryMarkdown(summary: FailureSummary, next: readonly NextStep[]): Printable[] {
  const { build, problems, not_run, annotations, truncated } = summary
  const url = safeUrl(build.web_url)
  const name = `${build.org_slug}/${build.pipeline_slug} #${build.number}`
  const since = sinceText(summary)
  const names = not_run.map(escaped).join(', ')
  return [
    say`## ${url === null ? escaped(name) : `[${escaped(name)}](${url})`} ${summary.outcome}`,
    blank,
    say`${escaped(summary.headline)}`,
    ...(build.message == null ? [] : [blank, say`> ${escaped(firstLine(build.message))}`]),
    ...problems.flatMap(section),
    ...(names === '' ? [] : [blank, say`Did not run because of it: ${names}`]),
    ...annotations.flatMap(({ style, context, text }) => [
      blank,
      say`### ${style}${context === null ? '' : `: ${escaped(context)}`}`,
      ...fenced(text.split('\n')),
    ]),
    blank,
    ...(since === null ? [] : [say`- ${escaped(since)}`]),
    ...advices(truncated).map((advice) => say`- ${escaped(advice)}`),
    ...next.map(({ about, command }) => say`- ${about}: ${code(String(command))}`),
  ]
}

/** What was left out, except of logs: each excerpt says that itself. */
function advices(truncated: FailureSummary['truncated']): string[] {
  return truncated.flatMap(({ what, advice }) => (what === 'logs' ? [] : [advice]))
}

function section(problem: Problem): Printable[] {
  const rest = leftOut(problem)
  const url = safeUrl(problem.web_url)
  const name = escaped(problemName(problem))
  const absent = problem.log_absent === null ? '' : `. ${problem.log_absent.sentence}`
  return [
    blank,
    say`### ${url === null ? name : `[${name}](${url})`}`,
    blank,
    say`${escaped(`${sentenceOf(problem)}${absent}`)}${rest === null ? '' : ` (${rest})`}`,
    ...(problem.log === null ? [] : fenced(problem.log.lines)),
  ]
}

/** Lines between fences that are longer than any run of backticks in them. */
function fenced(lines: readonly string[]): Printable[] {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1))
  return [blank, say`${fence}text`, ...lines.map((line) => say`${line}`), say`${fence}`]
}

function code(text: string): string {
  const ticks = '`'.repeat(longestRun(text) + 1)
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`
}

function longestRun(text: string) {
  return Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length))
}

/** Escapes Markdown, after names of emoji became characters: an escaped name would stay a name. */
function escaped(text: string) {
  return emojify(text, false)
    .replace(/[\\`*_{}[\]<>#|@!&~]/gu, '\\$&')
    .replace(/\s+/gu, ' ')
}
