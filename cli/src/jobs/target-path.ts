import type { Stats } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError, errorCode } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** The folder that artifacts are written below. */
export interface TargetFolder {
  readonly path: string
  readonly platform: string
}

/** An artifact's file below the folder. */
export interface TargetFile {
  /** The path of the artifact, for messages. */
  readonly name: string
  /** The full path. */
  readonly path: string
  /** The folders from the target folder to the file, from the outermost on. */
  readonly folders: readonly string[]
}

/** Names of devices on Windows, with any text after a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu
const MAX_NAME_BYTES = 255
/** Bytes of a path that a system takes, without its end; Windows has no such limit for Node. */
const MAX_PATH_BYTES: Readonly<Record<string, number>> = { linux: 4095, darwin: 1023 }
/** Bytes of the name of a temporary file beside a file. */
const TEMPORARY_BYTES = 20
const SHOWN_CHARACTERS = 120
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]|\p{Cs}/u

/**
 * The file of an artifact below the folder. The path is checked and measured, and nothing is made.
 *
 * @throws CommandError `rejected` for a path that leads out of the folder or cannot be a file.
 */
export function targetFile(folder: TargetFolder, path: string): TargetFile {
  const names = targetNames(path, folder.platform)
  const folders = names.slice(0, -1).map((_, at) => join(folder.path, ...names.slice(0, at + 1)))
  const full = join(folder.path, ...names)
  const longest = Math.max(
    Buffer.byteLength(full),
    Buffer.byteLength(folders.at(-1) ?? folder.path) + TEMPORARY_BYTES,
  )
  if (longest > (MAX_PATH_BYTES[folder.platform] ?? Number.POSITIVE_INFINITY))
    throw refusedPath(path, 'its path is too long for this system')
  return { name: path, path: full, folders }
}

/**
 * What is at the path of a file; null if nothing is.
 *
 * @throws CommandError `rejected` for a folder, or if a folder on the way is a link or a file.
 */
export async function findExisting(file: TargetFile): Promise<Stats | null> {
  for (const folder of file.folders) {
    const there = await lstat(folder).catch(() => null)
    if (there === null) return null
    if (!there.isDirectory()) throw notAFolder(file, folder)
  }
  const existing = await lstat(file.path).catch(() => null)
  if (existing?.isDirectory() === true)
    throw refusedPath(file.name, `${shortened(file.path)} is a folder`)
  return existing
}

/** Makes the folders of a file. A symbolic link among them is refused. */
export async function makeFolders(folder: TargetFolder, file: TargetFile): Promise<void> {
  await mkdir(folder.path, { recursive: true })
  for (const path of file.folders) {
    await mkdir(path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
    if (!(await lstat(path)).isDirectory()) throw notAFolder(file, path)
  }
}

/** One text for all paths that are one file: some systems ignore case and Unicode's forms. */
export function fileKey(file: TargetFile, platform: string): string {
  const ignoresCase = platform === 'darwin' || platform === 'win32'
  return ignoresCase ? file.path.normalize('NFC').toLowerCase() : file.path
}

/** The names of the folders below the target folder, and the name of the file as the last. */
export function targetNames(path: string, platform: string): readonly string[] {
  // Both slashes separate: a backslash in a name on one system leads out of the folder on another.
  const names = path.split(/[/\\]/u)
  const why = names.map((name) => reasonAgainst(name, platform)).find((reason) => reason !== null)
  if (why !== undefined) throw refusedPath(path, why)
  return names
}

/** A path in a message: quoted, and without its middle if it is long. */
export function shownPath(path: string): string {
  return JSON.stringify(shortened(path))
}

export function shortened(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text
  return `${text.slice(0, SHOWN_CHARACTERS / 2)}…${text.slice(-SHOWN_CHARACTERS / 2)}`
}

function notAFolder(file: TargetFile, folder: string): CommandError {
  return refusedPath(file.name, `${shortened(folder)} is not a folder, or is a link`)
}

function refusedPath(path: string, why: string): CommandError {
  return new CommandError('rejected', say`the artifact ${shownPath(path)} was not written: ${why}`)
}

function reasonAgainst(name: string, platform: string): string | null {
  if (name === '') return 'its path is absolute or has an empty part'
  if (name === '.' || name === '..') return 'its path leads out of the folder'
  if (CONTROLS.test(name)) return 'its path has a control character'
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'a part of its path is too long for a name'
  if (platform !== 'win32') return null
  if (DEVICE.test(name)) return 'a part of its path is the name of a device'
  return /[<>:"|?*]|[. ]$/u.test(name) ? 'a part of its path is not a name on this system' : null
}
