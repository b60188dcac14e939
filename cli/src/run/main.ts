import { commandByName, commands, topicByName } from '../commands/index.js'
import type { Context, Runtime } from '../context/context.js'
import { reportError } from '../context/errors/report.js'
import { cutTail, flagSpecs, flagTable } from '../flags/argv.js'
import { globalFlags } from '../flags/global.js'
import { answerUnresolved, helpFor } from '../help/help.js'
import { type Resolution, resolveCommand } from '../help/resolve.js'
import { ExitRequest, InterruptedError, OutputClosedError } from '../io/command-error.js'
import { ExitCode } from '../io/exit-codes.js'
import type { Io } from '../io/io.js'
import { lines, say } from '../io/printable.js'
import { createRedactor } from '../io/redact.js'
import { ownSignals } from '../io/signals.js'

/** What the program gets from its process; tests pass their own. */
export interface ProgramInputs extends Omit<Runtime, 'interrupts' | 'redactor'> {
  readonly version: string
}

/** What an error report needs to know about the run. */
interface RunState {
  context: Context | null
  command: string | null
}

/** Runs one command line and returns its exit code. Never throws: errors are written to stderr. */
export async function main(argv: readonly string[], world: ProgramInputs): Promise<number> {
  const { io } = world
  const interrupts = ownSignals(io)
  const redactor = createRedactor()
  const runtime: Runtime = { ...world, interrupts, redactor }
  const uncaught = firstUncaught(io)
  const run: RunState = { context: null, command: null }
  try {
    await Promise.race([
      runCommand(argv, world, runtime, run),
      interrupts.interrupted,
      uncaught.error,
    ])
    return ExitCode.ok
  } catch (error) {
    if (error instanceof ExitRequest) return error.exitCode
    if (error instanceof OutputClosedError) {
      interrupts.abort(error)
      return ExitCode.ok
    }
    const interruption = interrupts.signal.aborted ? interrupts.signal.reason : error
    if (interruption instanceof InterruptedError) {
      await interrupts.finished(world.clock)
      if (interrupts.hint !== null)
        await io.stderr.write(lines([interrupts.hint])).catch(() => undefined)
      return interruption.exitCode
    }
    interrupts.restore()
    return reportError(error, argv, { io, redactor, ...run })
  } finally {
    uncaught.dispose()
    interrupts.release()
  }
}

/** An uncaught error is a fault of this program: it ends the run and is reported once, redacted. */
function firstUncaught(io: Io): { readonly error: Promise<never>; dispose(): void } {
  let dispose: () => void = () => undefined
  const error = new Promise<never>((_, reject) => {
    dispose = io.onUncaught(reject)
  })
  error.catch(() => undefined)
  return { error, dispose: () => dispose() }
}

async function runCommand(
  argv: readonly string[],
  world: ProgramInputs,
  runtime: Runtime,
  run: RunState,
): Promise<void> {
  const { head, tail } = cutTail(argv)
  const names = { command: commandByName, topic: topicByName }
  const found = resolveCommand(head, names, flagTable(flagSpecs(globalFlags)))
  if (found.kind !== 'command') return answerWithHelp(found, head, world)
  const entry = commands[found.id]
  if (entry === undefined) throw new RangeError(`no command ${found.id}`)
  run.command = found.id
  const words = [...found.rest, ...(tail === null ? [] : ['--', ...tail])]
  if (entry.raw !== true && mayAskForHelp(found.rest)) {
    if (await helpFor(found.id, found.rest, world)) return
  }
  const { invoke } = await import('./core.js')
  const onContext = (made: Context) => {
    run.context = made
  }
  await invoke({ id: found.id, entry, words, version: world.version, runtime, onContext })
}

/** Whether the words may contain `--help` or `-h`; only the pre-pass knows for sure. */
function mayAskForHelp(words: readonly string[]): boolean {
  return words.some((word) => word === '--help' || /^-[A-Za-z]*h/u.test(word))
}

async function answerWithHelp(
  found: Exclude<Resolution, { kind: 'command' }>,
  head: readonly string[],
  world: ProgramInputs,
) {
  if (found.kind === 'early_flag' && (found.flag === '--version' || found.flag === '-v')) {
    return world.io.stdout.write(lines([say`ci ${world.version}`]))
  }
  return answerUnresolved(found, head, world)
}
