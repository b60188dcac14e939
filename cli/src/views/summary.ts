import type { FailureSummary, Problem } from '@buildwire/sdk'
import { emojify } from '../io/emoji.js'
import { reference, say } from '../io/printable.js'
import type { NextStep } from './facts.js'
import type { ViewOptions } from './view.js'

const RETRIED = ['failed', 'timed_out', 'canceled', 'expired']

/** Commands for the build that can be copied; only those that the server will accept. */
export function nextCommands(
  { build, outcome, jobs, problems }: FailureSummary,
  command: ViewOptions['command'],
): NextStep[] {
  const ref = reference(build, build.number)
  const children = problems.flatMap(({ triggered_build: child }) => {
    const { org_slug, pipeline_slug, number } = child ?? {}
    return org_slug && pipeline_slug ? [reference({ org_slug, pipeline_slug }, number)] : []
  })
  const retries = problems.some(
    ({ type, state, soft, runs_again }) =>
      type === 'script' && !soft && !runs_again && RETRIED.includes(state ?? ''),
  )
  const withLog = problems.find(({ log }) => log !== null)
  const { failed = 0, soft_failed = 0, timed_out = 0 } = jobs
  const isOnlyFailed = RETRIED.includes(withLog?.state ?? '') && !withLog?.runs_again
  const ofLog =
    isOnlyFailed && failed + soft_failed + timed_out === 1
      ? ['--failed']
      : ['--job', `${withLog?.id}`]
  const words: [about: string, words: string[]][] = [
    ...children.slice(0, 2).map((child): [string, string[]] => ['its build', ['why', child]]),
    ...(outcome === 'blocked' ? [['unblock', ['jobs', 'unblock', ref]] as [string, string[]]] : []),
    ...(retries ? [['retry', ['builds', 'retry', ref]] as [string, string[]]] : []),
    ...(withLog === undefined
      ? []
      : [['whole log', ['builds', 'logs', ref, ...ofLog]] as [string, string[]]]),
    ['open', ['builds', 'open', ref]],
  ]
  return words.map(([about, line]) => ({ about: say`${about}`, command: command(line) }))
}

/** The headline with emoji in the name of its job. A log may hold `:100:`, which is a line there. */
export function headlineText({ headline, problems }: FailureSummary, ascii: boolean): string {
  const name = problems[0]?.name ?? ''
  const at = name === '' ? -1 : headline.indexOf(name)
  if (at === -1) return headline
  const end = at + name.length
  return `${headline.slice(0, at)}${emojify(name, ascii).trim()}${headline.slice(end)}`
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

export function sentenceOf(problem: Problem): string {
  const { sentence, attempts, soft, runs_again, triggered_build } = problem
  const failures = attempts.filter(({ state }) => RETRIED.includes(state ?? '')).length
  const times = failures === 2 ? 'twice' : `${failures} times`
  return [
    triggered_build?.headline ? `${sentence}: ${triggered_build.headline}` : sentence,
    ...(failures > 1 ? [`it failed ${times}`] : []),
    ...(runs_again ? [`it runs again (attempt ${attempts.length})`] : []),
    ...(soft ? ['it does not fail the build'] : []),
  ].join('; ')
}

/** How much of the log is missing. */
export function leftOut({ log }: Problem): string | null {
  if (log === null || (log.bytes_left_out === 0 && (log.lines_left_out ?? 0) === 0)) return null
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
