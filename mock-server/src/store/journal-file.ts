import type { Stats } from 'node:fs'
import { lstat, rename, rm, truncate } from 'node:fs/promises'
import { once } from '../base/once.js'
import { StoreError, unusable } from './errors.js'
import { type LiveRecord, type LiveRecords, readHeader, replay } from './journal-reader.js'
import { JournalWriter } from './journal-writer.js'
import type { Batch } from './lowdb.js'
import { patiently } from './patience.js'
import { editOf } from './record-edit.js'
import type { Change } from './store.js'

/** Smaller files are never compacted. */
const minBytes = 32_768

/** A compacted file, which replaces the journal once it holds all live records. */
interface JournalCopy {
  readonly writer: JournalWriter
  /** Later entries of records that the copy holds already. */
  readonly later: string[]
}

export interface JournalEvents {
  /** Called with the length in bytes if an unfinished last line was cut off. */
  readonly onRecovered?: (bytes: number) => void
  /** Called if the file could not be compacted. The old file stays in use and grows. */
  readonly onCompactionFailed?: (reason: unknown) => void
  /**
   * Called before each batch, and before a compaction starts and replaces the file. @throws the
   * reason if writing is not allowed
   */
  readonly mayWrite?: () => Promise<void>
}

/**
 * A lowdb adapter that appends. The first line is `{formatVersion, lines}`; each further line is a
 * committed batch of records, whole or only their changes. Each checksum covers the one before, so
 * damaged, lost and moved lines are detected. Once more than half of the file is outdated, the live
 * records are copied to a new file, while batches are still written to the old one.
 */
export function journalFile(path: string, events: JournalEvents = {}) {
  const temporary = `${path}.new`
  let live: LiveRecords = new Map()
  let liveBytes = 0
  let writer: JournalWriter | undefined
  let copy: JournalCopy | undefined
  let copying: Promise<void> | undefined
  /** No compaction starts below this size. */
  let copyAbove = minBytes
  let last: Promise<unknown> = Promise.resolve()

  /** Runs batches, and the start and the end of a compaction, one at a time. */
  const serialized = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(() => events.mayWrite?.()).then(work)
    last = result.catch(() => undefined)
    return result
  }

  const withSize = <T>(work: (size: number | null) => Promise<T>): Promise<T> =>
    sizeOf(path)
      .then(work)
      .catch((cause: unknown) => {
        throw asStoreError(path, cause)
      })

  const entryOf = ({
    collection,
    id,
    record,
  }: Change): { text: string; isWhole: boolean } | null => {
    const before = live.get(collection)?.get(id)?.record
    if (record === null && before === undefined) return null
    const edit = record === null || before === undefined ? null : editOf(before, record)
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
    const before = records.get(id)
    // A record that is not copied yet will be copied in its new version.
    const isCopied = before === undefined || before.copiedTo === copy
    if (copy !== undefined && text !== null && isCopied) copy.later.push(text)
    if (record === null) {
      liveBytes -= before?.bytes ?? 0
      records.delete(id)
    } else if (before === undefined) {
      liveBytes += wholeBytes
      records.set(id, { record, bytes: wholeBytes, ...(copy && { copiedTo: copy }) })
    } else {
      before.record = record
      if (wholeBytes > 0) setBytes(before, wholeBytes)
    }
  }

  const create = async (texts: Iterable<string>): Promise<JournalWriter> => {
    const created = await JournalWriter.create(temporary)
    try {
      await created.append(texts)
      await patiently(() => rename(temporary, path))
      return created
    } catch (error) {
      await created.close()
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
   * Yields every live record, serialized when reached, plus the later changes of records already
   * yielded.
   */
  function* copiedTexts(target: JournalCopy): Generator<string> {
    for (const [collection, records] of live) {
      for (const one of records.values()) {
        if (one.copiedTo === target) continue
        const { record } = one
        const text = JSON.stringify({ collection, id: record.id, record })
        one.copiedTo = target
        setBytes(one, text.length)
        yield text
        yield* target.later.splice(0)
      }
    }
  }

  const copyAll = async (): Promise<void> => {
    const target = await serialized(async () => {
      copy = { writer: await JournalWriter.create(temporary), later: [] }
      return copy
    })
    try {
      await target.writer.append(copiedTexts(target))
      await serialized(async () => {
        await target.writer.append(target.later)
        await patiently(() => rename(temporary, path))
        await writer?.close()
        writer = target.writer
      })
    } catch (error) {
      await target.writer.close()
      // After a StoreError the file at this path may belong to another owner.
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
        copyAbove = minBytes
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
    /** Checks the type of the file and its first line. @throws StoreError if they are not ours */
    check: (): Promise<unknown> => withSize(async (size) => size !== null && readHeader(path)),
    /**
     * Reads the live records, each once; null if there is no file yet. @throws StoreError
     * `damaged`, `other_format`, `foreign`
     */
    read: (): Promise<Batch | null> =>
      withSize(async (size) => {
        if (size === null) return null
        const replayed = await replay(path)
        const { written } = replayed
        live = replayed.live
        liveBytes = replayed.liveBytes
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
     * Appends a batch. The first batch creates the file, completely or not at all. @throws
     * StoreError `unwritable`
     */
    async write(batch: Batch): Promise<void> {
      await serialized(() => append(batch))
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

function asStoreError(path: string, cause: unknown): StoreError {
  return cause instanceof StoreError ? cause : unusable(path, cause)
}

/** The size of a file; null if it does not exist. @throws StoreError if it is not a regular file */
async function sizeOf(path: string): Promise<number | null> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (stats === null) return null
  if (stats.isFile()) return stats.size
  throw new StoreError(
    'foreign',
    `${path} is ${kindOf(stats)}, and the state is kept in a plain file; move it away`,
  )
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory'
  return stats.isSymbolicLink() ? 'a symbolic link' : 'no plain file'
}
