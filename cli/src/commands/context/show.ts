import { namedContext } from '../../config/named-context.js'
import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { textArg } from '../../flags/flags.js'
import { say } from '../../io/printable.js'

/** `ci context show` */
export class ContextShow extends BaseCommand<typeof ContextShow> {
  static override summary = 'Show a context'
  static override examples = ['ci context show', 'ci context show acme --json']
  static override args = { name: textArg({ description: 'A context; else the default' }) }

  protected async execute({ io, out }: Context, { args, flags }: Input<typeof ContextShow>): Promise<void> {
    const { name, context, isCurrent } = await namedContext(io, args.name ?? flags.context)
    const shown = { name, current: isCurrent, ...context }
    await out.value(shown, () =>
      Object.entries(shown).flatMap(([key, value]) => {
        return value === undefined || value === false ? [] : [say`${key.padEnd(12)}${String(value)}`]
      }),
    )
  }
}
