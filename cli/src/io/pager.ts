import {
  commandWords,
  findProgram,
  type ProgramIo,
  startProgram,
} from '@buildwire/mock-server/programs'
import { type Io, variable, variableOn } from './io.js'
import type { Notes } from './notes.js'
import { type Printable, say } from './printable.js'
import type { Interrupts } from './signals.js'

const DEFAULT_PAGER = 'less -FRX'

/**
 * Shows a text in the pager if it is taller than the screen and a person can page; returns whether
 * it did.
 */
export async function page(
  io: Io,
  notes: Notes,
  interrupts: Interrupts,
  printable: Printable,
): Promise<boolean> {
  const text = String(printable)
  if (!io.stdout.isTTY || !io.stdin.isTTY || variableOn(io, 'NO_PAGER')) return false
  if (text.split('\n').length - 1 < io.stdout.rows) return false
  const wanted = variable(io, 'PAGER') ?? (io.env.PAGER || undefined)
  const words = await commandWords(io, wanted ?? DEFAULT_PAGER)
  const [program] = words
  if (program === undefined || program === 'cat') return false
  if (wanted === undefined && (await findProgram(io, program)) === null) return false
  const takeBack = interrupts.leaveToChild()
  const started = await run(io, words, text).finally(takeBack)
  if (!started) notes.warn(say`the pager ${program} cannot be started`)
  return started
}

async function run(io: ProgramIo, words: readonly string[], text: string): Promise<boolean> {
  const child = await startProgram(io, words, { stdio: ['pipe', 'inherit', 'inherit'] }).catch(
    () => null,
  )
  if (child === null) return false
  child.stdin?.on('error', () => undefined).end(text)
  await new Promise((resolve) => child.once('close', resolve))
  return true
}
