import { type Hint, usageError } from './command-error.js'
import { type Io, isNonInteractive } from './io.js'
import { lines, type Printable, say } from './printable.js'
import { shorten } from './width.js'

export interface Question {
  readonly title: Printable
  /** The error when no person can be asked: names the flag and the variable. */
  readonly missing: Printable
  readonly hint?: Hint | undefined
  readonly lines?: readonly Printable[] | undefined
  /** Complete command lines that answer the question. */
  readonly choices?: readonly Printable[] | undefined
}

/** Lets a person choose from a numbered list on stderr, answered by a line. */
export async function pick<T>(
  io: Io,
  noInput: boolean,
  question: Question,
  choices: () => Promise<readonly { readonly label: Printable; readonly value: T }[]>,
): Promise<T> {
  const refuse = () => usageError(question.missing, question)
  if (isNonInteractive(io, noInput)) throw refuse()
  const offered = await choices()
  if (offered.length === 0) throw refuse()
  const digits = String(offered.length).length
  const rows = offered.map(({ label }, at) =>
    shorten(say`  ${String(at + 1).padStart(digits)}  ${label}`, io.stderr.columns),
  )
  await io.stderr.write(lines([question.title, ...rows]))
  for (;;) {
    await io.stderr.write(say`Number (1-${offered.length}): `)
    const line = await io.stdin.readLine()
    if (line === null || line.trim() === '') throw refuse()
    const chosen = /^\d{1,4}$/u.test(line.trim()) ? offered[Number(line.trim()) - 1] : undefined
    if (chosen !== undefined) return chosen.value
  }
}

/** Asks a person yes or no; only `y` and `yes` mean yes. */
export async function confirm(io: Io, question: Printable): Promise<boolean> {
  await io.stderr.write(say`${question} [y/N] `)
  return /^\s*y(?:es)?\s*$/iu.test((await io.stdin.readLine()) ?? '')
}
