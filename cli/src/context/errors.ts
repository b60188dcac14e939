import { isCiError } from '@buildwire/sdk'
import { cutTail, typedColor } from '../flags/argv.js'
import { paintFor } from '../io/color.js'
import { CommandError, ExitRequest, type Hint, messageOf } from '../io/command-error.js'
import type { ErrorReport, RunFacts } from '../io/error-report.js'
import { ExitCode, exitCodeOf } from '../io/exit-codes.js'
import type { Io } from '../io/io.js'
import { bytes, jsonLine } from '../io/machine.js'
import { commandLine, firstLine, joined, lines, type Printable, say } from '../io/printable.js'
import type { Redactor } from '../io/redact.js'
import { hanging } from '../io/width.js'
import { PartialListError } from '../views/print.js'
import type { Context } from './context.js'
import { describeSdkError } from './sdk-errors.js'

const MAX_LINES = 2

export function explain(error: unknown, facts: RunFacts): ErrorReport {
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
  // The flag parser's errors carry oclif's mark.
  if (error instanceof Error && 'oclif' in error) {
    return { code: 'usage', message: say`${firstLine(error.message)}`, exitCode: ExitCode.usage }
  }
  const message = messageOf(error)
  const stack = error instanceof Error ? (error.stack ?? message) : message
  return {
    code: 'internal',
    message: say`this is a fault of ci: ${message}`,
    exitCode: ExitCode.internal,
    stack,
  }
}

/**
 * The lines people read, broken at blanks where a width is given. A command to try is never broken,
 * so that it can be copied.
 */
function errorLines(
  found: ErrorReport,
  { command }: RunFacts,
  width: number | null,
  label: Printable,
): Printable[] {
  const broken = (start: Printable, indent: number, text: Printable) =>
    width === null ? [say`${start}${text}`] : hanging(start, indent, text, width)
  const status = found.status ? ` (${found.status})` : ''
  return [
    ...broken(say`${label} `, 7, say`${found.headline ?? found.message}${status}`),
    ...(found.lines ?? []).slice(0, MAX_LINES).flatMap((line) => broken(say`  `, 4, line)),
    ...(found.choices ?? []).map((choice) => say`    ${choice}`),
    ...(found.hint === undefined ? [] : [say`  Try: ${hintText(found.hint, command)}`]),
    ...(found.stack?.split('\n') ?? []).map((line) => say`${line}`),
  ]
}

/** A hint as text: a command line of ours, or what it says itself. */
export function hintText(hint: Hint, command: RunFacts['command']): Printable {
  return 'map' in hint ? command(hint) : hint
}

/** The object programs read; one per failed target. */
export function errorJson(found: ErrorReport, command: RunFacts['command']) {
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

/** What telling an error needs; the context is null when the command line itself was wrong. */
interface Teller {
  readonly io: Io
  readonly redactor: Redactor
  readonly context: Context | null
  readonly command?: string | null | undefined
}

/** Tells an error on stderr, to people or to a program, and answers its exit code. */
export async function tellError(
  error: unknown,
  argv: readonly string[],
  teller: Teller,
): Promise<number> {
  const { io, redactor, context, command = null } = teller
  const none: RunFacts = {
    credential: null,
    contextName: null,
    pipeline: null,
    baseUrl: null,
    authUrl: null,
    command: commandLine,
    proxyOf: () => null,
  }
  const facts = context?.errorFacts() ?? none
  const explained = explain(error, facts)
  const help =
    explained.exitCode === ExitCode.usage && command !== null
      ? [...command.split(' '), '--help']
      : undefined
  const found = { ...explained, hint: explained.hint ?? help }
  const machine = context?.out.machine ?? wantsJson(argv)
  const stack = found.stack === undefined ? '' : `${redactor.redact(found.stack)}\n`
  const paint = context?.notes.paint ?? paintFor(io, io.stderr, typedColor(argv))
  const width = io.stderr.isTTY ? io.stderr.columns : null
  const text = machine
    ? bytes(stack + redactor.redact(jsonLine(errorJson(found, facts.command))))
    : redactor.redacted(lines(errorLines(found, facts, width, paint('red', 'Error:'))))
  await io.stderr.write(text).catch(() => undefined)
  return found.exitCode
}

export function tellFailure(context: Context, error: unknown): Promise<number> {
  return tellError(error, [], { io: context.io, redactor: context.redactor, context })
}

/**
 * Tells the errors of work on several things as they come; the exit code is theirs when they agree,
 * else 1.
 */
export function failuresOf(context: Context, isMany: boolean) {
  const codes = new Set<number>()
  return {
    /** Tells an error, unless it ends the run as a whole. */
    async tell(error: unknown): Promise<void> {
      if (!isMany || context.signal.aborted) throw error
      codes.add(error instanceof ExitRequest ? error.exitCode : await tellFailure(context, error))
    },
    /** @throws ExitRequest where an error was told. */
    end(): void {
      const [code] = codes
      if (code !== undefined) throw new ExitRequest(codes.size === 1 ? code : ExitCode.negative)
    },
  }
}

/** Whether a command line that could not be read asked for JSON all the same. */
function wantsJson(argv: readonly string[]): boolean {
  const words = cutTail(argv).head
  return words.some((word, at) => {
    if (/^--json(=|$)/u.test(word) || /^(--jq|-q)(=|$)/u.test(word)) return true
    const output =
      word === '-o' || word === '--output'
        ? words[at + 1]
        : /^(?:-o|--output=)(.+)$/u.exec(word)?.[1]
    return output === 'json' || output === 'jsonl'
  })
}
