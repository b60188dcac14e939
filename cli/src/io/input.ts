import { resolve } from 'node:path'
import { CommandError, errorCode, usageError } from './command-error.js'
import type { Io } from './io.js'
import { say } from './printable.js'

/** Reads files that flags name; `-` is stdin, and can be read once. */
export type FileInputs = ReturnType<typeof createFileInputs>

/** Refuses two flags that both name stdin, before one of them reads it. */
export function oneStdin(paths: Readonly<Record<string, string | undefined>>): void {
  const [first, second] = Object.keys(paths).filter((flag) => paths[flag] === '-')
  if (second !== undefined)
    throw usageError(say`${first ?? ''} - and ${second} - both read stdin; only one can`)
}

export function createFileInputs(io: Io) {
  let stdinTakenBy: string | null = null

  async function bytes(path: string, flag: string): Promise<Uint8Array> {
    if (path === '-') {
      if (stdinTakenBy !== null)
        throw usageError(say`${flag} - and ${stdinTakenBy} - both read stdin; only one can`)
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

  /** The text of a file; `flag` is named in errors. */
  async function text(path: string, flag: string): Promise<string> {
    const content = await bytes(path, flag)
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
    } catch {
      throw usageError(say`${flag}: ${path === '-' ? 'stdin' : path} is not UTF-8 text`)
    }
  }

  return {
    text,
    async json(path: string, flag: string): Promise<unknown> {
      const content = await text(path, flag)
      try {
        return JSON.parse(content)
      } catch (cause) {
        throw usageError(say`${flag}: this is not valid JSON`, { cause })
      }
    },
  }
}

const MAX_MEBIBYTES = 64

/** Reads a stream to its end; refuses one that may be endless, such as `/dev/zero`. */
export async function readBounded(
  chunks: AsyncIterable<Uint8Array | string>,
  name: string,
): Promise<Buffer> {
  const read: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_MEBIBYTES * 2 ** 20)
      throw usageError(say`${name} holds more than ${MAX_MEBIBYTES} MiB`)
    read.push(bytes)
  }
  return Buffer.concat(read)
}

/** The bytes of a file that the user named; rejects with the system's error. */
export async function readNamedFile(path: string): Promise<Buffer> {
  // Imported late: the module loads all file streams of Node, which slows the start of help.
  const { createReadStream } = await import('node:fs')
  return readBounded(createReadStream(path), path)
}
