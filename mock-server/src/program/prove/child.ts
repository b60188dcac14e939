import { systemClock } from '../../base/clock.js'
import type { Ended } from '../../control/prove/verdict.js'
import { startProgram } from '../programs.js'

/** What is kept of a command's output. */
const keptBytes = 65_536
const patienceMs = 2_000

export interface CommandRun {
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly limitMs: number
  /** Ends the command. */
  readonly signal: AbortSignal
}

/** A command in a process group of its own, which ends with it: no descendant outlives the run. */
export async function runCommand({ command, env, limitMs, signal }: CommandRun): Promise<Ended> {
  const { platform } = process
  const ownGroup = platform !== 'win32'
  const options = { stdio: ['ignore', 'pipe', 'pipe'] as ('ignore' | 'pipe')[], detached: ownGroup }
  const started = await startProgram({ env, platform, cwd: process.cwd() }, command, options).catch(
    (error: Error) => error.message,
  )
  if (typeof started === 'string') return { exit: 'red', how: `cannot be run: ${started}`, output: '' }
  const child = started
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptBytes)
    })
  }
  const kill = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(ownGroup ? -child.pid : child.pid, name)
    } catch {
      // Nobody is left.
    }
  }
  const over = new AbortController()
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, name) => resolve(name === null ? `exit code ${code}` : `ended by ${name}`))
  })
  const stop = async (): Promise<void> => {
    kill('SIGTERM')
    await systemClock.sleep(patienceMs, over.signal)
    kill('SIGKILL')
  }
  let hung = false
  const limit = systemClock.sleep(limitMs, over.signal).then(() => {
    hung = true
    return stop()
  })
  const interrupt = () => void stop().catch(() => undefined)
  signal.addEventListener('abort', interrupt, { once: true })
  if (signal.aborted) interrupt()
  limit.catch(() => undefined)
  const closed = new Promise((resolve) => child.once('close', resolve))
  const how = await exited
  over.abort()
  signal.removeEventListener('abort', interrupt)
  kill('SIGKILL')
  if (child.pid !== undefined) await closed
  if (hung) return { exit: 'hung', how: `no end within ${Math.round(limitMs / 1000)} s`, output }
  return { exit: how === 'exit code 0' ? 'green' : 'red', how, output }
}
