import type { FailureSummary, Problem } from '@buildwire/sdk'
import { emojify } from '../io/emoji.js'
import { reference, say } from '../io/printable.js'
import type { NextStep } from './facts.js'
import { bareName } from './match-jobs.js'
import type { ViewOptions } from './view.js'

const RETRIED = ['failed', 'timed_out', 'canceled', 'expired']

/**
 * Commands for the build that can be copied; only those that the server will accept. `isOfJob`: the
 * summary explains one job, which may have been retried.
 */
export function nextCommands(
  { build, outcome, jobs, problems }: FailureSummary,
  isOfJob: boolean,
  command: ViewOptions['command'],
): NextStep[] {
  const ref = reference(build, build.number)
  const { failed = 0, soft_failed = 0, timed_out = 0 } = jobs
  const children = problems.flatMap(({ triggered_build: child }) => {
    const { org_slug, pipeline_slug, number } = child ?? {}
    return org_slug && pipeline_slug ? [reference({ org_slug, pipeline_slug }, number)] : []
  })
  const jobFlags = (problem: Problem) => {
    const isFailed = RETRIED.includes(problem.state ?? '') && !problem.runs_again
    const isOnly = isFailed && failed + soft_failed + timed_out === 1
    return isOnly ? ['--failed'] : ['--job', isOfJob ? problem.id : problemWord(problem)]
  }
  const retries = problems.some(
    ({ type, state, soft, runs_again }) =>
      type === 'script' && !soft && !runs_again && RETRIED.includes(state ?? ''),
  )
  const withLog = problems.find(({ log }) => log !== null)
  const words: [about: string, words: string[]][] = [
    ...children.slice(0, 2).map((child): [string, string[]] => ['its build', ['why', child]]),
    ...(outcome === 'blocked' ? [['unblock', ['jobs', 'unblock', ref]] as [string, string[]]] : []),
    ...(retries ? [['retry', ['builds', 'retry', ref]] as [string, string[]]] : []),
    ...(withLog === undefined
      ? []
      : [['whole log', ['builds', 'logs', ref, ...jobFlags(withLog)]] as [string, string[]]]),
    ['open', ['builds', 'open', ref]],
  ]
  return words.map(([about, line]) => ({ about: say`${about}`, command: command(line) }))
}

/**
 * The word for a problem's job on a command line, if it is sure that no other job has it: the key of
 * its step, or the name with its place among parallel jobs; else the id.
 */
function problemWord(problem: Problem): string {
  const { id, name, step_key, matrix, runs_again, parallel_group_total: total } = problem
  if (!step_key || matrix || runs_again) return id
  return (total ?? 1) > 1 ? bareName(name) : step_key
}

/** The name of an emoji or an image at the start of the name of a job, in a headline about a log. */
const ICON_OF_JOB = /(^|#\d+: )(:[a-z][a-z0-9_+-]*:\s+)/gu
/** The same in a headline that quotes no log: it may list several jobs. */
const ICON_OF_JOBS = /(^|: |, )(:[a-z][a-z0-9_+-]*:\s+)/gu

function drawIcons(text: string, icons: RegExp, ascii: boolean): string {
  return text.replace(icons, (_, before: string, icon: string) => before + emojify(icon, ascii))
}

/** The headline with emoji in the names of jobs. A log may hold `:100:`, which is a line there. */
export function headlineText({ headline, problems }: FailureSummary, ascii: boolean): string {
  const [first] = problems
  if (first === undefined) return drawIcons(headline, ICON_OF_JOBS, ascii)
  const at = headline.indexOf(first.name)
  if (at === -1) return drawIcons(headline, ICON_OF_JOB, ascii)
  const rest = headline.slice(at + first.name.length)
  const name = emojify(first.name, ascii).trim()
  return `${headline.slice(0, at)}${name}${drawIcons(rest, ICON_OF_JOB, ascii)}`
}

/** The problems by how they are shown. */
export function sortProblems({ problems, not_run }: FailureSummary) {
  const canceled = problems.filter(({ cause }) => cause === 'canceled')
  const isFolded = canceled.length > 1
  return {
    /** Each has a section with its log. */
    sections: isFolded ? problems.filter(({ cause }) => cause !== 'canceled') : problems,
    /** Listed by name, since a person who cancels a build ends many jobs. */
    canceled: isFolded ? canceled.map(({ name }) => name) : [],
    notRun: not_run,
  }
}

export function sentenceOf(problem: Problem, ascii: boolean): string {
  const { sentence, attempts, soft, runs_again, triggered_build } = problem
  const failures = attempts.filter(({ state }) => RETRIED.includes(state ?? '')).length
  const times = failures === 2 ? 'twice' : `${failures} times`
  const reason = drawIcons(triggered_build?.headline ?? '', ICON_OF_JOB, ascii)
  return [
    reason === '' ? sentence : `${sentence}: ${reason}`,
    ...(failures > 1 ? [`it failed ${times}`] : []),
    ...(runs_again ? [`it runs again (attempt ${attempts.length})`] : []),
    ...(soft ? ['it does not fail the build'] : []),
  ].join('; ')
}

/** How much of the log is missing. */
export function leftOut({ log }: Problem): string | null {
  // A shown line may lack bytes, such as its colours, while no line is missing.
  if (log === null || log.bytes_left_out === 0 || log.lines_left_out === 0) return null
  if (log.lines_left_out === null) return 'the log begins earlier'
  return `${log.lines_left_out} ${log.lines_left_out === 1 ? 'line is' : 'lines are'} left out`
}

/** The cuts without those of logs: each excerpt says itself how much is missing. */
export function otherCuts(truncated: FailureSummary['truncated']) {
  return truncated.filter(({ what }) => what !== 'logs')
}

/** The annotations that the headline does not already say whole. */
export function otherAnnotations({ headline, annotations }: FailureSummary) {
  return annotations.filter(({ text }) => !headline.includes(text.trim()))
}

/** Whether the first problem is new, with the evidence; null if unknown. */
export function originText({ problems }: FailureSummary): string | null {
  return problems[0]?.origin?.sentence ?? null
}

/** Since when the branch fails, or the build that passed after it; null if unknown. */
export function sinceText({ build, before, passed_after }: FailureSummary): string | null {
  const short = (commit: string | null | undefined) => (commit ? ` (${commit.slice(0, 12)})` : '')
  if (passed_after) return `#${passed_after.number} passed after it${short(passed_after.commit)}`
  if (before === null) return null
  const { last_passed: passed, first_failed: failed, builds_since: since, searched } = before
  const first =
    failed === null || failed.number === build.number
      ? ''
      : `, first #${failed.number}${short(failed.commit)}`
  if (passed === null)
    return searched === 0 ? null : `none of the ${searched} builds before passed${first}`
  const count = since === 1 ? 'this build is the first since' : `${since} builds since`
  return `${count} #${passed.number} passed${short(passed.commit)}${first}`
}
