import { makeCurrentContext } from '../../config/change-contexts.js'
import { readContexts } from '../../config/contexts.js'
import { command } from '../../context/base-command.js'
import { textArg } from '../../flags/flags.js'
import { say } from '../../io/printable.js'

export const Command = command({
  summary: 'Make a context the default',
  examples: ['ci context use acme', 'ci context use local'],
  args: { name: textArg({ description: 'A context', required: true }) },
  async execute(context, { args: { name = '' } }) {
    await makeCurrentContext(context, name)
    const { contexts } = await readContexts(context.io)
    context.notes.note(say`Context ${name} (${contexts.get(name)?.baseUrl ?? ''}) is now the default`)
  },
})
