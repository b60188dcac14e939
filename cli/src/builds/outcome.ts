import { buildOutcome } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { ExitCode } from '../exit-codes.js'

const CODES: Readonly<Record<string, number>> = {
  passed: ExitCode.ok,
  failed: ExitCode.negative,
  canceled: ExitCode.canceled,
  blocked: ExitCode.blocked,
  skipped: ExitCode.not_run,
  not_run: ExitCode.not_run,
}

/** The exit code for a build as it stands: by its outcome, or "not finished". */
export function outcomeExitCode(build: Build): number {
  const outcome = buildOutcome(build)
  if (outcome === null) return ExitCode.not_finished
  return CODES[outcome] ?? ExitCode.negative
}
