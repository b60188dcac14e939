import { noContext, readContexts } from '../../config/contexts.js'
import { command } from '../../context/base-command.js'
import { textArg } from '../../flags/flags.js'
import { CommandError } from '../../io/command-error.js'
import { variable } from '../../io/io.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Show a context',
  examples: ['ci context show', 'ci context show acme --json'],
  args: { name: textArg({ description: 'A context; else the default' }) },
  async execute({ io, out }, { args, flags }) {
    const { contexts, current } = await readContexts(io)
    const name = args.name ?? flags.context ?? variable(io, 'CONTEXT') ?? current
    if (name === null) {
      throw new CommandError('configuration', say`no context is the default`, { hint: ['context', 'list'] })
    }
    const context = contexts.get(name)
    if (context === undefined) throw noContext(name, contexts)
    const shown = { name, current: name === current, ...context }
    await out.value(shown, () =>
      Object.entries(shown).flatMap(([key, value]) => {
        return value === undefined || value === false ? [] : [say`${key.padEnd(12)}${String(value)}`]
      }),
    )
  },
})
