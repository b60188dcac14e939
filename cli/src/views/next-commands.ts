import type { FailureSummary, Problem } from '@buildwire/sdk'
import { reference, say } from '../io/printable.js'
import type { NextStep } from './steps.js'
import type { View } from './view.js'

const RETRIED = ['failed', 'timed_out', 'canceled', 'expired']

/** What can be done about a build, as commands that can be run as they stand; only what will be accepted. */
export function nextCommands({ build, problems }: FailureSummary, command: View['command']): NextStep[] {
  const ref = reference(build, build.number)
  const retries = problems.some(({ state }) => RETRIED.includes(state ?? ''))
  const withLog = problems.find(({ log }) => log !== null)
  return [
    ...(retries ? [{ about: say`retry`, command: command(['builds', 'retry', ref]) }] : []),
    ...(withLog ? [{ about: say`whole log`, command: command(['builds', 'logs', ref, '--job', withLog.id]) }] : []),
    { about: say`open`, command: command(['builds', 'open', ref]) },
  ]
}

/** The name of a job with its place among its parallel twins. */
export function problemName({ name, parallel_group_index: index, parallel_group_total: total }: Problem): string {
  if (index === null || total === null || name.includes(`${index + 1}/${total}`)) return name
  return `${name} ${index + 1}/${total}`
}

export function sentenceOf({ sentence, attempts, soft }: Problem): string {
  const tries = attempts.length > 1 ? `; attempt ${attempts.length}` : ''
  return `${sentence}${tries}${soft ? '; it does not fail the build' : ''}`
}

/** What is missing in front of an excerpt. */
export function leftOut({ log }: Problem): string | null {
  if (log === null || (log.bytes_left_out === 0 && (log.lines_left_out ?? 0) === 0)) return null
  if (log.lines_left_out === null) return 'the log begins earlier'
  return `${log.lines_left_out} ${log.lines_left_out === 1 ? 'line is' : 'lines are'} left out`
}

/** Since when the branch fails; null when nothing is known. */
export function sinceText({ build, before }: FailureSummary): string | null {
  if (before === null) return null
  const { last_passed: passed, first_failed: failed, builds_since: since, searched } = before
  const short = (commit: string | null) => (commit === null ? '' : ` (${commit.slice(0, 12)})`)
  const first =
    failed === null || failed.number === build.number ? '' : `, first #${failed.number}${short(failed.commit)}`
  if (passed === null) return searched === 0 ? null : `none of the ${searched} builds before passed${first}`
  const count = since === 1 ? 'this build is the first since' : `${since} builds since`
  return `${count} #${passed.number} passed${short(passed.commit)}${first}`
}
