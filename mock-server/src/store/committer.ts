import { backgroundClock, type Clock } from '../base/clock.js'
import { StoreError } from './errors.js'
import type { Change, Persistence } from './persistence.js'

interface PendingCommit {
  readonly changes: readonly Change[]
  /** @param refusal Why this very change can never be stored. */
  undo(refusal?: StoreError): void
  resolve(): void
  reject(error: StoreError): void
}

function isUnwritable(cause: unknown): cause is StoreError {
  return cause instanceof StoreError && cause.code === 'unwritable'
}

function lastVersions(batch: readonly PendingCommit[]): readonly Change[] {
  const changes = batch.flatMap((pending) => pending.changes)
  const last = new Map(changes.map((change) => [`${change.collection} ${change.id}`, change]))
  return last.size === changes.length ? changes : [...last.values()]
}

/** Who hears of something, until they do not want to any more. */
function listeners<A extends readonly unknown[]>() {
  const heard = new Set<(...told: A) => void>()
  return {
    add(listener: (...told: A) => void): () => void {
      heard.add(listener)
      return () => heard.delete(listener)
    },
    tell(...told: A): void {
      for (const listener of heard) listener(...told)
    },
  }
}

const retryEveryMs = 5_000

export type Committer = ReturnType<typeof createCommitter>

/**
 * Group commit: one batch is in flight, all that queued meanwhile is the next. When a batch fails,
 * it and all that was built on it is undone, newest first, and nothing is accepted until an empty
 * commit works again.
 */
export function createCommitter(persistence: Persistence, clock: Clock = backgroundClock) {
  const stop = new AbortController()
  const readOnly = listeners<[reason: StoreError | null]>()
  let queue: PendingCommit[] = []
  let running: Promise<void> | undefined
  let failure: StoreError | undefined

  const undo = (
    batch: readonly PendingCommit[],
    refusal?: StoreError,
  ): readonly PendingCommit[] => {
    const lost = [...batch, ...queue]
    queue = []
    for (const pending of lost.toReversed())
      pending.undo(pending === batch[0] ? refusal : undefined)
    return lost
  }

  /**
   * Gives up one change that can never be written, and what was built on it; the next ones are
   * welcome.
   */
  const refuse = (batch: readonly PendingCommit[], refusal: StoreError): void => {
    const unavailable = new StoreError('unavailable', 'The change could not be stored', {
      cause: refusal,
    })
    const [refused, ...others] = undo(batch, refusal)
    refused?.reject(refusal)
    for (const pending of others) pending.reject(unavailable)
  }

  const recover = async (): Promise<void> => {
    while (failure !== undefined) {
      if (!(await succeeds(clock.sleep(retryEveryMs, stop.signal)))) return
      if (await succeeds(persistence.commit([]))) failure = undefined
    }
    readOnly.tell(null)
  }

  const fail = (batch: readonly PendingCommit[], cause: unknown): void => {
    const reason = new StoreError('unavailable', 'The change could not be stored', { cause })
    failure = reason
    for (const pending of undo(batch)) pending.reject(reason)
    readOnly.tell(reason)
    void recover()
  }

  const run = async (): Promise<void> => {
    // Updates of the same turn share a batch.
    await Promise.resolve()
    let alone = 0
    while (queue.length > 0) {
      const batch = queue.splice(0, alone > 0 ? 1 : queue.length)
      alone = Math.max(alone - 1, 0)
      try {
        await persistence.commit(lastVersions(batch))
        for (const pending of batch) pending.resolve()
      } catch (cause) {
        if (!isUnwritable(cause)) fail(batch, cause)
        else if (batch.length === 1) refuse(batch, cause)
        else {
          // One of them cannot be written: each is tried by itself, and those before it are kept.
          queue.unshift(...batch)
          alone = batch.length
        }
      }
    }
    running = undefined
  }

  return {
    durable: persistence.durable === true,
    /** Why nothing can be stored at present. */
    failure: () => failure,
    /** Told when storing stops working, and (null) when it works again. */
    onReadOnly: readOnly.add,
    /** What the stores over it are told of. */
    changed: listeners<[changed: readonly Change[]]>(),
    refused: listeners<[refusal: StoreError, changed: readonly Change[]]>(),
    commit: (changes: readonly Change[], undoIt: PendingCommit['undo']): Promise<void> =>
      new Promise((resolve, reject) => {
        queue.push({ changes, undo: undoIt, resolve, reject })
        running ??= run()
      }),
    async close(): Promise<void> {
      stop.abort()
      await running
      await persistence.close()
    },
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
