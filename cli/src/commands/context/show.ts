import { namedContext } from '../../config/named-context.js'
import { command } from '../../context/base-command.js'
import { textArg } from '../../flags/flags.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Show a context',
  examples: ['ci context show', 'ci context show acme --json'],
  args: { name: textArg({ description: 'A context; else the default' }) },
  async execute({ io, out }, { args, flags }) {
    const { name, context, isCurrent } = await namedContext(io, args.name ?? flags.context)
    const shown = { name, current: isCurrent, ...context }
    await out.value(shown, () =>
      Object.entries(shown).flatMap(([key, value]) => {
        return value === undefined || value === false ? [] : [say`${key.padEnd(12)}${String(value)}`]
      }),
    )
  },
})
