import { saveContext } from '../../config/change-contexts.js'
import { namedContext } from '../../config/named-context.js'
import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { textArg } from '../../flags/flags.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'

/** `ci context delete` */
export class ContextDelete extends BaseCommand<typeof ContextDelete> {
  static override summary = 'Delete a context'
  static override description = 'A context that holds a token is logged out first: ci auth logout --context NAME.'
  static override examples = ['ci context delete local', 'ci context delete old --quiet']
  static override args = { name: textArg({ description: 'A context', required: true }) }

  protected async execute(context: Context, { args }: Input<typeof ContextDelete>): Promise<void> {
    const { name } = await namedContext(context.io, args.name)
    await saveContext(context, name, (old) => {
      if (old?.store === undefined) return null
      throw usageError(say`context ${name} still holds a token`, { hint: ['auth', 'logout', '--context', name] })
    })
    context.notes.note(say`Context ${name} is deleted`)
  }
}
