import { lstat, rename, rm, truncate } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { once } from '../base/once.js'
import { StoreError, unusable } from './errors.js'
import { type Live, type LiveRecords, readHeader, replay } from './journal-reader.js'
import { JournalWriter } from './journal-writer.js'
import type { Batch } from './lowdb.js'
import { patiently } from './patience.js'
import { editOf } from './record-edit.js'
import type { Change } from './store.js'

/** A file below this is not worth being written anew. */
const leastBytes = 32_768

/** A file that takes the place of the present one once all that lives stands in it. */
interface Copy {
  readonly writer: JournalWriter
  /** Entries of records that stand in it already, committed since. */
  readonly later: string[]
}

export interface JournalEvents {
  /** Told when an unfinished last line was cut, with its length in bytes. */
  readonly onRecovered?: (bytes: number) => void
  /** Told when the file could not be written anew: it goes on as it is, and grows. */
  readonly onCompactionFailed?: (reason: unknown) => void
  /** Asked before each batch, and before a copy begins and takes the file's place. @throws what forbids it */
  readonly mayWrite?: () => Promise<void>
}

/**
 * A lowdb adapter that appends: first line `{formatVersion, lines}`, then one committed batch a line, each record whole
 * or as what changed in it. Each checksum covers the one before: no line is damaged, lost or moved unnoticed. Once more
 * than half of the file is history, what lives is copied to a new file while batches go on.
 */
export class JournalFile implements Adapter<Batch> {
  readonly #path: string
  readonly #events: JournalEvents
  #live: LiveRecords = new Map()
  #liveBytes = 0
  #writer: JournalWriter | undefined
  #copy: Copy | undefined
  #copying: Promise<void> | undefined
  /** No copy is begun below this size. */
  #copyAbove = leastBytes
  #last: Promise<unknown> = Promise.resolve()

  constructor(path: string, events: JournalEvents = {}) {
    this.#path = path
    this.#events = events
  }

  /** Looks at the kind of the file and at its first line. @throws StoreError when they are not ours */
  check(): Promise<void> {
    return this.#told(async () => {
      if ((await sizeOf(this.#path)) !== null) await readHeader(this.#path)
    })
  }

  /** The live records, once each; null when there is no file yet. @throws StoreError `damaged`, `other_format`, `foreign` */
  read(): Promise<Batch | null> {
    return this.#told(async () => {
      const size = await sizeOf(this.#path)
      return size === null ? null : await this.#read(size)
    })
  }

  #told<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((cause: unknown) => {
      throw cause instanceof StoreError ? cause : unusable(this.#path, cause)
    })
  }

  async #read(size: number): Promise<Batch> {
    const { live, liveBytes, written } = await replay(this.#path)
    this.#live = live
    this.#liveBytes = liveBytes
    if (size > written.size) {
      await truncate(this.#path, written.size)
      this.#events.onRecovered?.(size - written.size)
    }
    this.#writer = new JournalWriter(this.#path, written)
    await this.#copyIfWorthIt(0)
    return [...live].flatMap(([collection, records]) =>
      Array.from(records.values(), ({ record }) => ({ collection, id: record.id, record }) as Change),
    )
  }

  /** Appends a batch; the first one makes the file, whole or not at all. @throws StoreError `unwritable` */
  async write(batch: Batch): Promise<void> {
    await this.#alone(() => this.#append(batch))
    void this.#copyIfWorthIt()
  }

  async close(): Promise<void> {
    await this.#copying
    await this.#copyIfWorthIt(0)
    await this.#writer?.close()
    this.#writer = undefined
  }

  /** One at a time: batches, and the moments at which a copy begins and takes the file's place. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#events.mayWrite?.()).then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #append(batch: Batch): Promise<void> {
    const copy = this.#copy
    const wholeBytes: number[] = []
    const later: (string | null)[] = []
    const entryOf = (change: Change) => this.#entryOf(change)
    function* texts() {
      for (const change of batch) {
        const entry = entryOf(change)
        wholeBytes.push(entry?.isWhole === true ? entry.text.length : 0)
        if (copy !== undefined) later.push(entry?.text ?? null)
        if (entry !== null) yield entry.text
      }
    }
    if (this.#writer === undefined) await this.#create(texts())
    else await this.#writer.append(texts())
    for (const [n, change] of batch.entries()) this.#adopt(change, wholeBytes[n] ?? 0, later[n] ?? null)
  }

  async #create(texts: Iterable<string>): Promise<void> {
    const writer = await JournalWriter.create(`${this.#path}.new`)
    try {
      await writer.append(texts)
      await patiently(() => rename(`${this.#path}.new`, this.#path))
    } catch (error) {
      await writer.close()
      throw error
    }
    this.#writer = writer
  }

  #entryOf({ collection, id, record }: Change): { readonly text: string; readonly isWhole: boolean } | null {
    const known = this.#live.get(collection)?.get(id)?.record
    if (record === null && known === undefined) return null
    const edit = record === null || known === undefined ? null : editOf(known, record)
    try {
      const text = JSON.stringify({ collection, id, ...(edit ?? { record }) })
      return { text, isWhole: edit === null && record !== null }
    } catch (cause) {
      throw new StoreError('unwritable', `The record ${collection} ${id} is too large to be stored`, { cause })
    }
  }

  #adopt({ collection, id, record }: Change, wholeBytes: number, text: string | null): void {
    const records = once(this.#live, collection, () => new Map<string, Live>())
    const known = records.get(id)
    const copy = this.#copy
    // What has not been copied yet will be, as it is then.
    if (copy !== undefined && text !== null && (known === undefined || known.copiedTo === copy)) copy.later.push(text)
    if (record === null) {
      this.#liveBytes -= known?.bytes ?? 0
      records.delete(id)
    } else if (known === undefined) {
      this.#liveBytes += wholeBytes
      records.set(id, { record, bytes: wholeBytes, ...(copy && { copiedTo: copy }) })
    } else {
      known.record = record
      if (wholeBytes > 0) this.#setBytes(known, wholeBytes)
    }
  }

  #setBytes(live: Live, bytes: number): void {
    this.#liveBytes += bytes - live.bytes
    live.bytes = bytes
  }

  #copyIfWorthIt(above = this.#copyAbove): Promise<void> {
    const size = this.#writer?.size ?? 0
    if (this.#copying === undefined && size > above && size > 2 * this.#liveBytes) {
      this.#copying = this.#copyAll()
        .then(
          () => {
            this.#copyAbove = leastBytes
          },
          (reason: unknown) => {
            this.#copyAbove = 1.5 * size
            this.#events.onCompactionFailed?.(reason)
          },
        )
        .finally(() => {
          this.#copying = undefined
        })
    }
    return this.#copying ?? Promise.resolve()
  }

  async #copyAll(): Promise<void> {
    const temporary = `${this.#path}.new`
    const copy = await this.#alone(async () => {
      this.#copy = { writer: await JournalWriter.create(temporary), later: [] }
      return this.#copy
    })
    try {
      await copy.writer.append(this.#copied(copy))
      await this.#alone(async () => {
        await copy.writer.append(copy.later)
        await patiently(() => rename(temporary, this.#path))
        await this.#writer?.close()
        this.#writer = copy.writer
      })
    } catch (error) {
      await copy.writer.close()
      // What lies there now may be another owner's.
      if (!(error instanceof StoreError)) await rm(temporary, { force: true })
      throw error
    } finally {
      this.#copy = undefined
    }
  }

  /** Texts of what lives, each as its record is when it is made, and of what changed meanwhile in those before it. */
  *#copied(copy: Copy): Generator<string> {
    for (const [collection, records] of this.#live) {
      for (const live of records.values()) {
        if (live.copiedTo === copy) continue
        const { record } = live
        const text = JSON.stringify({ collection, id: record.id, record })
        live.copiedTo = copy
        this.#setBytes(live, text.length)
        yield text
        yield* copy.later.splice(0)
      }
    }
  }
}

/** The size of a plain file; null when nothing is there. @throws StoreError when something else is */
async function sizeOf(path: string): Promise<number | null> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found === null) return null
  if (found.isFile()) return found.size
  const kind = found.isDirectory() ? 'a directory' : found.isSymbolicLink() ? 'a symbolic link' : 'no plain file'
  throw new StoreError('foreign', `${path} is ${kind}, and the state is kept in a plain file; move it away`)
}
