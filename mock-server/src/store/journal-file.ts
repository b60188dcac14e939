import { type FileHandle, open, rename, stat, truncate } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { StoreError } from './errors.js'
import type { Batch } from './lowdb.js'
import { readLines } from './read-lines.js'
import type { Change } from './store.js'

export const formatVersion = 1

/** Records per line of a file that is written anew. */
const recordsPerLine = 500
const keyOf = ({ collection, id }: Change): string => `${collection}\0${id}`

/**
 * A lowdb adapter that appends: first line `{formatVersion}`, then one committed batch a line. A batch is never half
 * there: a last line without newline was never acknowledged and is cut.
 */
export class JournalFile implements Adapter<Batch> {
  readonly #path: string
  readonly #onRecovered: (bytes: number) => void
  #handle: FileHandle | undefined
  /** End of the last whole batch. */
  #size = 0
  #entries = 0
  #live = 0
  #torn = false

  constructor(path: string, onRecovered: (bytes: number) => void = () => undefined) {
    this.#path = path
    this.#onRecovered = onRecovered
  }

  /** The live records, once each; null when there is no file yet. @throws StoreError `damaged`, `newer_format` */
  async read(): Promise<Batch | null> {
    const found = await stat(this.#path).catch(() => null)
    if (found === null) return null
    const live = await this.#replay()
    if (found.size > this.#size) {
      await truncate(this.#path, this.#size)
      this.#onRecovered(found.size - this.#size)
    }
    if (this.#entries > 2 * live.size) await this.#rewrite([...live.values()])
    return [...live.values()]
  }

  /** Appends a batch; the first one makes the file, whole or not at all. */
  async write(batch: Batch): Promise<void> {
    if (this.#size === 0) return this.#rewrite(batch)
    this.#handle ??= await open(this.#path, 'a')
    if (this.#torn) await this.#cutBack()
    const line = Buffer.from(`${JSON.stringify(batch)}\n`)
    this.#torn = true
    try {
      await this.#handle.appendFile(line)
    } catch (error) {
      await this.#cutBack().catch(() => undefined)
      throw error
    }
    this.#torn = false
    this.#size += line.byteLength
    this.#entries += batch.length
  }

  /** Closes the file, written anew when more than half of it is history. */
  async close(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
    if (this.#size === 0 || this.#torn || this.#entries <= 2 * this.#live) return
    const live = await this.#replay()
    if (this.#entries > 2 * live.size) await this.#rewrite([...live.values()])
  }

  async #cutBack(): Promise<void> {
    await truncate(this.#path, this.#size)
    this.#torn = false
  }

  async #replay(): Promise<Map<string, Change>> {
    const live = new Map<string, Change>()
    this.#size = 0
    this.#entries = 0
    let number = 0
    for await (const bytes of readLines(this.#path)) {
      const batch = this.#parse(bytes.toString('utf8'), ++number)
      for (const change of batch) {
        if (change.record === null) live.delete(keyOf(change))
        else live.set(keyOf(change), change)
      }
      this.#entries += batch.length
      this.#size += bytes.byteLength + 1
    }
    if (number === 0) throw new StoreError('damaged', `${this.#path}:1: the first line is missing`)
    this.#live = live.size
    return live
  }

  #parse(line: string, number: number): Batch {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (cause) {
      throw new StoreError('damaged', `${this.#path}:${number}: the line is not whole JSON`, { cause })
    }
    if (number === 1) {
      checkHeader(value, this.#path)
      return []
    }
    if (!Array.isArray(value)) throw new StoreError('damaged', `${this.#path}:${number}: the line is no batch`)
    return value as Batch
  }

  /** Writes all that lives under a temporary name, then takes the file's place. */
  async #rewrite(live: Batch): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
    const temporary = `${this.#path}.new`
    const file = await open(temporary, 'w')
    let size = 0
    const line = async (value: unknown): Promise<void> => {
      const bytes = Buffer.from(`${JSON.stringify(value)}\n`)
      await file.appendFile(bytes)
      size += bytes.byteLength
    }
    try {
      await line({ formatVersion })
      for (let at = 0; at < live.length; at += recordsPerLine) await line(live.slice(at, at + recordsPerLine))
    } finally {
      await file.close()
    }
    await rename(temporary, this.#path)
    this.#size = size
    this.#entries = live.length
    this.#live = live.length
  }
}

/** Reads the first line alone. @throws StoreError when it is not ours, or of a newer format */
export async function readHeader(path: string): Promise<void> {
  for await (const bytes of readLines(path)) {
    let value: unknown
    try {
      value = JSON.parse(bytes.toString('utf8'))
    } catch {
      value = undefined
    }
    return checkHeader(value, path)
  }
  checkHeader(undefined, path)
}

function checkHeader(value: unknown, path: string): void {
  const version = typeof value === 'object' && value !== null ? Reflect.get(value, 'formatVersion') : undefined
  if (typeof version !== 'number') throw new StoreError('damaged', `${path}:1: the first line is missing`)
  if (version > formatVersion) {
    throw new StoreError('newer_format', `${path} has format ${version}; this version reads up to ${formatVersion}`)
  }
}
