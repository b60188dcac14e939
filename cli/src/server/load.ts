import { CommandError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** What a server tells as soon as it answers (the ready line of the server). */
export interface ServerReady {
  readonly baseUrl: string
  readonly authUrl: string
  readonly webUrl: string
  readonly controlUrl: string
  readonly controlToken?: string | undefined
  readonly accessTokens: Readonly<Record<string, string>>
  readonly seed: string
}

/** The reference server's program. */
export interface ServerProgram {
  run(
    argv: readonly string[],
    options?: {
      onReady?: ((info: ServerReady) => void) | undefined
      signal?: AbortSignal | undefined
      env?: NodeJS.ProcessEnv | undefined
      as?: string | undefined
    },
  ): Promise<number>
  /** The variables that lead a program to the server. */
  childVariables(ready: ServerReady, env: NodeJS.ProcessEnv): Record<string, string>
}

/**
 * Loads the reference server, which is an optional dependency.
 *
 * @throws CommandError `configuration` when it is not installed.
 */
export async function loadServer(): Promise<ServerProgram> {
  try {
    return await import('@buildwire/mock-server/main')
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    if (!missing) throw cause
    throw new CommandError('configuration', say`the reference server is not installed`, {
      hint: say`npm install @buildwire/mock-server`,
      cause,
    })
  }
}
