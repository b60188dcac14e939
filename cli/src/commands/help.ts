import { BaseCommand, type Input } from '../context/base-command.js'
import type { Context } from '../context/context.js'
import { textsArg } from '../flags/flags.js'
import { helpOn } from '../help/help.js'

/** `ci help` */
export class Help extends BaseCommand<typeof Help> {
  static override summary = 'Show help on a command or a subject'
  static override args = {
    topic: textsArg({ description: 'A command, or environment, exit-codes, formatting, filters, contexts, scopes' }),
  }
  static override examples = ['ci help exit-codes', 'ci help builds list']

  protected async execute(context: Context, { args }: Input<typeof Help>): Promise<void> {
    await helpOn(
      args.topic ?? [],
      { io: context.io, version: this.config.version, manifest: context.manifest },
      context.looks.paint,
    )
  }
}
