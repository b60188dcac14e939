import { BaseCommand, type Input } from '../../base-command.js'
import { makeCurrentContext } from '../../config/contexts.js'
import { namedContext } from '../../config/named-context.js'
import { paths } from '../../config/paths.js'
import type { Context } from '../../context.js'
import { textArg } from '../../flags/flags.js'

/** `ci context use` */
export class ContextUse extends BaseCommand<typeof ContextUse> {
  static override summary = 'Make a context the default'
  static override examples = ['ci context use acme', 'ci context use local']
  static override args = { name: textArg({ description: 'A context', required: true }) }

  protected async execute({ io, notes }: Context, { args }: Input<typeof ContextUse>): Promise<void> {
    const { name, context } = await namedContext(io, args.name)
    await makeCurrentContext(paths(io).config, name)
    notes.note(`Context ${name} (${context.baseUrl}) is now the default`)
  }
}
