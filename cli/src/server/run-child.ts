import { constants } from 'node:os'
import { startProgram } from '@buildwire/mock-server/programs'
import { errorCode } from '../io/command-error.js'
import type { EndingSignal, Io } from '../io/io.js'
import { say } from '../io/printable.js'

/**
 * Runs a program with the caller's environment plus `variables`, streams inherited, and answers its
 * exit status: its own, 128 + n when a signal ended it, 126 and 127 when it cannot be run.
 */
export async function runChild(
  io: Io,
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const isTerminal = io.stdin.isTTY || io.stdout.isTTY || io.stderr.isTTY
  let child: Awaited<ReturnType<typeof startProgram>> | undefined
  let earlySignal: EndingSignal | undefined
  // A terminal sends SIGINT to the whole foreground group itself, so we do not send a second one.
  const names: readonly EndingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  // Registered before the child starts: a signal in between would end us and not the child.
  const removers = names.map((name) =>
    io.onSignal(name, () => {
      if (child === undefined) earlySignal ??= name
      else if (name !== 'SIGINT' || !isTerminal) child.kill(name)
    }),
  )
  try {
    const started = await startProgram({ ...io, env: { ...io.env, ...variables } }, command, {
      stdio: 'inherit',
    })
    child = started
    if (earlySignal !== undefined) child.kill(earlySignal)
    return await new Promise((resolve) => {
      started.once('exit', (code, signal) =>
        resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]),
      )
    })
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT'
    const reason = error instanceof Error && !('code' in error) ? error.message : errorCode(error)
    const why = isMissing ? 'command not found' : `cannot be run (${reason})`
    await io.stderr.write(say`Error: ${command[0] ?? ''}: ${why}\n`).catch(() => undefined)
    return isMissing ? 127 : 126
  } finally {
    for (const remove of removers) remove()
  }
}
