import { type FailureSummary, type Problem, parseTimestamp } from '@buildwire/sdk'
import type { Looks } from '../io/color.js'
import { emojify } from '../io/emoji.js'
import { blank, firstLine, joined, type Printable, say } from '../io/printable.js'
import { age, duration } from '../io/time.js'
import { pad, wrap } from '../io/width.js'
import { shortCommit } from './build.js'
import { type Mark, markOf, markText, softFailureMark } from './marks.js'
import { leftOut, problemName, sentenceOf, sinceText } from './next-commands.js'
import type { NextStep } from './steps.js'

export interface SummaryLook {
  readonly looks: Looks
  /** Null where lines are not broken. */
  readonly width: number | null
  readonly now: number
}

const LABEL = 11
/** Cells in front of a log line. */
const BAR = 6
const MAX_INDENT = 12

/** Why a build failed, for people: the answer, each problem with its log, since when, and what to do. */
export function summaryText(
  summary: FailureSummary,
  next: readonly NextStep[],
  { looks, width, now }: SummaryLook,
): Printable[] {
  const { build, outcome, problems, annotations, truncated } = summary
  const { paint, ascii, plain } = looks
  const broken = (indent: number, text: Printable, beside = 0) => {
    const start = say`${' '.repeat(indent)}`
    return (width === null ? [text] : wrap(text, width - indent - beside, null)).map((line) => say`${start}${line}`)
  }
  const marked = (mark: Mark, text: Printable) => say`${markText(mark, looks)}${text}`
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
  const causes = problems.filter(({ cause }) => cause !== 'broken')
  const followed = problems.filter(({ cause }) => cause === 'broken')

  /** A log line keeps its own indentation in every line that it is broken into. */
  const inset = (line: string): Printable[] => {
    const indent = Math.min(line.length - line.trimStart().length, MAX_INDENT)
    return width === null ? [say`${line}`] : broken(indent, say`${line}`, BAR)
  }
  const section = (problem: Problem): Printable[] => {
    const mark = problem.soft ? softFailureMark : markOf(problem.state ?? 'failed')
    const title = emojify(problemName(problem), ascii)
    const rest = leftOut(problem)
    const bar = plain ? say`` : paint('dim', ascii ? say`| ` : say`│ `)
    const log = problem.log?.lines.flatMap((line) => inset(line).map((part) => say`    ${bar}${part}`)) ?? []
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
  const names = followed.map((problem) => say`${emojify(problemName(problem), ascii)}`)
  return [
    paint(markOf(outcome).style, marked(markOf(outcome), name)),
    ...broken(2, joined(facts, dot)),
    ...(message === '' ? [] : broken(2, say`${message}`)),
    ...(problems.length === 0 ? [blank, ...broken(2, say`${summary.headline}`)] : []),
    ...causes.flatMap(section),
    ...(names.length === 0 ? [] : [blank, ...broken(2, say`Did not run because of it: ${joined(names, say`, `)}`)]),
    ...annotations.flatMap(({ style, context, text }) => [
      blank,
      ...broken(2, paint('dim', say`${style}${context === null ? '' : ` ${context}`}`)),
      ...text.split('\n').flatMap((line) => broken(4, say`${line}`)),
    ]),
    blank,
    ...truncated.flatMap(({ advice }) => broken(2, paint('dim', advice))),
    ...(since === null ? [] : [labeled(say`since`, say`${since}`)]),
    ...next.map(({ about, command }) => labeled(about, command)),
  ]
}
