import { once } from '../base/once.js'
import { type Collection, isCollection, type Records, recordChecks } from '../records/records.js'
import { anything, type Of, object, optional, text } from '../records/shape.js'
import { StoreError } from './errors.js'
import {
  checksumLength,
  checksumOf,
  checksumText,
  firstChecksum,
  formatVersion,
  promisedLines,
  type Written,
} from './journal-writer.js'
import { readLines } from './read-lines.js'
import { applyEdit, editKeys } from './record-edit.js'

/** A record that lives, and the bytes of its last whole version in the file. */
export interface Live {
  record: Records[Collection]
  bytes: number
  /** The file that is being written anew in which it stands already. */
  copiedTo?: object
}

export type LiveRecords = Map<Collection, Map<string, Live>>

export interface Replayed {
  readonly live: LiveRecords
  readonly written: Written
  readonly liveBytes: number
}

const isEntry = object({ collection: isCollection, id: text, record: optional(anything), ...editKeys })
type Entry = Of<typeof isEntry>

const advice = 'Put back a copy of the file, or move it away to start anew'

const damagedAt = (path: string, line: number, what: string): StoreError =>
  new StoreError('damaged', `${path}:${line}: ${what}. ${advice}`)

/** Reads a whole file; what follows its last whole batch is left out. @throws StoreError `damaged`, `other_format` */
export async function replay(path: string): Promise<Replayed> {
  const replayed = new Replay(path)
  for await (const bytes of readLines(path)) replayed.line(bytes)
  return replayed.end()
}

/** Reads the first line alone. @throws StoreError when it is not ours, or of another format */
export async function readHeader(path: string): Promise<number> {
  for await (const bytes of readLines(path)) return promiseOf(path, bytes.toString('utf8'))
  throw damagedAt(path, 1, 'the first line is missing')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function promiseOf(path: string, line: string): number {
  const promised = promisedLines(line)
  if (promised !== null) return promised
  const version: unknown = Object(jsonOf(line)).formatVersion
  if (typeof version === 'number' && Number.isInteger(version) && version > 0 && version !== formatVersion) {
    throw new StoreError(
      'other_format',
      `${path} has format ${version}, and this version reads ${formatVersion}. ${advice}`,
    )
  }
  throw damagedAt(path, 1, 'this is no first line of such a file')
}

class Replay {
  readonly #path: string
  readonly #live: LiveRecords = new Map()
  #promised = 0
  #number = 0
  #liveBytes = 0
  #checksum = firstChecksum
  /** Lines of a batch that is not whole yet. */
  #held: { readonly line: number; readonly text: string }[] = []
  #size = 0
  #written: Written = { size: 0, lines: 0, checksum: firstChecksum }

  constructor(path: string) {
    this.#path = path
  }

  line(bytes: Buffer): void {
    this.#number += 1
    this.#size += bytes.length + 1
    if (this.#number === 1) this.#promised = promiseOf(this.#path, bytes.toString('utf8'))
    else this.#checked(bytes)
    if (this.#held.length > 0) return
    this.#written = { size: this.#size, lines: this.#number, checksum: this.#checksum }
  }

  end(): Replayed {
    const { lines } = this.#written
    if (lines === 0) throw damagedAt(this.#path, 1, 'the first line is missing')
    if (lines < this.#promised) {
      throw damagedAt(this.#path, lines + 1, `the file ends here, but ${this.#promised} lines were written`)
    }
    return { live: this.#live, written: this.#written, liveBytes: this.#liveBytes }
  }

  #checked(bytes: Buffer): void {
    const rest = bytes.subarray(checksumLength)
    this.#checksum = checksumOf(rest, this.#checksum)
    if (bytes.toString('latin1', 0, checksumLength) !== checksumText(this.#checksum)) {
      throw damagedAt(this.#path, this.#number, 'the line is damaged, or one before it is missing or out of place')
    }
    const text = rest.toString('utf8')
    const whole = text.startsWith('"batch":')
    if (!whole && !text.startsWith('"more":')) throw damagedAt(this.#path, this.#number, 'the line is no batch')
    this.#held.push({ line: this.#number, text: text.slice(text.indexOf(':') + 1, -1) })
    // Lines that the first one promises belong to whole batches; a seed is one batch, and too large to be held back.
    if (!whole && this.#number > this.#promised) return
    for (const held of this.#held) this.#apply(held.text, held.line)
    this.#held = []
  }

  #apply(text: string, line: number): void {
    const batch = jsonOf(text)
    if (!Array.isArray(batch)) throw damagedAt(this.#path, line, 'the line is no batch')
    // Half of a line's text belongs to its records; who counts more exactly has to print them again.
    const share = batch.length === 0 ? 0 : Math.floor(text.length / batch.length)
    for (const entry of batch) {
      if (isEntry(entry) && this.#take(entry as Entry, share)) continue
      const { collection, id } = Object(entry) as Entry
      throw damagedAt(this.#path, line, `the record ${collection} ${id} is not as this version writes it`)
    }
  }

  /** Takes an entry over; false when it is none that fits. */
  #take({ collection, id, record, set, jobs }: Entry, bytes: number): boolean {
    const records = once(this.#live, collection, () => new Map<string, Live>())
    const known = records.get(id)
    if (record === undefined) {
      return (
        known !== undefined && set !== undefined && applyEdit(collection, known.record, { set, ...(jobs && { jobs }) })
      )
    }
    this.#liveBytes -= known?.bytes ?? 0
    if (record === null) return records.delete(id)
    if (!recordChecks[collection](record)) return false
    const whole = record as Live['record']
    this.#liveBytes += bytes
    // A record keeps its place among the others.
    if (known === undefined) records.set(id, { record: whole, bytes })
    else Object.assign(known, { record: whole, bytes })
    return whole.id === id
  }
}
