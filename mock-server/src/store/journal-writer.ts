import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

export const formatVersion = 2

/**
 * The start of the first line. The number of lines follows; it is overwritten in place, so it has a
 * fixed width.
 */
const headerStart = `{"formatVersion":${formatVersion},"lines":`
const widthOfLines = 15

function headerOf(lines: number): string {
  return `${headerStart}${String(lines).padStart(widthOfLines)}}\n`
}

// Bound: a line that starts with a fixed text, which takes linear time on any input.
const header = new RegExp(`^${headerStart.replace(/[{]/g, '\\{')} {0,14}(\\d+)\\}$`)

/** The number of lines that a first line promises; null if it does not have this format. */
export function promisedLines(line: string): number | null {
  const [, lines] = header.exec(line) ?? []
  return lines === undefined || line.length !== headerOf(0).length - 1 ? null : Number(lines)
}

export const firstChecksum = crc32(headerStart)

/**
 * The checksum of a line covers the rest of the line and the checksum before, so that lines cannot
 * change their order.
 */
export function checksumOf(rest: string | Uint8Array, before: number): number {
  return crc32(rest, before)
}

/** The length of `{"crc":"0123abcd",`; the checksum covers the text after it. */
export const checksumLength = 18

export function checksumText(checksum: number): string {
  return `{"crc":"${checksum.toString(16).padStart(8, '0')}",`
}

/** A new line starts after the entry that reaches this number of characters. */
const lineLength = 262_144
const noFollow = constants.O_NOFOLLOW ?? 0

/** The end of the valid part of a file, where the next batch is appended. */
export interface JournalEnd {
  readonly size: number
  readonly lines: number
  readonly checksum: number
}

/**
 * Appends batches to a file. A partly written batch is detected: the last line of each batch marks
 * its end, and the first line counts the lines.
 */
export class JournalWriter {
  readonly #path: string
  #handle: FileHandle | undefined
  #written: JournalEnd
  /** True if a failed batch may have left bytes at the end of the file. */
  #torn = false

  /** Appends to a file that was read up to `written`. It is opened for the first batch. */
  constructor(path: string, written: JournalEnd, handle?: FileHandle) {
    this.#path = path
    this.#written = written
    this.#handle = handle
  }

  /** Creates a file that only its owner can read; replaces an existing file. */
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
   * Appends a batch completely or not at all. An empty batch tests whether writing works.
   *
   * @param texts The entries. They are serialized while earlier ones are written.
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
      // If this fails too, the rest is cut off before the next batch.
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
