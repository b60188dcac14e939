import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'

export type { ReadyInfo as ServerReady } from '@buildwire/mock-server'

type ServerProgram = typeof import('@buildwire/mock-server/main')

/** Loads the reference server, which is an optional dependency. */
export async function loadServer(): Promise<ServerProgram> {
  try {
    return await import('@buildwire/mock-server/main')
  } catch (cause) {
    const missing =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    if (!missing) throw cause
    throw new CommandError('configuration', say`the reference server is not installed`, {
      hint: say`npm install @buildwire/mock-server`,
      cause,
    })
  }
}
