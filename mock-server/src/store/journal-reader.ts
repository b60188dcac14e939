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
import { applyEdit, type RecordEdit } from './record-edit.js'
import { recordChecks } from './record-shapes.js'
import type { Collection, Records } from './records.js'

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
  /** Bytes of whole records that live. */
  readonly liveBytes: number
  readonly version: number
}

interface Entry extends Partial<RecordEdit> {
  readonly collection: Collection
  readonly id: string
  readonly record?: Records[Collection] | null
}

const advice = 'Put back a copy of the file, or move it away to start anew'

const damagedAt = (path: string, line: number, what: string): StoreError =>
  new StoreError('damaged', `${path}:${line}: ${what}. ${advice}`)

/** Reads a whole file; what follows its last whole batch is left out. @throws StoreError `damaged`, `newer_format` */
export async function replay(path: string): Promise<Replayed> {
  const replayed = new Replay(path)
  for await (const bytes of readLines(path)) replayed.line(bytes)
  return replayed.end()
}

/** Reads the first line alone. @throws StoreError when it is not ours, or of another format */
export async function readHeader(path: string): Promise<void> {
  for await (const bytes of readLines(path)) {
    versionOf(path, bytes.toString('utf8'))
    return
  }
  throw damagedAt(path, 1, 'the first line is missing')
}

/** The format that a first line tells: this one, or the one before it. */
function versionOf(path: string, line: string): number {
  if (promisedLines(line) !== null) return formatVersion
  let version: unknown
  try {
    version = Reflect.get(Object(JSON.parse(line)), 'formatVersion')
  } catch {
    // Told below.
  }
  if (typeof version === 'number' && Number.isInteger(version) && version > formatVersion) {
    throw new StoreError('newer_format', `${path} has format ${version}; this version reads up to ${formatVersion}`)
  }
  if (line === '{"formatVersion":1}') return 1
  throw damagedAt(path, 1, 'this is no first line of such a file')
}

class Replay {
  readonly #path: string
  readonly #live: LiveRecords = new Map()
  #version = formatVersion
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
    if (this.#number === 1) {
      const text = bytes.toString('utf8')
      this.#version = versionOf(this.#path, text)
      this.#promised = promisedLines(text) ?? 0
    } else if (this.#version === formatVersion) this.#checked(bytes)
    else this.#apply(bytes.toString('utf8'), this.#number, upgraded)
    if (this.#held.length === 0) {
      this.#written = { size: this.#size, lines: this.#number, checksum: this.#checksum }
    }
  }

  end(): Replayed {
    const { lines } = this.#written
    if (lines === 0) throw damagedAt(this.#path, 1, 'the first line is missing')
    if (lines < this.#promised) {
      throw damagedAt(this.#path, lines + 1, `the file ends here, but ${this.#promised} lines were written`)
    }
    return { live: this.#live, written: this.#written, liveBytes: this.#liveBytes, version: this.#version }
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
    if (!whole) return
    for (const held of this.#held) this.#apply(held.text, held.line)
    this.#held = []
  }

  #apply(text: string, line: number, read: (entry: Entry) => Entry = (entry) => entry): void {
    let batch: unknown
    try {
      batch = JSON.parse(text)
    } catch {
      throw damagedAt(this.#path, line, 'the line is not whole JSON')
    }
    if (!Array.isArray(batch)) throw damagedAt(this.#path, line, 'the line is no batch')
    // Half of a line's text belongs to its records; who counts more exactly has to print them again.
    const share = batch.length === 0 ? 0 : Math.floor(text.length / batch.length)
    for (const entry of batch) {
      if (!this.#take(entry, share, read)) {
        const { collection, id } = Object(entry) as Entry
        throw damagedAt(this.#path, line, `the record ${collection} ${id} is not as this version writes it`)
      }
    }
  }

  /** Takes an entry over; false when it is none that fits. */
  #take(given: unknown, bytes: number, read: (entry: Entry) => Entry): boolean {
    if (typeof given !== 'object' || given === null) return false
    const { collection, id, record, set, jobs } = read(given as Entry)
    const checks = recordChecks.get(collection)
    if (checks === undefined || typeof id !== 'string') return false
    const records = this.#live.get(collection) ?? new Map<string, Live>()
    this.#live.set(collection, records)
    const known = records.get(id)
    if (record === undefined) {
      return (
        known !== undefined && set !== undefined && applyEdit(collection, known.record, { set, ...(jobs && { jobs }) })
      )
    }
    this.#liveBytes -= known?.bytes ?? 0
    if (record === null) return records.delete(id)
    if (!checks.whole(record) || record.id !== id) return false
    this.#liveBytes += bytes
    if (known === undefined) records.set(id, { record, bytes })
    else Object.assign(known, { record, bytes })
    return true
  }
}

/** An entry of format 1, less the secrets that it kept. */
function upgraded(entry: Entry): Entry {
  const { csrfKey: _, user_code: _code, ...record } = (entry.record ?? {}) as Record<string, unknown>
  return entry.record === null || entry.record === undefined ? entry : { ...entry, record: record as never }
}
