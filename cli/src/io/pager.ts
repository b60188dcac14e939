import { spawn } from 'node:child_process'
import { type Io, variable, variableOn } from './io.js'
import type { Notes } from './notes.js'
import { type Printable, say } from './printable.js'
import type { Interrupts } from './signals.js'

const DEFAULT_PAGER = 'less -FRX'

/**
 * Shows a text in the pager when it is taller than the screen and a person can page; says whether it did. A pager
 * that cannot start is a warning, quitting it early is no error.
 */
export async function page(io: Io, notes: Notes, interrupts: Interrupts, printable: Printable): Promise<boolean> {
  const text = String(printable)
  if (!io.stdout.isTTY || !io.stdin.isTTY || variableOn(io, 'NO_PAGER')) return false
  if (text.split('\n').length - 1 < io.stdout.rows) return false
  const words = (variable(io, 'PAGER') ?? (io.env.PAGER || DEFAULT_PAGER)).split(/\s+/u).filter((word) => word !== '')
  const [program, ...args] = words
  if (program === undefined || program === 'cat') return false
  const takeBack = interrupts.leaveToChild()
  const started = await run(program, args, text, io.env).finally(takeBack)
  if (!started) notes.warn(say`the pager ${program} cannot be started`)
  return started
}

function run(program: string, args: readonly string[], text: string, env: Io['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: ['pipe', 'inherit', 'inherit'], env })
    child.on('error', () => resolve(false))
    child.on('close', () => resolve(true))
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)
  })
}
