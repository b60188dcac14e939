import { saveContext } from '../../config/change-contexts.js'
import { noContext, readContexts } from '../../config/contexts.js'
import { command } from '../../context/base-command.js'
import { textArg } from '../../flags/flags.js'
import { usageError } from '../../io/command-error.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Delete a context',
  description: 'A context that holds a token is logged out first: ci auth logout --context NAME.',
  examples: ['ci context delete local', 'ci context delete old --quiet'],
  args: { name: textArg({ description: 'A context', required: true }) },
  async execute(context, { args: { name = '' } }) {
    const { contexts } = await readContexts(context.io)
    if (!contexts.has(name)) throw noContext(name, contexts)
    await saveContext(context, name, (old) => {
      if (old === undefined) throw noContext(name, contexts)
      if (old.store === undefined) return null
      throw usageError(say`context ${name} still holds a token`, { hint: ['auth', 'logout', '--context', name] })
    })
    context.notes.note(say`Context ${name} is deleted`)
  },
})
