import type { Context } from '../context/context.js'
import { usageError } from '../io/command-error.js'
import { isNonInteractive } from '../io/io.js'
import { say } from '../io/printable.js'
import { writeLines } from './device-code.js'

/** A token from stdin, known to the redactor from then on. On a terminal it asks for it. */
export async function tokenFromStdin(context: Context, command: string): Promise<string> {
  const { io } = context
  if (io.stdin.isTTY) {
    if (isNonInteractive(io, context.noInput)) {
      throw usageError(say`${command} reads the token from stdin, which is a terminal`, { lines: [say`Pipe it in`] })
    }
    await writeLines(context, [say`Paste the token, then Ctrl-D`])
  }
  const token = new TextDecoder().decode(await io.stdin.readAll()).trim()
  if (token === '') throw usageError(say`${command} found no token on stdin`)
  context.redactor.add(token)
  context.usesTokenFromStdin()
  return token
}
