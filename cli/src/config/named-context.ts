import { CommandError, usageError } from '../io/command-error.js'
import { type Io, variable } from '../io/io.js'
import { say } from '../io/printable.js'
import { readContexts, type ServerContext } from './contexts.js'
import { paths } from './paths.js'

export interface NamedContext {
  readonly name: string
  readonly context: ServerContext
  readonly isCurrent: boolean
}

/**
 * The context of that name, else of `BUILDWIRE_CONTEXT`, else the default.
 *
 * @throws CommandError `usage` when it does not exist, `configuration` when there is no default.
 */
export async function namedContext(io: Io, typed: string | undefined): Promise<NamedContext> {
  const { contexts, current } = await readContexts(paths(io).config)
  const name = typed ?? variable(io, 'CONTEXT') ?? current
  if (name === null) {
    throw new CommandError('configuration', say`no context is the default`, { hint: ['context', 'list'] })
  }
  const context = contexts.get(name)
  if (context === undefined) {
    throw usageError(say`there is no context ${JSON.stringify(name)}`, { hint: ['context', 'list'] })
  }
  return { name, context, isCurrent: name === current }
}
