import { isCiError } from '@buildwire/sdk'
import { CommandError, messageOf } from '../../io/command-error.js'
import type { ErrorReport, RunFacts } from '../../io/error-report.js'
import { ExitCode, exitCodeOf } from '../../io/exit-codes.js'
import { firstLine, joined, say } from '../../io/printable.js'
import { PartialListError } from '../../views/print.js'
import { describeSdkError } from './sdk-errors.js'

/** The words and the exit code for any error. */
export function explain(error: unknown, facts: RunFacts): ErrorReport {
  if (error instanceof PartialListError) {
    const report = explain(error.cause, facts)
    return { ...report, lines: [...(report.lines ?? []), error.read] }
  }
  if (error instanceof CommandError) {
    const { code, headline: message, exitCode, lines, choices, hint } = error
    const choiceText = choices.length > 0 ? [joined(choices, say`, `)] : []
    const detail = [...lines, ...choiceText].join(' ') || undefined
    return { code, message, exitCode, detail, lines, choices, hint }
  }
  if (isCiError(error)) return describeSdkError(error, exitCodeOf(error), facts)

  // The errors of oclif's flag parser have this property.
  if (error instanceof Error && 'oclif' in error) {
    return { code: 'usage', message: say`${firstLine(error.message)}`, exitCode: ExitCode.usage }
  }

  const message = messageOf(error)
  const stack = error instanceof Error ? (error.stack ?? message) : message
  return {
    code: 'internal',
    message: say`this is a bug of ci: ${message}`,
    exitCode: ExitCode.internal,
    stack,
  }
}
