import { randomBytes } from 'node:crypto'
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError, errorCode, messageOf } from '../io/command-error.js'
import { say } from '../io/printable.js'

export type JsonFileObject = { readonly [key: string]: unknown }

export function isJsonObject(value: unknown): value is JsonFileObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a JSON object; null when the file does not exist. */
export async function readJsonFile(path: string): Promise<JsonFileObject | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    // ENOTDIR: a service's HOME may be /dev/null.
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR') return null
    throw new CommandError('configuration', say`cannot read ${path} (${errorCode(cause)})`, {
      cause,
    })
  }
  return parsedJson(path, text, 'configuration')
}

/** Parses the text of a file, which must be a JSON object. */
export function parsedJson(
  path: string,
  text: string,
  code: 'configuration' | 'usage',
): JsonFileObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new CommandError(code, say`${path}:${brokenLine(text)} is not valid JSON`)
  }
  if (!isJsonObject(value)) throw new CommandError(code, say`${path}:1 must hold a JSON object`)
  return value
}

/** The first line with a syntax error: the text before it is only incomplete. */
function brokenLine(text: string): number {
  const lines = text.split('\n')
  const at = lines.findIndex((_, line) => {
    const start = lines.slice(0, line + 1).join('\n')
    try {
      JSON.parse(start)
      return false
    } catch (error) {
      const message = messageOf(error)
      const position = /position (\d+)/u.exec(message)?.[1] ?? 0
      const isIncomplete =
        message.includes('end of JSON input') || Number(position) >= start.trimEnd().length
      return !isIncomplete
    }
  })
  return at === -1 ? lines.length : at + 1
}

interface FileOptions {
  /** The mode of a new file. */
  readonly mode?: number
  /** A private file whose lock is held. `probed` does everything but the final rename. */
  readonly own?: 'changed' | 'probed'
}

/**
 * Writes a JSON object so that a reader sees the old text or the new one: temporary file, fsync,
 * rename. The mode of an existing file and the target of a symlink are kept.
 */
export async function writeJsonFile(
  path: string,
  value: JsonFileObject,
  { mode: defaultMode = 0o600, own }: FileOptions = {},
): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path)
    const existing = own === undefined ? await stat(target).catch(() => null) : null
    const mode = existing === null ? defaultMode : existing.mode & 0o777
    const temporary = `${target}.${own === undefined ? randomBytes(6).toString('hex') : 'new'}.tmp`
    // Left by a killed process that held the lock; no other process writes this file.
    if (own !== undefined) await rm(temporary, { force: true })
    try {
      await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, {
        flag: 'wx',
        mode,
        flush: true,
      })
      // Imported here, because commands that only read do not need it.
      const { patiently } = await import('@buildwire/mock-server/patience')
      await patiently(() => (own === 'probed' ? rm(temporary) : rename(temporary, target)))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

export function unwritable(path: string, cause: unknown): CommandError {
  return new CommandError('configuration', say`cannot write ${path} (${errorCode(cause)})`, {
    cause,
  })
}

/**
 * The mode of a file or directory that other users may access; null if they may not, if it does not
 * exist, or on Windows.
 */
export async function openMode(path: string, platform: string): Promise<number | null> {
  const mode = platform === 'win32' ? 0 : ((await stat(path).catch(() => null))?.mode ?? 0)
  return (mode & 0o077) === 0 ? null : mode & 0o777
}

/**
 * Makes a private directory and its parents. (Node's `recursive` never returns where the system
 * refuses to make directories.)
 */
export async function makeDirectory(path: string, hasParent = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    if (errorCode(error) !== 'ENOENT' || hasParent || dirname(path) === path) throw error
    await makeDirectory(dirname(path))
    await makeDirectory(path, true)
  }
}
