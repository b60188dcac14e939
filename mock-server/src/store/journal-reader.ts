import { createReadStream } from 'node:fs'
import { once } from '../base/once.js'
import { maybe, object } from '../fields/composites.js'
import type { Accepted } from '../fields/field.js'
import { anything, oneOf, text } from '../fields/scalars.js'
import { type Collection, collections, type Records, recordFields } from '../records/records.js'
import { StoreError } from './errors.js'
import {
  checksumLength,
  checksumOf,
  checksumText,
  firstChecksum,
  formatVersion,
  type JournalEnd,
  promisedLines,
} from './journal-writer.js'
import { applyEdit, editKeys } from './record-edit.js'

/** A live record, and the size in bytes of its last whole version in the file. */
export interface LiveRecord {
  record: Records[Collection]
  bytes: number
  /** The compacted file that already holds the record. */
  copiedTo?: object
}

export type LiveRecords = Map<Collection, Map<string, LiveRecord>>

interface Replayed {
  readonly live: LiveRecords
  readonly written: JournalEnd
  readonly liveBytes: number
}

const entryField = object({
  collection: oneOf(...collections),
  id: text(),
  record: maybe(anything),
  ...editKeys,
})
type JournalEntry = Accepted<typeof entryField>

const advice = 'Put back a copy of the file, or move it away to start anew'

function damagedAt(path: string, line: number, what: string): StoreError {
  return new StoreError('damaged', `${path}:${line}: ${what}. ${advice}`)
}

/** Reads only the first line. @throws StoreError if it is damaged or has another format */
export async function readHeader(path: string): Promise<number> {
  for await (const bytes of readLines(path)) return lineCountOf(path, bytes.toString('utf8'))
  throw damagedAt(path, 1, 'the first line is missing')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The number of lines that the first line promises. */
function lineCountOf(path: string, line: string): number {
  const promised = promisedLines(line)
  if (promised !== null) return promised
  const version: unknown = Object(jsonOf(line)).formatVersion
  const isVersion = typeof version === 'number' && Number.isInteger(version) && version > 0
  if (isVersion && version !== formatVersion) {
    throw new StoreError(
      'other_format',
      `${path} has format ${version}, and this version reads ${formatVersion}. ${advice}`,
    )
  }
  throw damagedAt(path, 1, 'this is not the first line of such a file')
}

/**
 * Reads a whole file, up to the end of its last complete batch. @throws StoreError `damaged`,
 * `other_format`
 */
export async function replay(path: string): Promise<Replayed> {
  const live: LiveRecords = new Map()
  let promised = 0
  let size = 0
  let lines = 0
  let liveBytes = 0
  let checksum = firstChecksum
  let written: JournalEnd = { size, lines, checksum }
  /** Lines of a batch that is not complete yet. */
  let held: { readonly line: number; readonly text: string }[] = []
  for await (const bytes of readLines(path)) {
    lines += 1
    size += bytes.length + 1
    if (lines === 1) promised = lineCountOf(path, bytes.toString('utf8'))
    else {
      const rest = bytes.subarray(checksumLength)
      checksum = checksumOf(rest, checksum)
      if (bytes.toString('latin1', 0, checksumLength) !== checksumText(checksum))
        throw damagedAt(
          path,
          lines,
          'the line is damaged, or one before it is missing or out of place',
        )
      const text = rest.toString('utf8')
      const isWhole = text.startsWith('"batch":')
      if (!isWhole && !text.startsWith('"more":'))
        throw damagedAt(path, lines, 'the line is not a batch')
      held.push({ line: lines, text: text.slice(text.indexOf(':') + 1, -1) })
      // The first line promises only lines of complete batches. These are applied at once, because
      // the batch of a seed is too large to hold back.
      if (!isWhole && lines > promised) continue
      for (const one of held) liveBytes += applyLine(live, path, one.line, one.text)
      held = []
    }
    written = { size, lines, checksum }
  }
  if (written.lines === 0) throw damagedAt(path, 1, 'the first line is missing')
  if (written.lines < promised)
    throw damagedAt(
      path,
      written.lines + 1,
      `the file ends here, but ${promised} lines were written`,
    )
  return { live, written, liveBytes }
}

/** Applies the entries of a line; returns by how many bytes the live records have grown. */
function applyLine(live: LiveRecords, path: string, line: number, text: string): number {
  const batch = jsonOf(text)
  if (!Array.isArray(batch)) throw damagedAt(path, line, 'the line is not a batch')
  // Estimates a record's size as the line's length divided by its records, to avoid serializing
  // it again.
  const share = batch.length === 0 ? 0 : Math.floor(text.length / batch.length)
  let grown = 0
  for (const entry of batch) {
    const more = entryField.is(entry) ? applyEntry(live, entry as JournalEntry, share) : null
    const { collection, id } = Object(entry) as JournalEntry
    if (more === null)
      throw damagedAt(path, line, `the record ${collection} ${id} is not as this version writes it`)
    grown += more
  }
  return grown
}

/** Applies an entry; returns the growth in bytes, or null if the entry is not valid. */
function applyEntry(
  live: LiveRecords,
  { collection, id, record, set, jobs }: JournalEntry,
  bytes: number,
): number | null {
  const records = once(live, collection, () => new Map<string, LiveRecord>())
  const before = records.get(id)
  if (record === undefined) {
    const edit = set && { set, ...(jobs && { jobs }) }
    const isApplied = before && edit && applyEdit(collection, before.record, edit)
    return isApplied ? 0 : null
  }
  const oldBytes = before?.bytes ?? 0
  if (record === null) return records.delete(id) ? -oldBytes : null
  const whole = record as LiveRecord['record']
  if (!recordFields[collection].is(record) || whole.id !== id) return null
  // A changed record keeps its position among the others.
  if (before === undefined) records.set(id, { record: whole, bytes })
  else Object.assign(before, { record: whole, bytes })
  return bytes - oldBytes
}

const newline = 0x0a

/**
 * Yields the lines that end in a newline, as bytes. Node's readline also splits at U+2028, which
 * JSON text may contain.
 */
async function* readLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of createReadStream(path, {
    highWaterMark: 1_048_576,
  }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const end = chunk.subarray(from, at)
      yield rest.length === 0 ? end : Buffer.concat([...rest, end])
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
}
