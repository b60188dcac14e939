import process from 'node:process'
import type { Manifest } from './help/manifest.js'
import { systemClock } from './io/clock.js'
import { hasColor } from './io/color.js'
import { processIo } from './io/process-io.js'
import { main } from './run/main.js'

/**
 * Runs the program on this process's streams and sets the exit code; the process ends when nothing
 * is pending. `readJson` reads a file of this package.
 */
export async function run(
  argv: readonly string[],
  readJson: (name: string) => unknown,
): Promise<void> {
  const io = processIo()
  // For our libraries only: React chooses its build by NODE_ENV, others decide about colour by
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
  // An open prompt must not keep the process alive.
  io.releaseInput()
  if (code > 128) process.exit(code)
}
