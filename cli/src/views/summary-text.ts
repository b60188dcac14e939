import { type FailureSummary, type Problem, parseTimestamp } from '@buildwire/sdk'
import type { Looks } from '../io/color.js'
import { emojify } from '../io/emoji.js'
import { blank, firstLine, joined, type Printable, say } from '../io/printable.js'
import { age, duration } from '../io/time.js'
import { hanging, pad, wrap } from '../io/width.js'
import { shortCommit } from './build.js'
import type { NextStep } from './facts.js'
import { markOf, markText, type StyledMark, softFailureMark } from './marks.js'
import { foldPassed } from './passed-lines.js'
import {
  headlineText,
  leftOut,
  originText,
  otherAnnotations,
  otherCuts,
  sentenceOf,
  sinceText,
  sortProblems,
} from './summary.js'

interface SummaryLook {
  readonly looks: Looks
  /** Null: lines are not broken. */
  readonly width: number | null
  readonly now: number
  /** The place in the code that a problem names, as it is shown. */
  readonly location: (problem: Problem) => Printable | null
}

const LABEL = 11
/** Cells before a log line. */
const BAR = 6
const MAX_INDENT = 12

/**
 * Why a build failed, for people: the reason, which build, each problem with its log, since when it
 * fails, and commands to run next.
 */
export function summaryText(
  summary: FailureSummary,
  next: readonly NextStep[],
  { looks, width, now, location }: SummaryLook,
): Printable[] {
  const { build, outcome, truncated } = summary
  const { paint, ascii, plain } = looks
  const broken = (indent: number, text: Printable, beside = 0) => {
    const start = say`${' '.repeat(indent)}`
    return (width === null ? [text] : wrap(text, width - indent - beside, null)).map(
      (line) => say`${start}${line}`,
    )
  }
  const marked = (mark: StyledMark, text: Printable) => say`${markText(mark, looks)}${text}`
  const listed = (words: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          blank,
          ...broken(2, say`${words}: ${names.map((name) => emojify(name, ascii)).join(', ')}`),
        ]

  /** If a log line is broken, each part keeps the indentation of the line. */
  const inset = (line: string): Printable[] => {
    const indent = Math.min(line.length - line.trimStart().length, MAX_INDENT)
    return width === null ? [say`${line}`] : broken(indent, say`${line}`, BAR)
  }
  const section = (problem: Problem): Printable[] => {
    const mark = problem.soft ? softFailureMark : markOf(problem.state ?? 'failed')
    const title = emojify(problem.name, ascii)
    const rest = leftOut(problem)
    const place = location(problem)
    const bar = plain ? say`` : paint('dim', ascii ? say`| ` : say`│ `)
    const parts = (lines: readonly string[]) =>
      foldPassed(lines).flatMap((line) =>
        typeof line === 'number'
          ? [paint('dim', say`${ascii ? '...' : '…'} ${line} lines of tests that passed`)]
          : inset(line),
      )
    const log = parts(problem.log?.lines ?? []).map((part) => say`    ${bar}${part}`)
    return [
      blank,
      ...broken(2, paint(mark.style, marked(mark, say`${title}`))),
      ...broken(4, say`${sentenceOf(problem, ascii)}`),
      ...(place === null ? [] : [say`    at ${place}`]),
      ...log,
      ...(rest === null ? [] : [say`    ${paint('dim', rest)}`]),
      ...(problem.log_absent === null ? [] : broken(4, paint('dim', problem.log_absent.sentence))),
    ]
  }
  const labeled = (label: Printable, text: Printable) =>
    plain ? say`${label}: ${text}` : say`  ${paint('dim', pad(label, LABEL))}${text}`
  const explained = (label: Printable, text: string | null) => {
    if (text === null) return []
    if (plain || width === null) return [labeled(label, say`${text}`)]
    return hanging(labeled(label, blank), LABEL + 2, say`${text}`, width)
  }
  const origin = originText(summary)
  const since = sinceText(summary)
  const message = emojify(firstLine(build.message ?? ''), ascii).trim()
  const { sections, canceled, notRun } = sortProblems(summary)
  const mark = markOf(outcome)
  const [reason = blank, ...rest] = broken(2, say`${headlineText(summary, ascii)}`)
  const start = say`${String(reason).trimStart()}`
  return [
    ...[marked(mark, start), ...rest].map((line) => paint(mark.style, line)),
    ...broken(2, joined(facts(summary, now, looks.utc), ascii ? say` - ` : say` · `)),
    ...(message === '' ? [] : broken(2, say`${message}`)),
    ...sections.flatMap(section),
    ...listed('Canceled', canceled),
    ...listed('Did not run because of it', notRun),
    ...otherAnnotations(summary).flatMap(({ style, context, text }) => {
      const kind = style === 'error' ? 'annotation' : `annotation (${style})`
      return [
        blank,
        ...broken(2, paint('dim', say`${kind}${context === null ? '' : ` ${context}`}`)),
        ...text.split('\n').flatMap((line) => broken(4, say`${line}`)),
      ]
    }),
    blank,
    ...otherCuts(truncated).flatMap(({ advice }) => broken(2, paint('dim', advice))),
    ...explained(say`origin`, origin),
    ...explained(say`since`, since),
    ...next.map(({ about, command }) => labeled(about, paint('cyan', command))),
  ]
}

/** Which build it is, its branch, commit, author and times. */
function facts({ build, outcome }: FailureSummary, now: number, utc: boolean): Printable[] {
  const finished = parseTimestamp(build.finished_at)
  const started = parseTimestamp(build.started_at)
  const at = finished ?? parseTimestamp(build.failing_at) ?? started
  return [
    `${build.org_slug}/${build.pipeline_slug} #${build.number} ${outcome}`,
    build.branch,
    shortCommit(build.commit),
    build.creator,
    at === null ? null : age(at, now, utc),
    started === null || finished === null ? null : `took ${duration(finished - started)}`,
  ].flatMap((fact) => (fact ? [say`${fact}`] : []))
}
