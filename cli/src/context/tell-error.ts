import { paintFor, typedColor } from '../io/color.js'
import type { ErrorFacts } from '../io/error-report.js'
import { ExitCode } from '../io/exit-codes.js'
import type { Io } from '../io/io.js'
import { jsonLine } from '../io/json.js'
import { bytes } from '../io/machine.js'
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
  const help = explained.exitCode === ExitCode.usage && command !== null ? [...command.split(' '), '--help'] : null
  const found = { ...explained, hint: explained.hint ?? help }
  const machine = context?.out.machine ?? wantsJson(argv)
  const stack = found.stack === null ? '' : `${redactor.redact(found.stack)}\n`
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

/** Whether a command line that could not be read asked for JSON all the same. */
function wantsJson(argv: readonly string[]): boolean {
  const cut = argv.indexOf('--')
  const words = cut === -1 ? argv : argv.slice(0, cut)
  return words.some((word, at) => {
    if (/^--json(=|$)/u.test(word) || /^(--jq|-q)(=|$)/u.test(word)) return true
    const output = word === '-o' || word === '--output' ? words[at + 1] : /^(?:-o|--output=)(.+)$/u.exec(word)?.[1]
    return output === 'json' || output === 'jsonl'
  })
}
