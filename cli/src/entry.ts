import process from 'node:process'
import type { Manifest } from './help/manifest.js'
import { systemClock } from './io/clock.js'
import { hasColor } from './io/color.js'
import { processIo } from './io/process-io.js'
import { main } from './run/main.js'

/**
 * Runs the program on this process's streams; sets the exit code and lets the loop run dry.
 * `readJson` reads a file of this package.
 */
export async function run(
  argv: readonly string[],
  readJson: (name: string) => unknown,
): Promise<void> {
  const io = processIo()
  // For libraries of ours only: React picks its build by NODE_ENV, others decide about colour by
  // FORCE_COLOR.
  process.env.NODE_ENV = 'production'
  if (process.env.FORCE_COLOR === undefined) {
    process.env.FORCE_COLOR = hasColor({ flag: undefined, env: io.env, isTTY: io.stdout.isTTY })
      ? '1'
      : '0'
  }
  const { version } = readJson('package.json') as { version: string }
  const code = await main(argv, {
    io,
    clock: systemClock,
    version,
    manifest: async () => readJson('oclif.manifest.json') as Manifest,
    storedCredential: async (context, settings) =>
      (await import('./auth/stored.js')).storedCredential(context, settings),
  })
  process.exitCode = code
  // A question that nobody will answer any more must not keep the program alive.
  io.releaseInput()
  if (code > 128) process.exit(code)
}
