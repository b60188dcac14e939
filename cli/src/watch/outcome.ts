import {
  buildOutcome,
  isUnfamiliarState,
  type WaitOutcome,
  type WatchOptions,
} from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { ExitCode } from '../io/exit-codes.js'

export type Until = 'finished' | 'started' | 'failing' | 'blocked'

const EXIT_CODES: Readonly<Record<WaitOutcome, number>> = {
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

/**
 * The exit code of a watch; null is one that ended without knowing. A build that blocks is what
 * `--until blocked` waits for.
 */
export function outcomeExitCode(outcome: WaitOutcome | null, until: Until = 'finished'): number {
  if (outcome === null) return ExitCode.not_finished
  return outcome === 'blocked' && until === 'blocked' ? ExitCode.ok : EXIT_CODES[outcome]
}

/** The exit code of a build as it stands, the same that a watch of it ends with. */
export function exitCodeOfBuild(build: Build): number {
  // A watch looks again, this is the only look.
  const isOver = isUnfamiliarState(build.state) && Boolean(build.finished_at)
  return outcomeExitCode(
    buildOutcome(build, { unfamiliarAndFinished: isOver ? Number.POSITIVE_INFINITY : 0 }),
  )
}

/** From bad to good; an error stands behind a failure, which is known for sure. */
const WORST_FIRST: readonly (number | null)[] = [
  ExitCode.negative,
  null,
  ExitCode.canceled,
  ExitCode.blocked,
  ExitCode.not_finished,
  ExitCode.not_run,
  ExitCode.ok,
]

export function worstExitCode(codes: readonly number[]): number {
  const rank = (code: number) => WORST_FIRST.indexOf(WORST_FIRST.includes(code) ? code : null)
  return codes.reduce<number>(
    (worst, code) => (rank(code) < rank(worst) ? code : worst),
    ExitCode.ok,
  )
}

/** The rules as the SDK takes them: a build that blocks ends the wait for it. */
export function waitRules(
  until: Until,
  allowBlocked: boolean,
): Pick<WatchOptions, 'until' | 'onBlocked'> {
  if (until === 'blocked') return { until: 'finished', onBlocked: 'stop' }
  return { until, onBlocked: allowBlocked ? 'wait' : 'stop' }
}
