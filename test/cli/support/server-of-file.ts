import { afterAll, beforeAll } from 'vitest'
import { type RunOptions, type RunResult, runCli } from './run-cli.js'
import { startServer } from './server.js'

interface ServerOfFile extends Awaited<ReturnType<typeof startServer>> {
  /** Runs a command line against the server: a list of words, or a line without quotes. */
  run(words: string | readonly string[], options?: RunOptions): Promise<RunResult>
}

/** {@link startServer} for all tests of a file; its fields are set before the first test. */
export function serverOfFile(options?: Parameters<typeof startServer>[0]): ServerOfFile {
  const started = {
    run: (words, options = {}) =>
      runCli(typeof words === 'string' ? words.split(' ') : words, {
        ...options,
        env: { ...started.env, ...options.env },
      }),
  } as ServerOfFile
  beforeAll(async () => void Object.assign(started, await startServer(options)))
  afterAll(() => started.close())
  return started
}
