import { makeCurrentContext } from '../../config/change-contexts.js'
import { namedContext } from '../../config/named-context.js'
import { BaseCommand, type Input } from '../../context/base-command.js'
import type { Context } from '../../context/context.js'
import { textArg } from '../../flags/flags.js'
import { say } from '../../io/printable.js'

/** `ci context use` */
export class ContextUse extends BaseCommand<typeof ContextUse> {
  static override summary = 'Make a context the default'
  static override examples = ['ci context use acme', 'ci context use local']
  static override args = { name: textArg({ description: 'A context', required: true }) }

  protected async execute(context: Context, { args }: Input<typeof ContextUse>): Promise<void> {
    const { name, context: server } = await namedContext(context.io, args.name)
    await makeCurrentContext(context, name)
    context.notes.note(say`Context ${name} (${server.baseUrl}) is now the default`)
  }
}
