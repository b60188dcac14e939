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

/** The JSON object that the text of a file is. */
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

/** The first line that cannot stand there: up to the line before, the text only lacks its end. */
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
      return !message.includes('end of JSON input') && Number(position) < start.trimEnd().length
    }
  })
  return at === -1 ? lines.length : at + 1
}

interface FileOptions {
  /** Of a new file. */
  readonly mode?: number
  /** A file of our own whose lock is held: it is private. `probed` writes all but its last step. */
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
    const there = own === undefined ? await stat(target).catch(() => null) : null
    const mode = there === null ? defaultMode : there.mode & 0o777
    const temporary = `${target}.${own === undefined ? randomBytes(6).toString('hex') : 'new'}.tmp`
    // What a killed holder of the lock left; nobody else has one.
    if (own !== undefined) await rm(temporary, { force: true })
    try {
      await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, {
        flag: 'wx',
        mode,
        flush: true,
      })
      // Loaded by those who write only.
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
 * The mode of what group or others may use; null where nobody else may, it is not there, or the
 * system has no modes.
 */
export async function openMode(path: string, platform: string): Promise<number | null> {
  const mode = platform === 'win32' ? 0 : ((await stat(path).catch(() => null))?.mode ?? 0)
  return (mode & 0o077) === 0 ? null : mode & 0o777
}

/**
 * Makes a private directory and those above it. (Node's own `recursive` never ends where the system
 * makes none.)
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
