import { afterAll, beforeAll } from 'vitest'
import { type RunOptions, type RunResult, runCli } from './run-cli.js'
import { startServer } from './server.js'

interface OfFile extends Awaited<ReturnType<typeof startServer>> {
  /** Runs a command line against it: its words, or a line without quotes. */
  run(words: string | readonly string[], options?: RunOptions): Promise<RunResult>
}

/** {@link startServer} for all tests of a file: the fields are there from its first test on. */
export function serverOfFile(): OfFile {
  const started = {
    run: (words, options = {}) =>
      runCli(typeof words === 'string' ? words.split(' ') : words, {
        ...options,
        env: { ...started.env, ...options.env },
      }),
  } as OfFile
  beforeAll(async () => void Object.assign(started, await startServer()))
  afterAll(() => started.close())
  return started
}
