import type { FailureSummary, Problem } from '@buildwire/sdk'
import { emojify } from '../io/emoji.js'
import { safeUrl } from '../io/hyperlink.js'
import { blank, firstLine, type Printable, say } from '../io/printable.js'
import type { NextStep } from './facts.js'
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

/** Why a build failed, as Markdown for a comment. Texts of the build are escaped or in code. */
export function summaryMarkdown(summary: FailureSummary, next: readonly NextStep[]): Printable[] {
  const { build, truncated } = summary
  const name = `${build.org_slug}/${build.pipeline_slug} #${build.number}`
  const origin = originText(summary)
  const since = sinceText(summary)
  const { sections, canceled, notRun } = sortProblems(summary)
  return [
    say`## ${escapedSigns(headlineText(summary, false))}`,
    blank,
    say`${linked(name, build.web_url)} ${summary.outcome}`,
    ...(!build.message ? [] : [blank, say`> ${escaped(firstLine(build.message))}`]),
    ...sections.flatMap(section),
    ...listed('Canceled', canceled),
    ...listed('Did not run because of it', notRun),
    ...otherAnnotations(summary).flatMap(({ style, context, text }) => [
      blank,
      say`### ${style}${context === null ? '' : `: ${escaped(context)}`}`,
      ...fenced(text.split('\n')),
    ]),
    blank,
    ...(origin === null ? [] : [say`- origin: ${escaped(origin)}`]),
    ...(since === null ? [] : [say`- since: ${escaped(since)}`]),
    ...otherCuts(truncated).map(({ advice }) => say`- ${escaped(advice)}`),
    ...next.map(({ about, command }) => say`- ${about}: ${code(String(command))}`),
  ]
}

function section(problem: Problem): Printable[] {
  const { location, log } = problem
  const rest = leftOut(problem)
  const absent = problem.log_absent === null ? '' : `. ${problem.log_absent.sentence}`
  const file = !location ? '' : `, at ${code(`${location.file}:${location.line}`)}`
  return [
    blank,
    say`### ${linked(problem.name, problem.web_url)}`,
    blank,
    say`${escaped(`${sentenceOf(problem, false)}${absent}`)}${file}${rest === null ? '' : ` (${rest})`}`,
    ...(log === null ? [] : fenced(log.lines)),
  ]
}

function listed(words: string, names: readonly string[]): Printable[] {
  if (names.length === 0) return []
  return [blank, say`${words}: ${names.map(escaped).join(', ')}`]
}

function linked(name: string, address: string | null | undefined): string {
  const url = safeUrl(address)
  return url === null ? escaped(name) : `[${escaped(name)}](${url})`
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
  return escapedSigns(emojify(text, false))
}

function escapedSigns(text: string) {
  return text.replace(/[\\`*_{}[\]<>#|@!&~]/gu, '\\$&').replace(/\s+/gu, ' ')
}
