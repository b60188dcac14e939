import { cutTail, typedColor } from '../../flags/argv.js'
import { type Paint, paintFor } from '../../io/color.js'
import { ExitRequest, type Hint } from '../../io/command-error.js'
import type { ErrorReport, RunFacts } from '../../io/error-report.js'
import { ExitCode } from '../../io/exit-codes.js'
import type { Io } from '../../io/io.js'
import { bytes, jsonLine } from '../../io/machine.js'
import { commandLine, lines, type Printable, say } from '../../io/printable.js'
import type { Redactor } from '../../io/redact.js'
import { hanging } from '../../io/width.js'
import type { Context } from '../context.js'
import { explain } from './explain.js'

/** A line that begins with method and path. */
const REQUEST = /^[A-Z]{3,7} [/h]/u

/** At most this many lines stand between the headline and the choices. */
const MAX_LINES = 2

/**
 * The lines for people, broken at blanks if a width is given. A command to try is never broken, so
 * that it can be copied.
 */
function errorLines(
  report: ErrorReport,
  { command }: RunFacts,
  width: number | null,
  paint: Paint,
): Printable[] {
  const label = paint('red', 'Error:')
  const broken = (start: Printable, indent: number, text: Printable) =>
    width === null ? [say`${start}${text}`] : hanging(start, indent, text, width)
  const status = report.status ? ` (${report.status})` : ''
  const hint =
    report.hint === undefined ? [] : [say`  Try: ${paint('cyan', hintText(report.hint, command))}`]
  const lines = (report.lines ?? []).slice(0, MAX_LINES).flatMap((line) => {
    const isRequest = REQUEST.test(String(line))
    return broken(say`  `, 4, line).map((each) => (isRequest ? paint('dim', each) : each))
  })
  // What to do comes before what was sent. Where the user has to choose, the choices come first.
  const isOfRequest = report.operationId !== undefined
  return [
    ...broken(say`${label} `, 7, say`${report.headline ?? report.message}${status}`),
    ...(isOfRequest ? hint : []),
    ...lines,
    ...(report.choices ?? []).map((choice) => say`    ${choice}`),
    ...(isOfRequest ? [] : hint),
    ...(report.stack?.split('\n') ?? []).map((line) => say`${line}`),
  ]
}

/** A hint as text: a command line of this program, or the text that it is. */
export function hintText(hint: Hint, command: RunFacts['command']): Printable {
  return 'map' in hint ? command(hint) : hint
}

/** The object for programs; one per failed target. */
export function errorJson(report: ErrorReport, command: RunFacts['command']) {
  const { hint, lines = [], choices = [] } = report
  return {
    error: {
      code: report.code,
      message: String(report.message),
      status: report.status || null,
      operationId: report.operationId ?? null,
      requestId: report.requestId ?? null,
      detail: report.detail ?? null,
      errors: report.errors ?? [],
      requiredScope: report.requiredScope ?? null,
      grantedScopes: report.grantedScopes ?? null,
      retryAfterMs: report.retryAfterMs ?? null,
      details: [...lines, ...choices].map(String),
      hint: hint === undefined ? null : String(hintText(hint, command)),
      exitCode: report.exitCode,
    },
  }
}

/** The run that an error ends; the context is null when the command line itself was wrong. */
interface FailedRun {
  readonly io: Io
  readonly redactor: Redactor
  readonly context: Context | null
  readonly command?: string | null | undefined
}

const NO_FACTS: RunFacts = {
  credential: null,
  contextName: null,
  pipeline: null,
  baseUrl: null,
  authUrl: null,
  command: commandLine,
  proxyOf: () => null,
}

/** Writes an error to stderr, for people or for a program, and returns its exit code. */
export async function reportError(
  error: unknown,
  argv: readonly string[],
  { io, redactor, context, command = null }: FailedRun,
): Promise<number> {
  const facts = context?.errorFacts() ?? NO_FACTS
  const explained = explain(error, facts)
  const isWrongCommandLine = explained.exitCode === ExitCode.usage && command !== null
  const help = isWrongCommandLine ? [...command.split(' '), '--help'] : undefined
  const report = { ...explained, hint: explained.hint ?? help }

  const isForProgram = context?.out.machine ?? asksForJson(argv)
  const paint = context?.notes.paint ?? paintFor(io, io.stderr, typedColor(argv))
  const width = io.stderr.isTTY ? io.stderr.columns : null
  const stack = report.stack === undefined ? '' : `${redactor.redact(report.stack)}\n`
  const text = isForProgram
    ? bytes(stack + redactor.redact(jsonLine(errorJson(report, facts.command))))
    : redactor.redacted(lines(errorLines(report, facts, width, paint)))
  await io.stderr.write(text).catch(() => undefined)
  return report.exitCode
}

/** Writes an error of a command to stderr and returns its exit code. */
export function reportFailure(context: Context, error: unknown): Promise<number> {
  return reportError(error, [], { io: context.io, redactor: context.redactor, context })
}

/**
 * Reports the errors of work on several things as they occur. The exit code of the run is theirs if
 * they all have the same, else 1.
 */
export function failuresOf(context: Context, isMany: boolean) {
  const codes = new Set<number>()
  return {
    /** Reports an error, or throws it if it ends the whole run. */
    async report(error: unknown): Promise<void> {
      if (!isMany || context.signal.aborted) throw error
      codes.add(error instanceof ExitRequest ? error.exitCode : await reportFailure(context, error))
    },
    /**
     * @param isPartial Some of the work was done, and the exit code says so with 1.
     * @throws ExitRequest if an error was reported.
     */
    end(isPartial = false): void {
      const [code] = codes
      if (code === undefined) return
      throw new ExitRequest(codes.size === 1 && !isPartial ? code : ExitCode.negative)
    },
  }
}

/** Whether a command line that could not be parsed asks for JSON. */
function asksForJson(argv: readonly string[]): boolean {
  const words = cutTail(argv).head
  return words.some((word, at) => {
    if (/^--json(=|$)/u.test(word) || /^(--jq|-q)(=|$)/u.test(word)) return true
    const isSeparate = word === '-o' || word === '--output'
    const output = isSeparate ? words[at + 1] : /^(?:-o|--output=)(.+)$/u.exec(word)?.[1]
    return output === 'json' || output === 'jsonl'
  })
}
