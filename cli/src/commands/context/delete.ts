import { BaseCommand, type Input } from '../../base-command.js'
import { saveContext } from '../../config/contexts.js'
import { namedContext } from '../../config/named-context.js'
import { paths } from '../../config/paths.js'
import type { Context } from '../../context.js'
import { textArg } from '../../flags/flags.js'
import { usageError } from '../../io/command-error.js'

/** `ci context delete` */
export class ContextDelete extends BaseCommand<typeof ContextDelete> {
  static override summary = 'Delete a context'
  static override description = 'A context that holds a token is logged out first: ci auth logout --context NAME.'
  static override examples = ['ci context delete local', 'ci context delete old --quiet']
  static override args = { name: textArg({ description: 'A context', required: true }) }

  protected async execute({ io, notes }: Context, { args }: Input<typeof ContextDelete>): Promise<void> {
    const { name, context } = await namedContext(io, args.name)
    if (context.store !== undefined) {
      throw usageError(`context ${name} still holds a token`, { hint: `ci auth logout --context ${name}` })
    }
    await saveContext(paths(io).config, name, null)
    notes.note(`Context ${name} is deleted`)
  }
}
