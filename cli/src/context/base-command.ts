import { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/config'
import type { Arg, BooleanFlag, OptionFlag } from '@oclif/core/interfaces'
import { globalFlags } from '../flags/global.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { SchemaName } from '../views/fields.js'
import type { Context, GlobalFlagValues, Runtime, Typed } from './context.js'
import { createContext } from './create-context.js'

type FlagValue<F> = F extends OptionFlag<infer V> ? V : F extends BooleanFlag<unknown> ? boolean | undefined : never
type FlagValues<F> = { readonly [K in keyof F]?: FlagValue<F[K]> | undefined }
type ArgValues<A> = { readonly [K in keyof A]?: A[K] extends Arg<infer V> ? V | undefined : never }

/** What a person typed for a command: flags and arguments as read, and the words after `--`. */
export interface Input<T extends { flags?: unknown; args?: unknown }> {
  readonly flags: FlagValues<T['flags']> & FlagValues<typeof globalFlags>
  readonly args: ArgValues<T['args']>
  readonly tail: readonly string[]
}

/** What main hands a command besides its words. */
export interface CommandSetup {
  readonly runtime: Runtime
  readonly typed: Typed
  readonly tail: readonly string[]
  /** Called as soon as the context exists, so that an error can be told in its terms. */
  readonly onContext: (context: Context) => void
}

/**
 * A command: it parses, calls and prints. `run` reads the words, makes the context and hands both to `execute`.
 */
export abstract class BaseCommand<T extends { flags?: unknown; args?: unknown }> extends Command {
  static override baseFlags = globalFlags
  /** The scope its operation needs, for help; null when none. */
  static scope: string | null = null
  /** The record it prints, whose fields `--json=FIELDS` chooses from. */
  static record: SchemaName | null = null
  /** Takes words after `--` for another program. */
  static tail = false
  /** The operations it calls, for help and for the tests that hold flags against the API. */
  static operations: readonly string[] = []

  private readonly setup: CommandSetup | undefined

  /** Without `setup` it is oclif that runs the command, and not our main. */
  constructor(argv: string[], config: Config, setup?: CommandSetup) {
    super(argv, config)
    this.setup = setup
  }

  /** Does the command's work. */
  protected abstract execute(context: Context, input: Input<T>): Promise<void>

  /** Runs the command. */
  start(): Promise<unknown> {
    return this._run()
  }

  override async run(): Promise<void> {
    if (this.setup === undefined) return this.runByMain()
    const { flags, args } = await this.parse()
    const { runtime, tail, onContext } = this.setup
    const typed = { ...this.setup.typed, ...('env' in flags ? { words: null } : {}) }
    const context = await createContext(runtime, flags as GlobalFlagValues, this.config.version, typed)
    onContext(context)
    try {
      if (context.out.fieldHelp) return await this.listFields(context)
      await this.execute(context, { flags, args, tail } as Input<T>)
    } finally {
      await context.notes.flush()
    }
  }

  /** Hands its words to main, so that a command under oclif's own `run()` does and answers the same. */
  private async runByMain(): Promise<void> {
    const { readFile } = await import('node:fs/promises')
    const { pathToFileURL } = await import('node:url')
    const root = pathToFileURL(`${this.config.root}/`)
    const text = async (name: string) => [name, JSON.parse(await readFile(new URL(name, root), 'utf8'))]
    const files = Object.fromEntries(await Promise.all(['package.json', 'oclif.manifest.json'].map(text)))
    const { run } = await import(new URL('dist/main.js', root).href)
    await run([...(this.id ?? '').split(':'), ...this.argv], (name: string) => files[name])
  }

  /** Answers `--json=help`. */
  private async listFields({ out }: Context): Promise<void> {
    const { record } = this.constructor as typeof BaseCommand
    if (record === null) throw usageError(say`this command prints no records whose fields could be chosen`)
    const { fieldPaths } = await import('../views/fields.js')
    await out.lines((await fieldPaths(record)).map((path) => say`${path}`))
  }

  /** Errors go to main, which has the one place that tells them. */
  override async catch(error: Error): Promise<never> {
    throw error
  }
}
