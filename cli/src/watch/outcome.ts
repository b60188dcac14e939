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
 * The exit code of a watch; its outcome is null if the watch ended without one. Under
 * `--until blocked` a blocked build is a success.
 */
export function outcomeExitCode(outcome: WaitOutcome | null, until: Until = 'finished'): number {
  if (outcome === null) return ExitCode.not_finished
  return outcome === 'blocked' && until === 'blocked' ? ExitCode.ok : EXIT_CODES[outcome]
}

/** The exit code of a build in its current state, the same as a watch of it would have. */
export function exitCodeOfBuild(build: Build): number {
  // A watch reads an unfamiliar state several times before it ends; here it is read once.
  const isOver = isUnfamiliarState(build.state) && Boolean(build.finished_at)
  return outcomeExitCode(
    buildOutcome(build, { unfamiliarAndFinished: isOver ? Number.POSITIVE_INFINITY : 0 }),
  )
}

/** From worst to best; null stands for errors. A failed build is worse than an error. */
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

/** The options of the SDK's watch. Without `allowBlocked` a blocked build ends the watch. */
export function waitRules(
  until: Until,
  allowBlocked: boolean,
): Pick<WatchOptions, 'until' | 'onBlocked'> {
  if (until === 'blocked') return { until: 'finished', onBlocked: 'stop' }
  return { until, onBlocked: allowBlocked ? 'wait' : 'stop' }
}
