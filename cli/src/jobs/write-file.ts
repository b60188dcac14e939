import { createHash, randomUUID } from 'node:crypto'
import { constants, copyFile, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { patiently } from '@buildwire/mock-server/patience'
import { CommandError, errorCode } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** What a downloaded file has to be, as far as its record says. */
export interface Expected {
  readonly path: string
  readonly file_size: number | null
  readonly sha1sum: string | null
}

export interface Folder {
  readonly path: string
  readonly platform: string
  /** Files that are there are replaced. */
  readonly force: boolean
}

/**
 * Finds the place of a file below the folder, and makes the folders in between; none of them is a
 * link.
 */
export async function placeOf(folder: Folder, path: string): Promise<string> {
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
  const place = join(at, names.at(-1) ?? '')
  const found = await lstat(place).catch(() => null)
  if (found?.isDirectory() === true) throw refusedPath(path, `${place} is a folder`)
  if (found !== null && !folder.force) throw alreadyThere(place)
  return place
}

function alreadyThere(place: string): CommandError {
  return new CommandError('usage', say`${place} is there already`, {
    lines: [say`--force replaces it, --dir names another folder`],
  })
}

/**
 * Writes a stream beside its place, and gives it its name only when it is whole and right; else no
 * file is left.
 */
export async function writeChecked(
  place: string,
  content: AsyncIterable<Uint8Array>,
  expected: Expected,
  force: boolean,
): Promise<number> {
  const part = `${place}.${randomUUID().slice(0, 8)}.part`
  const file = await open(part, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666)
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
    if (force) await patiently(() => rename(part, place))
    else await giveName(part, place)
    return size
  } finally {
    await rm(part, { force: true })
  }
}

/** Names a file without replacing one that came there meanwhile. */
async function giveName(part: string, place: string): Promise<void> {
  try {
    await link(part, place)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(place)
    // A file system without links.
    await copyFile(part, place, constants.COPYFILE_EXCL)
  }
}

function wrongSize(expected: Expected, got: number | string): CommandError {
  return damaged(expected, say`it has ${got} bytes, and the server says ${expected.file_size ?? 0}`)
}

function damaged({ path }: Expected, why: ReturnType<typeof say>): CommandError {
  return new CommandError(
    'unavailable',
    say`the artifact ${JSON.stringify(path)} came damaged, and was not kept`,
    {
      lines: [why],
    },
  )
}

/** Names that are devices on Windows, whatever stands behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu
const MAX_NAME_BYTES = 255

/** The names of an artifact's place below the target folder, its own last. */
export function targetNames(path: string, platform: string): readonly string[] {
  // Both slashes: what one system takes for a name is a way out on another.
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
