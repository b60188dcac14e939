import { makeCurrentContext } from '../../config/change-contexts.js'
import { noContext, readContexts } from '../../config/contexts.js'
import { command } from '../../context/base-command.js'
import { textArg } from '../../flags/flags.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Make a context the default',
  examples: ['ci context use acme', 'ci context use local'],
  args: { name: textArg({ description: 'A context', required: true }) },
  async execute(context, { args: { name = '' } }) {
    const { contexts } = await readContexts(context.io)
    const server = contexts.get(name)
    if (server === undefined) throw noContext(name, contexts)
    await makeCurrentContext(context, name)
    context.notes.note(say`Context ${name} (${server.baseUrl}) is now the default`)
  },
})
