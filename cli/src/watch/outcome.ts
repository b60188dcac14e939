import { buildOutcome } from '@buildwire/sdk'
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

/** Jobs in these states will still move, so a terminal state of their build is one from before a retry. */
const PENDING = new Set([
  'pending',
  'waiting',
  'scheduled',
  'limited',
  'assigned',
  'accepted',
  'running',
  'timing_out',
  'canceling',
])

const TERMINAL: ReadonlySet<string> = new Set(['passed', 'failed', 'canceled', 'skipped', 'not_run'])

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

/** How a build stands under the rules; null while the watch goes on. `job` is the one that promised to fail. */
export function judge(
  build: Build,
  rules: WatchRules,
  unfamiliarAndFinished = 0,
): { outcome: Outcome; job: Job | null } | null {
  const decided = buildOutcome(build, {
    until: rules.until === 'blocked' ? 'finished' : rules.until,
    onBlocked: rules.allowBlocked && rules.until !== 'blocked' ? 'wait' : 'stop',
    unfamiliarAndFinished,
  })
  if (decided !== null) return TERMINAL.has(decided) && hasPendingJob(build) ? null : { outcome: decided, job: null }
  if (rules.until !== 'failing') return null
  const job = build.state === 'passed' ? undefined : promisedFailure(build)
  return job === undefined ? null : { outcome: 'failing', job }
}

function hasPendingJob(build: Build): boolean {
  return (build.jobs ?? []).some((job) => PENDING.has(job.state ?? ''))
}

/** A job that said it will fail, and whose failure counts; one that passed after all does not. */
function promisedFailure(build: Build): Job | undefined {
  return build.jobs?.find(
    (job) =>
      typeof job.promised_exit_status === 'number' &&
      job.soft_failed !== true &&
      job.retried !== true &&
      job.state !== 'passed',
  )
}

/** The job that makes a build fail: one that failed hard, else one that promised to. */
export function failingJob(build: Build): Job | undefined {
  const failed = build.jobs?.find(
    (job) =>
      ['failed', 'timed_out', 'expired'].includes(job.state ?? '') && job.soft_failed !== true && job.retried !== true,
  )
  return failed ?? promisedFailure(build)
}
