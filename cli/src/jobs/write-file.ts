import { createHash, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, linkSync, openSync, renameSync, rmSync, write } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { patiently } from '@buildwire/mock-server/patience'
import { CommandError, errorCode } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { shortened, shownPath, type TargetFile } from './target-path.js'

/** The size and checksum of a downloaded file; null where the artifact's record has none. */
export interface ExpectedContent {
  readonly file_size: number | null
  readonly sha1sum: string | null
}

interface WriteOptions {
  /** Replace a file that exists. */
  readonly force: boolean
  /** Runs `undo` at a signal, before anything else; the returned function ends that. */
  readonly onInterrupt: (undo: () => void) => () => void
}

/** A content with another size or checksum than the artifact's record. It is not kept. */
export class DamagedContentError extends CommandError {
  /** The content broke off, so a second request may bring all of it. */
  readonly isCut: boolean

  constructor(name: string, why: ReturnType<typeof say>, isCut = false) {
    super('unavailable', say`the artifact ${shownPath(name)} arrived damaged, and was not saved`, {
      lines: [why],
    })
    this.isCut = isCut
  }
}

const writeBytes = promisify(write)

/**
 * Writes a content to a temporary file beside its file, and renames it when size and checksum are
 * right. After an error or a signal no file is left. Returns the size in bytes.
 *
 * @throws DamagedContentError; CommandError `usage` if a file was made there meanwhile; what reading
 * the content throws.
 */
export async function writeChecked(
  file: TargetFile,
  content: AsyncIterable<Uint8Array>,
  expected: ExpectedContent,
  { force, onInterrupt }: WriteOptions,
): Promise<number> {
  const temporary = join(dirname(file.path), `.${randomUUID().slice(0, 8)}.part`)
  const remove = () => rmSync(temporary, { force: true })
  const forget = onInterrupt(remove)
  try {
    const size = await writeContent(temporary, file, content, expected)
    if (force) await patiently(() => rename(temporary, file.path))
    else renameToNew(temporary, file.path)
    return size
  } finally {
    remove()
    forget()
  }
}

async function writeContent(
  path: string,
  { name }: TargetFile,
  content: AsyncIterable<Uint8Array>,
  expected: ExpectedContent,
): Promise<number> {
  let size = 0
  // Opened in one turn: a signal finds no file, or the file.
  const opened = openSync(path, 'wx')
  try {
    for await (const bytes of checkedContent(name, content, expected)) {
      size += bytes.byteLength
      for (let at = 0; at < bytes.byteLength; )
        at += (await writeBytes(opened, bytes, at)).bytesWritten
    }
  } finally {
    closeSync(opened)
  }
  return size
}

/**
 * The bytes of a content as they arrive.
 *
 * @throws DamagedContentError as soon as the content is larger than the artifact's record says, and
 * at its end for another size or checksum.
 */
export async function* checkedContent(
  name: string,
  content: AsyncIterable<Uint8Array>,
  { file_size, sha1sum }: ExpectedContent,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha1')
  let size = 0
  for await (const bytes of content) {
    size += bytes.byteLength
    // An endless body must not fill the disk.
    if (file_size !== null && size > file_size) throw wrongSize(name, file_size, `${size} or more`)
    hash.update(bytes)
    yield bytes
  }

  if (file_size !== null && size !== file_size) throw wrongSize(name, file_size, `${size}`, true)
  const sha1 = hash.digest('hex')
  if (sha1sum !== null && sha1 !== sha1sum.toLowerCase()) {
    const why = say`its SHA-1 is ${sha1}, and the server says ${shortened(sha1sum)}`
    throw new DamagedContentError(name, why)
  }
}

function wrongSize(name: string, expected: number, got: string, isCut = false) {
  const why = say`it has ${got} bytes, and the server says ${expected}`
  return new DamagedContentError(name, why, isCut)
}

/** Renames a file without replacing one that was made at `path` meanwhile. */
function renameToNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(path)
    takeName(path)
    // The file system has no hard links, so the empty file that holds the name is replaced.
    renameSync(temporary, path)
  }
}

function takeName(path: string): void {
  try {
    closeSync(openSync(path, 'wx'))
  } catch (error) {
    throw errorCode(error) === 'EEXIST' ? alreadyThere(path) : error
  }
}

export function alreadyThere(path: string): CommandError {
  return new CommandError('usage', say`${shortened(path)} exists already`, {
    lines: [
      say`--force replaces it, --skip-existing keeps it if it is equal, --dir names another folder`,
    ],
  })
}

/** Whether a file has the size and the checksum of an artifact's record, which has both. */
export async function isEqualFile(
  path: string,
  size: number,
  { file_size, sha1sum }: ExpectedContent,
): Promise<boolean> {
  if (file_size !== size || sha1sum === null) return false
  const hash = createHash('sha1')
  for await (const bytes of createReadStream(path)) hash.update(bytes as Uint8Array)
  return hash.digest('hex') === sha1sum.toLowerCase()
}
