import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { EndingSignal, Io } from '../io/io.js'
import { say } from '../io/printable.js'

/**
 * Runs a program with the caller's environment plus `variables`, streams inherited, and answers its exit status:
 * its own, 128 + n when a signal ended it, 126 and 127 when it cannot be run.
 */
export function runChild(
  io: Io,
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const [program = '', ...args] = command
  const isTerminal = io.stdin.isTTY || io.stdout.isTTY || io.stderr.isTTY
  return new Promise((resolve) => {
    // A terminal signals the whole foreground group itself; a second SIGINT from us would be one too many.
    const names: readonly EndingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
    // Before the child is there: a signal in between would end us and leave it alone.
    const removers = names.map((name) =>
      io.onSignal(name, () => {
        if (name !== 'SIGINT' || !isTerminal) child.kill(name)
      }),
    )
    const child = spawn(program, args, { stdio: 'inherit', env: { ...io.env, ...variables } })
    const finish = (code: number) => {
      for (const remove of removers) remove()
      resolve(code)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'command not found' : `cannot be run (${error.code})`
      void io.stderr.write(say`Error: ${program}: ${why}\n`).catch(() => undefined)
      finish(error.code === 'ENOENT' ? 127 : 126)
    })
    child.on('exit', (code, signal) => finish(signal === null ? (code ?? 0) : 128 + constants.signals[signal]))
  })
}
