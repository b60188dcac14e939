import { buildOutcome, type OutcomeOptions, promisedFailure } from '@buildwire/sdk'
import type { Build, Job } from '@buildwire/sdk/contract'
import { ExitCode } from '../exit-codes.js'
import type { Outcome } from './events.js'

/** What a watch waits for. */
export type Until = 'finished' | 'started' | 'failing' | 'blocked'

/** What ends a watch. */
export interface WatchRules {
  readonly until: Until
  /** Go on while the build waits for a person. */
  readonly allowBlocked: boolean
}

const EXIT_CODES: Readonly<Record<Outcome, number>> = {
  passed: ExitCode.ok,
  started: ExitCode.ok,
  failed: ExitCode.negative,
  failing: ExitCode.negative,
  unknown: ExitCode.negative,
  canceled: ExitCode.canceled,
  skipped: ExitCode.not_run,
  not_run: ExitCode.not_run,
  blocked: ExitCode.blocked,
  timeout: ExitCode.not_finished,
}

/** The exit code of a watch; a build that blocks is what `--until blocked` waits for. */
export function outcomeExitCode(outcome: Outcome, until: Until): number {
  return outcome === 'blocked' && until === 'blocked' ? ExitCode.ok : EXIT_CODES[outcome]
}

/** The rules as the SDK takes them: a build that blocks ends the wait for it. */
export function waitRules({ until, allowBlocked }: WatchRules): Pick<OutcomeOptions, 'until' | 'onBlocked'> {
  if (until === 'blocked') return { until: 'finished', onBlocked: 'stop' }
  return { until, onBlocked: allowBlocked ? 'wait' : 'stop' }
}

/** How a build stands under the rules; null while the watch goes on. `job` is the one that makes it fail. */
export function judge(
  build: Build,
  rules: WatchRules,
  unfamiliarAndFinished = 0,
): { outcome: Outcome; job: Job | null } | null {
  const outcome = buildOutcome(build, { ...waitRules(rules), unfamiliarAndFinished })
  return outcome === null ? null : { outcome, job: outcome === 'failing' ? (failingJob(build) ?? null) : null }
}

/** The job that makes a build fail: one that failed hard, else one that promised to. */
function failingJob(build: Build): Job | undefined {
  const failed = build.jobs?.find(
    (job) =>
      ['failed', 'timed_out', 'expired'].includes(job.state ?? '') && job.soft_failed !== true && job.retried !== true,
  )
  return failed ?? promisedFailure(build.jobs)
}
