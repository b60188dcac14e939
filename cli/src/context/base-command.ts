import type { OperationId } from '@buildwire/sdk/contract'
import { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import type { Arg } from '@oclif/core/interfaces'
import type { FlagValues } from '../flags/flags.js'
import { type GlobalFlagValues, globalFlags } from '../flags/global.js'
import { type CommandError, ExitRequest, usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { SchemaName } from '../views/fields.js'
import type { Context, Runtime, TypedCommand } from './context.js'
import { createContext } from './create-context.js'

type ArgValues<A> = { readonly [K in keyof A]?: A[K] extends Arg<infer V> ? V | undefined : never }

interface CommandInput<A, F> {
  readonly args: ArgValues<A>
  readonly flags: FlagValues<F> & GlobalFlagValues
  readonly tail: readonly string[]
}

export interface CommandFacts<A = object, F = object> {
  readonly summary: string
  readonly description?: string
  readonly examples: string[]
  /**
   * The operations it calls; its scope is that of the first. Tests compare its flags with their
   * parameters.
   */
  readonly operations?: readonly OperationId[]
  /** The record it prints, whose fields `--json=FIELDS` chooses from. */
  readonly record?: SchemaName
  /** The same fields for a command that prints a value of its own. */
  readonly fields?: readonly string[]
  readonly usage?: string
  /** Takes words after `--` for another program. */
  readonly tail?: boolean
  readonly args?: A
  readonly flags?: F
}

type Definitions = Readonly<Record<string, unknown>>

export interface CommandClass extends CommandFacts<Definitions, Definitions> {
  new (argv: string[], config: Config, setup: CommandSetup): { start(): Promise<unknown> }
  readonly baseFlags: typeof globalFlags
}

export interface CommandSetup {
  readonly runtime: Runtime
  readonly typed: TypedCommand
  readonly tail: readonly string[]
  /** Called as soon as the context exists, so that an error report can use it. */
  readonly onContext: (context: Context) => void
}

/**
 * Makes a command. `execute` gets the context of the run and the parsed command line; if it returns
 * a number, that is the exit code.
 */
export function command<A = object, F = object>({
  execute,
  ...facts
}: CommandFacts<A, F> & {
  execute(context: Context, input: CommandInput<A, F>): Promise<unknown>
}): CommandClass {
  class OurCommand extends Command {
    static override baseFlags = globalFlags

    readonly #setup: CommandSetup | undefined

    /** Without `setup` oclif runs the command, not our main. */
    constructor(argv: string[], config: Config, setup?: CommandSetup) {
      super(argv, config)
      this.#setup = setup
    }

    start(): Promise<unknown> {
      return this._run()
    }

    /** Reads the words, makes the context and hands both to `execute`. */
    override async run(): Promise<void> {
      if (this.#setup === undefined)
        return runByMain(this.config.root, [...(this.id ?? '').split(':'), ...this.argv])
      const { flags, args } = await this.parse()
      const { runtime, tail, onContext } = this.#setup
      const typed = { ...this.#setup.typed, ...('env' in flags ? { words: null } : {}) }
      const context = await createContext(
        runtime,
        flags as GlobalFlagValues,
        this.config.version,
        typed,
      )
      onContext(context)
      try {
        if (context.out.fieldHelp) return await listFields(context, facts)
        if (facts.record === undefined) await checkFields(context, facts)
        const code = await execute(context, { flags, args, tail } as CommandInput<A, F>)
        if (typeof code === 'number' && code !== 0) throw new ExitRequest(code)
      } finally {
        await context.notes.flush()
      }
    }

    /** Errors go to main, which reports them. */
    override async catch(error: Error): Promise<never> {
      throw error
    }
  }
  return Object.assign(OurCommand, facts) as CommandClass
}

/** Hands its words to main, so that a command behaves the same under oclif's own `run()`. */
async function runByMain(folder: string, words: readonly string[]): Promise<void> {
  const { readFile } = await import('node:fs/promises')
  const { pathToFileURL } = await import('node:url')
  const root = pathToFileURL(`${folder}/`)
  const text = async (name: string) => [
    name,
    JSON.parse(await readFile(new URL(name, root), 'utf8')),
  ]
  const files = Object.fromEntries(
    await Promise.all(['package.json', 'oclif.manifest.json'].map(text)),
  )
  const { run } = await import(new URL('dist/main.js', root).href)
  await run(words, (name: string) => files[name])
}

type FieldFacts = Pick<CommandFacts, 'record' | 'fields'>

/** Prints the list of `--json=help`. */
async function listFields({ out }: Context, { record, fields }: FieldFacts): Promise<void> {
  const { fieldPaths } = await import('../views/fields.js')
  const names = record === undefined ? fields : await fieldPaths(record)
  if (names === undefined) throw withoutFields()
  await out.lines(names.map((name) => say`${name}`))
}

/** Checks the names of `--json=FIELDS` before the first request. */
async function checkFields({ out }: Context, { fields }: FieldFacts): Promise<void> {
  if (out.fields === null) return
  if (fields === undefined) throw withoutFields()
  const { checkNames } = await import('../views/fields.js')
  checkNames(out.fields, fields)
}

function withoutFields(): CommandError {
  return usageError(say`the JSON of this command has no fields to choose from`, {
    hint: say`Filter the output of --json with --jq`,
  })
}
