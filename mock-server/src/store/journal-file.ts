import { lstat, rename, rm, truncate } from 'node:fs/promises'
import { once } from '../base/once.js'
import { StoreError, unusable } from './errors.js'
import { type LiveRecord, type LiveRecords, readHeader, replay } from './journal-reader.js'
import { JournalWriter } from './journal-writer.js'
import type { Batch } from './lowdb.js'
import { patiently } from './patience.js'
import { editOf } from './record-edit.js'
import type { Change } from './store.js'

/** A file below this is not worth being written anew. */
const leastBytes = 32_768

/** A file that takes the place of the present one once all that lives stands in it. */
interface JournalCopy {
  readonly writer: JournalWriter
  /** Entries of records that stand in it already, committed since. */
  readonly later: string[]
}

export interface JournalEvents {
  /** Told when an unfinished last line was cut, with its length in bytes. */
  readonly onRecovered?: (bytes: number) => void
  /** Told when the file could not be written anew: it goes on as it is, and grows. */
  readonly onCompactionFailed?: (reason: unknown) => void
  /**
   * Asked before each batch, and before a copy begins and takes the file's place. @throws what
   * forbids it
   */
  readonly mayWrite?: () => Promise<void>
}

/**
 * A lowdb adapter that appends: first line `{formatVersion, lines}`, then one committed batch a
 * line, each record whole or as what changed in it. Each checksum covers the one before: no line is
 * damaged, lost or moved unnoticed. Once more than half of the file is history, what lives is
 * copied to a new file while batches go on.
 */
export function journalFile(path: string, events: JournalEvents = {}) {
  const temporary = `${path}.new`
  let live: LiveRecords = new Map()
  let liveBytes = 0
  let writer: JournalWriter | undefined
  let copy: JournalCopy | undefined
  let copying: Promise<void> | undefined
  /** No copy is begun below this size. */
  let copyAbove = leastBytes
  let last: Promise<unknown> = Promise.resolve()

  /** One at a time: batches, and the moments at which a copy begins and takes the file's place. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(() => events.mayWrite?.()).then(work)
    last = done.catch(() => undefined)
    return done
  }

  const told = <T>(work: (size: number | null) => Promise<T>): Promise<T> =>
    sizeOf(path)
      .then(work)
      .catch((cause: unknown) => {
        throw cause instanceof StoreError ? cause : unusable(path, cause)
      })

  const entryOf = ({
    collection,
    id,
    record,
  }: Change): { text: string; isWhole: boolean } | null => {
    const known = live.get(collection)?.get(id)?.record
    if (record === null && known === undefined) return null
    const edit = record === null || known === undefined ? null : editOf(known, record)
    try {
      const text = JSON.stringify({ collection, id, ...(edit ?? { record }) })
      return { text, isWhole: edit === null && record !== null }
    } catch (cause) {
      throw new StoreError(
        'unwritable',
        `The record ${collection} ${id} is too large to be stored`,
        { cause },
      )
    }
  }

  const setBytes = (one: LiveRecord, bytes: number): void => {
    liveBytes += bytes - one.bytes
    one.bytes = bytes
  }

  const adopt = (
    { collection, id, record }: Change,
    wholeBytes: number,
    text: string | null,
  ): void => {
    const records = once(live, collection, () => new Map<string, LiveRecord>())
    const known = records.get(id)
    // What has not been copied yet will be, as it is then.
    if (copy !== undefined && text !== null && (known === undefined || known.copiedTo === copy))
      copy.later.push(text)
    if (record === null) {
      liveBytes -= known?.bytes ?? 0
      records.delete(id)
    } else if (known === undefined) {
      liveBytes += wholeBytes
      records.set(id, { record, bytes: wholeBytes, ...(copy && { copiedTo: copy }) })
    } else {
      known.record = record
      if (wholeBytes > 0) setBytes(known, wholeBytes)
    }
  }

  const create = async (texts: Iterable<string>): Promise<JournalWriter> => {
    const made = await JournalWriter.create(temporary)
    try {
      await made.append(texts)
      await patiently(() => rename(temporary, path))
      return made
    } catch (error) {
      await made.close()
      throw error
    }
  }

  const append = async (batch: Batch): Promise<void> => {
    const wholeBytes: number[] = []
    const later: (string | null)[] = []
    function* texts() {
      for (const change of batch) {
        const entry = entryOf(change)
        wholeBytes.push(entry?.isWhole === true ? entry.text.length : 0)
        if (copy !== undefined) later.push(entry?.text ?? null)
        if (entry !== null) yield entry.text
      }
    }
    if (writer === undefined) writer = await create(texts())
    else await writer.append(texts())
    for (const [n, change] of batch.entries()) adopt(change, wholeBytes[n] ?? 0, later[n] ?? null)
  }

  /**
   * Texts of what lives, each as its record is when it is made, and of what changed meanwhile in
   * those before it.
   */
  function* copied(made: JournalCopy): Generator<string> {
    for (const [collection, records] of live) {
      for (const one of records.values()) {
        if (one.copiedTo === made) continue
        const { record } = one
        const text = JSON.stringify({ collection, id: record.id, record })
        one.copiedTo = made
        setBytes(one, text.length)
        yield text
        yield* made.later.splice(0)
      }
    }
  }

  const copyAll = async (): Promise<void> => {
    const made = await alone(async () => {
      copy = { writer: await JournalWriter.create(temporary), later: [] }
      return copy
    })
    try {
      await made.writer.append(copied(made))
      await alone(async () => {
        await made.writer.append(made.later)
        await patiently(() => rename(temporary, path))
        await writer?.close()
        writer = made.writer
      })
    } catch (error) {
      await made.writer.close()
      // What lies there now may be another owner's.
      if (!(error instanceof StoreError)) await rm(temporary, { force: true })
      throw error
    } finally {
      copy = undefined
    }
  }

  const copyIfWorthIt = (above = copyAbove): Promise<void> => {
    const size = writer?.size ?? 0
    if (copying === undefined && size > above && size > 2 * liveBytes) {
      const succeeded = () => {
        copyAbove = leastBytes
      }
      const failed = (reason: unknown) => {
        copyAbove = 1.5 * size
        events.onCompactionFailed?.(reason)
      }
      copying = copyAll()
        .then(succeeded, failed)
        .finally(() => {
          copying = undefined
        })
    }
    return copying ?? Promise.resolve()
  }

  return {
    /**
     * Looks at the kind of the file and at its first line. @throws StoreError when they are not
     * ours
     */
    check: (): Promise<unknown> => told(async (size) => size !== null && readHeader(path)),
    /**
     * The live records, once each; null when there is no file yet. @throws StoreError `damaged`,
     * `other_format`, `foreign`
     */
    read: (): Promise<Batch | null> =>
      told(async (size) => {
        if (size === null) return null
        const found = await replay(path)
        const { written } = found
        live = found.live
        liveBytes = found.liveBytes
        if (size > written.size) {
          await truncate(path, written.size)
          events.onRecovered?.(size - written.size)
        }
        writer = new JournalWriter(path, written)
        await copyIfWorthIt(0)
        return [...live].flatMap(([collection, records]) =>
          Array.from(
            records.values(),
            ({ record }) => ({ collection, id: record.id, record }) as Change,
          ),
        )
      }),
    /**
     * Appends a batch; the first one makes the file, whole or not at all. @throws StoreError
     * `unwritable`
     */
    async write(batch: Batch): Promise<void> {
      await alone(() => append(batch))
      void copyIfWorthIt()
    },
    async close(): Promise<void> {
      await copying
      await copyIfWorthIt(0)
      await writer?.close()
      writer = undefined
    },
  }
}

/**
 * The size of a plain file; null when nothing is there. @throws StoreError when something else is
 */
async function sizeOf(path: string): Promise<number | null> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found === null) return null
  if (found.isFile()) return found.size
  const kind = found.isDirectory()
    ? 'a directory'
    : found.isSymbolicLink()
      ? 'a symbolic link'
      : 'no plain file'
  throw new StoreError(
    'foreign',
    `${path} is ${kind}, and the state is kept in a plain file; move it away`,
  )
}
