import { backgroundClock, type Clock } from '../base/clock.js'
import { StoreError } from './errors.js'
import type { Change, Persistence } from './persistence.js'

interface PendingCommit {
  readonly changes: readonly Change[]
  /** @param refusal The reason if this change can never be stored. */
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

/** A set of listeners; `add` returns the function that removes the listener again. */
function createListeners<A extends readonly unknown[]>() {
  const listeners = new Set<(...event: A) => void>()
  return {
    add(listener: (...event: A) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify(...event: A): void {
      for (const listener of listeners) listener(...event)
    },
  }
}

const retryEveryMs = 5_000

export type Committer = ReturnType<typeof createCommitter>

/**
 * Group commit: while one batch is written, later changes queue up and become the next batch. If a
 * batch fails, it and all later changes are undone, newest first. Then no change is accepted until
 * an empty commit succeeds.
 */
export function createCommitter(persistence: Persistence, clock: Clock = backgroundClock) {
  const stop = new AbortController()
  const readOnly = createListeners<[reason: StoreError | null]>()
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

  /** Rejects a change that can never be written, and the later ones. New changes are accepted. */
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
    readOnly.notify(null)
  }

  const fail = (batch: readonly PendingCommit[], cause: unknown): void => {
    const reason = new StoreError('unavailable', 'The change could not be stored', { cause })
    failure = reason
    for (const pending of undo(batch)) pending.reject(reason)
    readOnly.notify(reason)
    void recover()
  }

  const run = async (): Promise<void> => {
    // Updates of the same turn of the event loop share a batch.
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
          // One of these changes cannot be written. Each is written alone, to find it.
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
    /** Calls the listener with the reason when storing fails, and with null when it works again. */
    onReadOnly: readOnly.add,
    /** Notified by the stores that use this committer. */
    changed: createListeners<[changed: readonly Change[]]>(),
    refused: createListeners<[refusal: StoreError, changed: readonly Change[]]>(),
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
