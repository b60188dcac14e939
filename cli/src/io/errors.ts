import { ExitCode, exitCodeOf } from '../exit-codes.js'
import { CommandError } from './command-error.js'
import { type ErrorFacts, type ErrorReport, report } from './error-report.js'
import { PartialListError } from './print.js'
import { describeSdkError, isSdkError } from './sdk-errors.js'
import { hanging } from './width.js'

const MAX_LINES = 2

/** Turns anything thrown into a report. */
export function explain(error: unknown, facts: ErrorFacts): ErrorReport {
  if (error instanceof PartialListError) {
    const inner = explain(error.cause, facts)
    return { ...inner, lines: [...inner.lines, error.read] }
  }
  if (error instanceof CommandError) {
    const said = [...error.lines, ...(error.choices.length > 0 ? [error.choices.join(', ')] : [])]
    return report({
      code: error.code,
      message: error.headline,
      exitCode: error.exitCode,
      operationId: error.operationId ?? null,
      detail: said.length > 0 ? said.join(' ') : null,
      lines: error.lines,
      choices: error.choices,
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

/** How people read an error: every text is cleaned first, then broken at blanks where a width is given. */
export interface ErrorLook {
  readonly clean: (text: string) => string
  readonly width: number | null
}

/** The lines people read. A command to try is never broken, so that it can be copied. */
export function errorLines(found: ErrorReport, { clean, width }: ErrorLook): string[] {
  const lines = (label: string, indent: number, text: string) =>
    width === null ? [label + clean(text)] : hanging(label, indent, clean(text), width)
  const status = found.status === null ? '' : ` (${found.status})`
  return [
    ...lines('Error: ', 7, `${found.headline ?? found.message}${status}`),
    ...found.lines.slice(0, MAX_LINES).flatMap((line) => lines('  ', 4, line)),
    ...found.choices.map((choice) => `    ${clean(choice)}`),
    ...(found.hint === null ? [] : [`  Try: ${clean(found.hint)}`]),
    ...(found.stack === null ? [] : found.stack.split('\n').map(clean)),
  ]
}

/** The object programs read; one per failed target. */
export function errorJson({ lines: _, stack: __, headline: ___, choices: ____, ...found }: ErrorReport): {
  error: Record<string, unknown>
} {
  const { code, message, exitCode, hint, ...rest } = found
  return { error: { code, message, ...rest, hint, exitCode } }
}
