import { readFileSync } from 'node:fs'
import process from 'node:process'
import { systemClock } from './clock.js'
import { hasColor } from './io/color.js'
import { processIo } from './io/process-io.js'
import { main } from './main.js'

/** Runs the program on this process's streams; sets the exit code and lets the loop run dry. */
export async function run(argv: readonly string[], root: URL): Promise<void> {
  const io = processIo()
  // For libraries of ours only: React picks its build by NODE_ENV, others decide about colour by FORCE_COLOR.
  process.env.NODE_ENV = 'production'
  if (process.env.FORCE_COLOR === undefined) {
    process.env.FORCE_COLOR = hasColor({ flag: undefined, env: io.env, isTTY: io.stdout.isTTY }) ? '1' : '0'
  }
  const json = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'))
  const { version } = json('package.json')
  const code = await main(argv, {
    io,
    clock: systemClock,
    version,
    manifest: async () => json('oclif.manifest.json'),
    storedCredential: async (settings, tools) => (await import('./auth/stored.js')).storedCredential(settings, tools),
  })
  process.exitCode = code
  // A question that nobody will answer any more must not keep the program alive.
  process.stdin.unref?.()
  if (code > 128) process.exit(code)
}
