import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type ChildResult, runChild } from '../cli/support/child.js'
import { startServer } from '../cli/support/server.js'
import { scratch } from '../support/scratch.js'
import { BUS_FAULTS, type BusFault, openFaultyBus } from '../support/session-bus.js'
import type { StressTask } from './task.js'

/** The result of a command that ran with a faulty session bus. */
interface BusRun {
  readonly command: string
  readonly ms: number
  /** The differences from the expected result. */
  readonly wrong: string | null
}

/**
 * Runs a login, and commands of a context whose login is in the keyring, with a session bus that
 * has this fault. The login must end with its token in the file and one warning, the other commands
 * with one line that names the keyring.
 */
export async function runBesideBus(
  fault: BusFault,
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  commands: readonly string[] = ['builds list -L 1', 'auth status', 'auth logout'],
): Promise<BusRun[]> {
  await using bus = await openFaultyBus(fault)
  await using config = await scratch('ci-bus')
  const env = {
    DBUS_SESSION_BUS_ADDRESS: bus.address,
    BUILDWIRE_CONFIG_DIR: config.path,
    BUILDWIRE_BASE_URL: baseUrl,
    BUILDWIRE_ORG: 'acme',
  }
  const runs: BusRun[] = []
  const run = async (
    command: string,
    stdin: string,
    isRight: (result: ChildResult) => Promise<boolean>,
  ) => {
    const started = performance.now()
    const result = await runChild(command.split(' '), { env, stdin })
    const ms = Math.round(performance.now() - started)
    runs.push({
      command,
      ms,
      wrong: (await isRight(result)) ? null : `exit ${result.code}: ${result.stderr}`,
    })
  }
  const count = (text: string, start: string) =>
    text.split('\n').filter((line) => line.startsWith(start)).length
  await run('auth login --with-token', token, async ({ code, stderr }) => {
    const kept = await readFile(join(config.path, 'credentials.json'), 'utf8').catch(() => '')
    return code === 0 && kept.includes(token) && count(stderr, 'Warning: ') === 1
  })
  const contexts = { a: { baseUrl, store: 'keyring' } }
  await writeFile(
    join(config.path, 'config.json'),
    JSON.stringify({ version: 1, current: 'a', contexts }),
  )
  for (const command of commands) {
    await run(command, '', async ({ code, stdout, stderr }) => {
      const said = count(stderr, 'Error: the system keyring cannot be used: ')
      return code === 78 && stdout === '' && said === 1 && count(stderr, 'Error: ') === 1
    })
  }
  return runs
}

const LIMIT_MS = 4000

/**
 * Six faulty session buses: every command must end in 4 s with its work done or with one clear
 * line.
 */
export const run: StressTask = async ({ within, requests = 5, log }) => {
  const { server, token, close } = await startServer()
  const figures = { commands: 0, rounds: 0, 'slowest ms': 0 }
  let failure: string | undefined
  try {
    while (figures.rounds < requests && failure === undefined && within()) {
      for (const fault of BUS_FAULTS) {
        for (const { command, ms, wrong } of await runBesideBus(fault, {
          baseUrl: server.baseUrl,
          token,
        })) {
          figures.commands += 1
          figures['slowest ms'] = Math.max(figures['slowest ms'], ms)
          const slow = ms > LIMIT_MS ? `took ${ms} ms` : null
          if (wrong !== null || slow !== null)
            failure ??= `ci ${command} beside the bus "${fault}": ${wrong ?? slow}`
        }
        log(`${fault}: slowest so far ${figures['slowest ms']} ms`)
      }
      figures.rounds += 1
    }
  } finally {
    await close()
  }
  return { figures, failure }
}
