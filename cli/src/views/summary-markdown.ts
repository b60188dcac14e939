import type { FailureSummary, Problem } from '@buildwire/sdk'
import { emojify } from '../io/emoji.js'
import { safeUrl } from '../io/hyperlink.js'
import { blank, firstLine, type Printable, say } from '../io/printable.js'
import { leftOut, problemName, sentenceOf, sinceText } from './next-commands.js'
import type { NextStep } from './steps.js'

/** Why a build failed, as Markdown for a comment: what comes from outside stands in code or is escaped. */
export function summaryMarkdown(summary: FailureSummary, next: readonly NextStep[]): Printable[] {
  const { build, problems, annotations, truncated } = summary
  const url = safeUrl(build.web_url)
  const name = `${build.org_slug}/${build.pipeline_slug} #${build.number}`
  const since = sinceText(summary)
  const followed = problems.filter(({ cause }) => cause === 'broken')
  const names = followed.map((problem) => escaped(problemName(problem))).join(', ')
  return [
    say`## ${url === null ? escaped(name) : `[${escaped(name)}](${url})`} ${summary.outcome}`,
    blank,
    say`${escaped(summary.headline)}`,
    ...(build.message === null ? [] : [blank, say`> ${escaped(firstLine(build.message))}`]),
    ...problems.filter(({ cause }) => cause !== 'broken').flatMap(section),
    ...(names === '' ? [] : [blank, say`Did not run because of it: ${names}`]),
    ...annotations.flatMap(({ style, context, text }) => [
      blank,
      say`### ${style}${context === null ? '' : `: ${escaped(context)}`}`,
      ...fenced(text.split('\n')),
    ]),
    blank,
    ...(since === null ? [] : [say`- ${escaped(since)}`]),
    ...truncated.map(({ advice }) => say`- ${escaped(advice)}`),
    ...next.map(({ about, command }) => say`- ${about}: ${code(String(command))}`),
  ]
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

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length))

/** The names of emoji become characters first: an escaped one (`:white\_check\_mark:`) would stay a name everywhere. */
const escaped = (text: string) =>
  emojify(text, false)
    .replace(/[\\`*_{}[\]<>#|@!&~]/gu, '\\$&')
    .replace(/\s+/gu, ' ')
