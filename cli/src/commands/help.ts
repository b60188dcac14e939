import { command } from '../context/base-command.js'
import { textsArg } from '../flags/flags.js'
import { helpOn } from '../help/help.js'

export const Command = command({
  summary: 'Show help on a command or a subject',
  args: {
    topic: textsArg({ description: 'A command, or environment, exit-codes, formatting, filters, contexts, scopes' }),
  },
  examples: ['ci help exit-codes', 'ci help builds list'],
  async execute(context, { args }) {
    await helpOn(args.topic ?? [], context, context.looks.paint)
  },
})
