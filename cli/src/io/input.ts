import { resolve } from 'node:path'
import { readNamedFile } from './bounded.js'
import { CommandError, usageError } from './command-error.js'
import { errorCode } from './error-code.js'
import type { Io } from './io.js'
import { say } from './printable.js'

/** Reads files that flags name; `-` is stdin, and can be read once. */
export interface FileInputs {
  /** The text of a file, byte for byte; `flag` names who wants it. */
  text(path: string, flag: string): Promise<string>
  bytes(path: string, flag: string): Promise<Uint8Array>
}

/**
 * Refuses two flags that both name stdin, before any of them reads it.
 *
 * @throws CommandError `usage` that names both.
 */
export function oneStdin(paths: Readonly<Record<string, string | undefined>>): void {
  const [first, second] = Object.keys(paths).filter((flag) => paths[flag] === '-')
  if (second !== undefined) throw usageError(say`${first ?? ''} - and ${second} - both read stdin; only one can`)
}

/** File inputs of one run. */
export function createFileInputs(io: Io): FileInputs {
  let stdinTakenBy: string | null = null

  async function bytes(path: string, flag: string): Promise<Uint8Array> {
    if (path === '-') {
      if (stdinTakenBy !== null) throw usageError(say`${flag} - and ${stdinTakenBy} - both read stdin; only one can`)
      stdinTakenBy = flag
      return io.stdin.readAll()
    }
    try {
      return await readNamedFile(resolve(io.cwd, path))
    } catch (cause) {
      if (cause instanceof CommandError) throw cause
      throw usageError(say`${flag}: cannot read ${path} (${errorCode(cause)})`, { cause })
    }
  }

  return {
    bytes,
    async text(path, flag) {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await bytes(path, flag))
      } catch (error) {
        if (error instanceof TypeError)
          throw usageError(say`${flag}: ${path === '-' ? 'stdin' : path} is not UTF-8 text`)
        throw error
      }
    },
  }
}
