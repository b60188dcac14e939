import { isCiError } from '@buildwire/sdk'
import { CommandError, type Hint, messageOf } from '../io/command-error.js'
import type { ErrorFacts, ErrorReport } from '../io/error-report.js'
import { ExitCode, exitCodeOf } from '../io/exit-codes.js'
import { joined, type Printable, say } from '../io/printable.js'
import { hanging } from '../io/width.js'
import { PartialListError } from '../views/print.js'
import { describeSdkError } from './sdk-errors.js'

const MAX_LINES = 2

export function explain(error: unknown, facts: ErrorFacts): ErrorReport {
  if (error instanceof PartialListError) {
    const inner = explain(error.cause, facts)
    return { ...inner, lines: [...(inner.lines ?? []), error.read] }
  }
  if (error instanceof CommandError) {
    const { code, headline: message, exitCode, lines, choices, hint } = error
    const said = [...lines, ...(choices.length > 0 ? [joined(choices, say`, `)] : [])]
    return { code, message, exitCode, detail: said.join(' ') || undefined, lines, choices, hint }
  }
  if (isCiError(error)) return describeSdkError(error, exitCodeOf(error), facts)
  if (isParserError(error)) {
    return { code: 'usage', message: say`${firstSentence(error.message)}`, exitCode: ExitCode.usage }
  }
  const message = messageOf(error)
  const stack = error instanceof Error ? (error.stack ?? message) : message
  return { code: 'internal', message: say`this is a fault of ci: ${message}`, exitCode: ExitCode.internal, stack }
}

/** An error of the flag parser: it carries oclif's mark. */
function isParserError(error: unknown): error is Error & { oclif: unknown } {
  return error instanceof Error && 'oclif' in error
}

function firstSentence(message: string): string {
  return message.replace(/\nSee more help with --help$/u, '').split('\n', 1)[0] ?? message
}

/** The lines people read. A command to try is never broken, so that it can be copied. */
export function errorLines(found: ErrorReport, { command, width, label }: ErrorLook): Printable[] {
  const lines = (start: Printable, indent: number, text: Printable) =>
    width === null ? [say`${start}${text}`] : hanging(start, indent, text, width)
  const status = found.status ? ` (${found.status})` : ''
  return [
    ...lines(say`${label} `, 7, say`${found.headline ?? found.message}${status}`),
    ...(found.lines ?? []).slice(0, MAX_LINES).flatMap((line) => lines(say`  `, 4, line)),
    ...(found.choices ?? []).map((choice) => say`    ${choice}`),
    ...(found.hint === undefined ? [] : [say`  Try: ${hintText(found.hint, command)}`]),
    ...(found.stack?.split('\n') ?? []).map((line) => say`${line}`),
  ]
}

/** How people read an error: broken at blanks where a width is given. */
interface ErrorLook {
  readonly command: ErrorFacts['command']
  readonly width: number | null
  /** `Error:`, in its colour. */
  readonly label: Printable
}

/** A hint as text: a command line of ours, or what it says itself. */
export function hintText(hint: Hint, command: ErrorFacts['command']): Printable {
  return 'map' in hint ? command(hint) : hint
}

/** The object programs read; one per failed target. */
export function errorJson(found: ErrorReport, command: ErrorFacts['command']) {
  const { hint, lines = [], choices = [] } = found
  return {
    error: {
      code: found.code,
      message: String(found.message),
      status: found.status || null,
      operationId: found.operationId ?? null,
      requestId: found.requestId ?? null,
      detail: found.detail ?? null,
      errors: found.errors ?? [],
      requiredScope: found.requiredScope ?? null,
      grantedScopes: found.grantedScopes ?? null,
      retryAfterMs: found.retryAfterMs ?? null,
      details: [...lines, ...choices].map(String),
      hint: hint === undefined ? null : String(hintText(hint, command)),
      exitCode: found.exitCode,
    },
  }
}
