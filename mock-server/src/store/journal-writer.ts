import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

export const formatVersion = 2

/**
 * What the first line begins with; the number of lines behind it is written over in place, so it
 * has one width.
 */
const headerStart = `{"formatVersion":${formatVersion},"lines":`
const widthOfLines = 15

function headerOf(lines: number): string {
  return `${headerStart}${String(lines).padStart(widthOfLines)}}\n`
}

// Bound: a line that starts with a fixed text, which takes linear time on any input.
const header = new RegExp(`^${headerStart.replace(/[{]/g, '\\{')} {0,14}(\\d+)\\}$`)

/** How many lines a first line promises; null when it is not of this format. */
export function promisedLines(line: string): number | null {
  const [, lines] = header.exec(line) ?? []
  return lines === undefined || line.length !== headerOf(0).length - 1 ? null : Number(lines)
}

export const firstChecksum = crc32(headerStart)

/**
 * The checksum of a line is made over what stands behind it and the checksum before: lines belong
 * in one order.
 */
export function checksumOf(rest: string | Uint8Array, before: number): number {
  return crc32(rest, before)
}

/** What stands before the text that a checksum covers: `{"crc":"0123abcd",`. */
export const checksumLength = 18

export function checksumText(checksum: number): string {
  return `{"crc":"${checksum.toString(16).padStart(8, '0')}",`
}

/** Characters of a line, as far as entries can be parted. */
const lineLength = 262_144
const noFollow = constants.O_NOFOLLOW ?? 0

/** How far a file is written: what comes next is added there. */
export interface JournalEnd {
  readonly size: number
  readonly lines: number
  readonly checksum: number
}

/**
 * Adds batches to a file. A batch is never half there: its last line says that it is whole, and the
 * first line counts.
 */
export class JournalWriter {
  readonly #path: string
  #handle: FileHandle | undefined
  #written: JournalEnd
  /** Bytes that a failed batch may have left behind. */
  #torn = false

  /** Goes on where a file was read to; it is opened for the first batch. */
  constructor(path: string, written: JournalEnd, handle?: FileHandle) {
    this.#path = path
    this.#written = written
    this.#handle = handle
  }

  /** A new file, its owner's alone, whatever stood there. */
  static async create(path: string): Promise<JournalWriter> {
    await rm(path, { force: true })
    const handle = await open(path, 'wx', 0o600)
    const first = Buffer.from(headerOf(1))
    await handle.write(first, 0, first.length, 0)
    return new JournalWriter(
      path,
      { size: first.length, lines: 1, checksum: firstChecksum },
      handle,
    )
  }

  get size(): number {
    return this.#written.size
  }

  /**
   * Adds a batch, all or nothing; an empty one asks whether writing works. @param texts Of entries;
   * made while earlier ones are written.
   */
  async append(texts: Iterable<string>): Promise<void> {
    if (this.#torn) await this.#cutBack()
    this.#torn = true
    try {
      let written = this.#written
      let entries: string[] = []
      let length = 0
      for (const text of texts) {
        if (length >= lineLength) {
          written = await this.#writeLine('more', entries, written)
          entries = []
          length = 0
        }
        entries.push(text)
        length += text.length
      }
      written = await this.#writeLine('batch', entries, written)
      await this.#write(Buffer.from(headerOf(written.lines)), 0)
      this.#written = written
      this.#torn = false
    } catch (error) {
      // What is left of it is cut before the next batch at the latest.
      await this.#cutBack().catch(() => undefined)
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }

  async #writeLine(
    kind: 'more' | 'batch',
    entries: readonly string[],
    { size, lines, checksum }: JournalEnd,
  ) {
    const rest = Buffer.from(`"${kind}":[${entries.join(',')}]}\n`)
    const next = checksumOf(rest.subarray(0, -1), checksum)
    const line = Buffer.concat([Buffer.from(checksumText(next)), rest])
    await this.#write(line, size)
    return { size: size + line.length, lines: lines + 1, checksum: next }
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle === undefined) {
      this.#handle = await open(this.#path, constants.O_RDWR | noFollow)
      await this.#handle.chmod(0o600)
    }
    return this.#handle
  }

  async #write(bytes: Buffer, position: number): Promise<void> {
    const handle = await this.#open()
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
      done += bytesWritten
    }
  }

  async #cutBack(): Promise<void> {
    await (await this.#open()).truncate(this.#written.size)
    await this.#write(Buffer.from(headerOf(this.#written.lines)), 0)
    this.#torn = false
  }
}
