import { createHash, randomUUID } from 'node:crypto'
import { constants, copyFile, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { patiently } from '@buildwire/mock-server/patience'
import { CommandError, errorCode } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** The path, size and checksum of a downloaded file; null where the artifact's record has none. */
interface ExpectedFile {
  readonly path: string
  readonly file_size: number | null
  readonly sha1sum: string | null
}

interface TargetFolder {
  readonly path: string
  readonly platform: string
  /** Replace files that exist. */
  readonly force: boolean
}

/**
 * Returns the full path of a file below the folder, and makes the folders in between. A symbolic
 * link among these folders is refused.
 */
export async function preparePath(folder: TargetFolder, path: string): Promise<string> {
  const names = targetNames(path, folder.platform)
  await mkdir(folder.path, { recursive: true })
  let at = folder.path
  for (const name of names.slice(0, -1)) {
    at = join(at, name)
    await mkdir(at).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
    if (!(await lstat(at)).isDirectory()) throw refusedPath(path, `${at} is no folder, or a link`)
  }
  const file = join(at, names.at(-1) ?? '')
  const existing = await lstat(file).catch(() => null)
  if (existing?.isDirectory() === true) throw refusedPath(path, `${file} is a folder`)
  if (existing !== null && !folder.force) throw alreadyThere(file)
  return file
}

function alreadyThere(file: string): CommandError {
  return new CommandError('usage', say`${file} is there already`, {
    lines: [say`--force replaces it, --dir names another folder`],
  })
}

/**
 * Writes a stream to a temporary file beside `path`, and renames it when size and checksum are
 * right. After an error no file is left. Returns the size in bytes.
 */
export async function writeChecked(
  path: string,
  content: AsyncIterable<Uint8Array>,
  expected: ExpectedFile,
  force: boolean,
): Promise<number> {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.part`
  const file = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    0o666,
  )

  try {
    const hash = createHash('sha1')
    let size = 0
    try {
      for await (const bytes of content) {
        size += bytes.byteLength
        // An endless body must not fill the disk.
        if (expected.file_size !== null && size > expected.file_size)
          throw wrongSize(expected, `${size} or more`)
        hash.update(bytes)
        for (let at = 0; at < bytes.byteLength; ) at += (await file.write(bytes, at)).bytesWritten
      }
    } finally {
      await file.close()
    }
    if (expected.file_size !== null && size !== expected.file_size) throw wrongSize(expected, size)
    const sha1 = hash.digest('hex')
    if (expected.sha1sum !== null && sha1 !== expected.sha1sum.toLowerCase()) {
      throw damaged(expected, say`its SHA-1 is ${sha1}, and the server says ${expected.sha1sum}`)
    }
    if (force) await patiently(() => rename(temporary, path))
    else await renameToNew(temporary, path)
    return size
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Renames a file without replacing one that was made at `path` meanwhile. */
async function renameToNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(path)
    // The file system has no hard links.
    await copyFile(temporary, path, constants.COPYFILE_EXCL)
  }
}

function wrongSize(expected: ExpectedFile, got: number | string): CommandError {
  return damaged(expected, say`it has ${got} bytes, and the server says ${expected.file_size ?? 0}`)
}

function damaged({ path }: ExpectedFile, why: ReturnType<typeof say>): CommandError {
  return new CommandError(
    'unavailable',
    say`the artifact ${JSON.stringify(path)} came damaged, and was not kept`,
    { lines: [why] },
  )
}

/** Names of devices on Windows, with any text after a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu
const MAX_NAME_BYTES = 255

/** The names of the folders below the target folder, and the name of the file as the last. */
export function targetNames(path: string, platform: string): readonly string[] {
  // Both slashes separate: a backslash in a name on one system leads out of the folder on another.
  const names = path.split(/[/\\]/u)
  const why = names.map((name) => reasonAgainst(name, platform)).find((reason) => reason !== null)
  if (why !== undefined) throw refusedPath(path, why)
  return names
}

function refusedPath(path: string, why: string): CommandError {
  return new CommandError(
    'unavailable',
    say`the artifact ${JSON.stringify(path)} was not written: ${why}`,
  )
}

function reasonAgainst(name: string, platform: string): string | null {
  if (name === '') return 'its path is absolute or has an empty part'
  if (name === '.' || name === '..') return 'its path leads out of the folder'
  if (/[\u0000-\u001f\u007f]/u.test(name)) return 'its path has a control character'
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'a part of its path is too long for a name'
  if (platform !== 'win32') return null
  if (DEVICE.test(name)) return 'a part of its path is the name of a device'
  return /[<>:"|?*]|[. ]$/u.test(name) ? 'a part of its path is no name on this system' : null
}
