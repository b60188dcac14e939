import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../cli/src/io/clock.js'
import { systemClock } from '../../../cli/src/io/clock.js'
import { buildManifest } from '../../../cli/src/run/build-manifest.js'
import { main, type ProgramInputs } from '../../../cli/src/run/main.js'
import { type MemoryIo, type MemoryIoOptions, memoryIo } from './memory-io.js'

/** The version that the program has in tests. */
export const VERSION = '1.0.0'

/** The exit code and the output of a run. */
export interface RunResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions extends MemoryIoOptions {
  readonly clock?: Clock
  readonly storedCredential?: ProgramInputs['storedCredential']
  readonly io?: MemoryIo
}

let manifest: ReturnType<typeof buildManifest> | undefined

/** Runs a command line in this process, on streams in memory, in an empty home. */
export async function runCli(
  argv: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'ci-home-')))
  const io = options.io ?? memoryIo({ cwd: home, ...options, home })
  try {
    const code = await main(argv, {
      io,
      clock: options.clock ?? systemClock,
      version: VERSION,
      manifest: () => (manifest ??= buildManifest(VERSION)),
      storedCredential: options.storedCredential ?? (async () => null),
    })
    return { code, ...io.written }
  } finally {
    if (options.home === undefined) await rm(home, { recursive: true, force: true })
  }
}
