import { ExitCode, exitCodeOf } from '../exit-codes.js'
import { CommandError } from './command-error.js'
import { type ErrorFacts, type ErrorReport, report } from './error-report.js'
import { PartialListError } from './print.js'
import { describeSdkError, isSdkError } from './sdk-errors.js'

const MAX_LINES = 2

/** Turns anything thrown into a report. */
export function explain(error: unknown, facts: ErrorFacts): ErrorReport {
  if (error instanceof PartialListError) {
    const inner = explain(error.cause, facts)
    return { ...inner, lines: [...inner.lines, error.read] }
  }
  if (error instanceof CommandError) {
    return report({
      code: error.code,
      message: error.headline,
      exitCode: error.exitCode,
      operationId: error.operationId ?? null,
      detail: error.lines.length > 0 ? error.lines.join(' ') : null,
      lines: error.lines,
      hint: error.hint ?? null,
    })
  }
  if (isSdkError(error)) return describeSdkError(error, exitCodeOf(error), facts)
  if (isParserError(error)) {
    return report({ code: 'usage', message: firstSentence(error.message), exitCode: ExitCode.usage })
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const message = error instanceof Error ? error.message : String(error)
  return report({ code: 'internal', message: `this is a fault of ci: ${message}`, exitCode: ExitCode.internal, stack })
}

/** An error of the flag parser: it carries oclif's mark. */
function isParserError(error: unknown): error is Error & { oclif: unknown } {
  return error instanceof Error && 'oclif' in error
}

function firstSentence(message: string): string {
  return message.replace(/\nSee more help with --help$/u, '').split('\n', 1)[0] ?? message
}

/** The lines people read. */
export function errorLines(found: ErrorReport): string[] {
  const status = found.status === null ? '' : ` (${found.status})`
  return [
    `Error: ${found.headline ?? found.message}${status}`,
    ...found.lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(found.hint === null ? [] : [`  Try: ${found.hint}`]),
    ...(found.stack === null ? [] : found.stack.split('\n')),
  ]
}

/** The object programs read; one per failed target. */
export function errorJson({ lines: _, stack: __, headline: ___, ...found }: ErrorReport): {
  error: Record<string, unknown>
} {
  const { code, message, exitCode, hint, ...rest } = found
  return { error: { code, message, ...rest, hint, exitCode } }
}
