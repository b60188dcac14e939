import { afterAll, beforeAll } from 'vitest'
import { startServer } from './server.js'

type Started = Awaited<ReturnType<typeof startServer>>

/** {@link startServer} for all tests of a file: the fields are there from its first test on. */
export function serverOfFile(): Started {
  const started = {} as Started
  beforeAll(async () => void Object.assign(started, await startServer()))
  afterAll(() => started.close())
  return started
}
