import { systemClock } from '../base/clock.js'
import type { Ended } from '../control/prove/verdict.js'
import { startProgram } from './programs.js'

const keptBytes = 65_536
const patienceMs = 2_000

/**
 * Runs a command in a process group of its own, which ends with it: no descendant outlives the run,
 * or the signal.
 */
export async function runCommand(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  limitMs: number,
  signal: AbortSignal,
): Promise<Ended> {
  const { platform } = process
  const group = platform !== 'win32'
  const world = { env, platform, cwd: process.cwd() }
  const options = { stdio: ['ignore' as const, 'pipe' as const, 'pipe' as const], detached: group }
  const child = await startProgram(world, command, options).catch((error: Error) => error)
  if (child instanceof Error)
    return { exit: 'red', how: `cannot be run: ${child.message}`, output: '' }
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptBytes)
    })
  }
  let how = ''
  const exited = new AbortController()
  const closed = new AbortController()
  child
    .once('close', () => closed.abort())
    .once('exit', (code, name) => {
      how = name === null ? `exit code ${code}` : `ended by ${name}`
      exited.abort()
    })
  const kill = (name: NodeJS.Signals): void => {
    // Its number may be another's by now.
    if (!group && exited.signal.aborted) return
    try {
      process.kill(group ? -Number(child.pid) : Number(child.pid), name)
    } catch {
      // Nobody is left.
    }
  }
  const passes = (ms: number, ...signals: AbortSignal[]): Promise<boolean> =>
    systemClock.sleep(ms, AbortSignal.any(signals)).then(
      () => true,
      () => false,
    )
  const hung = await passes(limitMs, exited.signal, signal)
  if (!exited.signal.aborted) {
    kill('SIGTERM')
    await passes(patienceMs, exited.signal)
  }
  kill('SIGKILL')
  // A descendant that left the group may hold the pipes, and is none of ours any more.
  await passes(patienceMs, closed.signal)
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  if (hung) return { exit: 'hung', how: `no end within ${Math.round(limitMs / 1000)} s`, output }
  return { exit: how === 'exit code 0' ? 'green' : 'red', how, output }
}
