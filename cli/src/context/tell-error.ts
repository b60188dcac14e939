import { cutTail, typedColor } from '../flags/argv.js'
import { paintFor } from '../io/color.js'
import { ExitRequest } from '../io/command-error.js'
import type { ErrorFacts } from '../io/error-report.js'
import { ExitCode } from '../io/exit-codes.js'
import type { Io } from '../io/io.js'
import { bytes, jsonLine } from '../io/machine.js'
import { commandLine, lines } from '../io/printable.js'
import type { Redactor } from '../io/redact.js'
import type { Context } from './context.js'
import { errorJson, errorLines, explain } from './errors.js'

/** What telling an error needs; the context is null when the command line itself was wrong. */
export interface Teller {
  readonly io: Io
  readonly redactor: Redactor
  readonly context: Context | null
  /** The command as it is typed, once it was understood. */
  readonly command?: string | null | undefined
}

/** Tells an error on stderr, to people or to a program, and answers its exit code. */
export async function tellError(error: unknown, argv: readonly string[], teller: Teller): Promise<number> {
  const { io, redactor, context, command = null } = teller
  const none: ErrorFacts = {
    ...{ credential: null, contextName: null, pipeline: null, baseUrl: null, authUrl: null },
    command: commandLine,
    proxyOf: () => null,
  }
  const facts = context?.errorFacts() ?? none
  const explained = explain(error, facts)
  const help = explained.exitCode === ExitCode.usage && command !== null ? [...command.split(' '), '--help'] : undefined
  const found = { ...explained, hint: explained.hint ?? help }
  const machine = context?.out.machine ?? wantsJson(argv)
  const stack = found.stack === undefined ? '' : `${redactor.redact(found.stack)}\n`
  const paint = context?.notes.paint ?? paintFor(io, io.stderr, typedColor(argv))
  const text = machine
    ? bytes(stack + redactor.redact(jsonLine(errorJson(found, facts.command))))
    : redactor.redacted(
        lines(
          errorLines(found, {
            command: facts.command,
            width: io.stderr.isTTY ? io.stderr.columns : null,
            label: paint('red', 'Error:'),
          }),
        ),
      )
  await io.stderr.write(text).catch(() => undefined)
  return found.exitCode
}

/** Tells an error of a part of the work, on which the run goes on. */
export function tellFailure(context: Context, error: unknown): Promise<number> {
  return tellError(error, [], { io: context.io, redactor: context.redactor, context })
}

/** Tells the errors of work on several things as they come; the exit code is theirs when they agree, else 1. */
export function failuresOf(context: Context) {
  const codes = new Set<number>()
  return {
    /** Tells an error, unless it ends the run as a whole. */
    async tell(error: unknown): Promise<void> {
      if (context.signal.aborted) throw error
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
    const output = word === '-o' || word === '--output' ? words[at + 1] : /^(?:-o|--output=)(.+)$/u.exec(word)?.[1]
    return output === 'json' || output === 'jsonl'
  })
}
