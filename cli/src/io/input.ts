import { resolve } from 'node:path'
import { readNamedFile } from './bounded.js'
import { CommandError, errorCode, usageError } from './command-error.js'
import type { Io } from './io.js'
import { say } from './printable.js'

/** Reads files that flags name; `-` is stdin, and can be read once. */
export interface FileInputs {
  /** The text of a file, byte for byte; `flag` names who wants it. */
  text(path: string, flag: string): Promise<string>
  json(path: string, flag: string): Promise<unknown>
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

  async function text(path: string, flag: string): Promise<string> {
    const read = await bytes(path, flag)
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read)
    } catch {
      throw usageError(say`${flag}: ${path === '-' ? 'stdin' : path} is not UTF-8 text`)
    }
  }

  return {
    text,
    async json(path, flag) {
      const given = await text(path, flag)
      try {
        return JSON.parse(given)
      } catch (cause) {
        throw usageError(say`${flag}: this is not valid JSON`, { cause })
      }
    },
  }
}
