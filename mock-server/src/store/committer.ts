import { backgroundClock, type Clock } from '../base/clock.js'
import { StoreError } from './errors.js'
import type { Change, Persistence } from './persistence.js'

interface Pending {
  readonly changes: readonly Change[]
  /** @param refusal Why this very change can never be stored. */
  undo(refusal?: StoreError): void
  resolve(): void
  reject(error: StoreError): void
}

const isUnwritable = (cause: unknown): cause is StoreError => cause instanceof StoreError && cause.code === 'unwritable'

function lastVersions(batch: readonly Pending[]): readonly Change[] {
  const changes = batch.flatMap((pending) => pending.changes)
  const last = new Map(changes.map((change) => [`${change.collection} ${change.id}`, change]))
  return last.size === changes.length ? changes : [...last.values()]
}

/** Adds a listener; returns what takes it away. */
export function subscribe<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const retryEveryMs = 5_000

/**
 * Group commit: one batch is in flight, all that queued meanwhile is the next. When a batch fails, it and all that
 * was built on it is undone, newest first, and nothing is accepted until an empty commit works again.
 */
export class Committer {
  readonly #persistence: Persistence
  readonly #clock: Clock
  readonly #stop = new AbortController()
  #queue: Pending[] = []
  #running: Promise<void> | undefined
  #failure: StoreError | undefined
  readonly #listeners = new Set<(readOnly: boolean) => void>()

  constructor(persistence: Persistence, clock: Clock = backgroundClock) {
    this.#persistence = persistence
    this.#clock = clock
  }

  get durable(): boolean {
    return this.#persistence.durable === true
  }

  get failure(): StoreError | undefined {
    return this.#failure
  }

  onReadOnly(listener: (readOnly: boolean) => void): () => void {
    return subscribe(this.#listeners, listener)
  }

  commit(changes: readonly Change[], undo: Pending['undo']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes, undo, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.#persistence.close()
  }

  async #run(): Promise<void> {
    // Updates of the same turn share a batch.
    await Promise.resolve()
    let alone = 0
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, alone > 0 ? 1 : this.#queue.length)
      alone = Math.max(alone - 1, 0)
      try {
        await this.#persistence.commit(lastVersions(batch))
        for (const pending of batch) pending.resolve()
      } catch (cause) {
        if (!isUnwritable(cause)) this.#fail(batch, cause)
        else if (batch.length === 1) this.#refuse(batch, cause)
        else {
          // One of them cannot be written: each is tried by itself, and those before it are kept.
          this.#queue.unshift(...batch)
          alone = batch.length
        }
      }
    }
    this.#running = undefined
  }

  /** Gives up one change that can never be written, and what was built on it; the next ones are welcome. */
  #refuse(batch: readonly Pending[], refusal: StoreError): void {
    const unavailable = new StoreError('unavailable', 'The change could not be stored', { cause: refusal })
    const [refused, ...others] = this.#undo(batch, refusal)
    refused?.reject(refusal)
    for (const pending of others) pending.reject(unavailable)
  }

  #fail(batch: readonly Pending[], cause: unknown): void {
    const failure = new StoreError('unavailable', 'The change could not be stored', { cause })
    this.#failure = failure
    for (const pending of this.#undo(batch)) pending.reject(failure)
    for (const listener of this.#listeners) listener(true)
    void this.#recover()
  }

  #undo(batch: readonly Pending[], refusal?: StoreError): readonly Pending[] {
    const lost = [...batch, ...this.#queue]
    this.#queue = []
    for (const pending of lost.toReversed()) pending.undo(pending === batch[0] ? refusal : undefined)
    return lost
  }

  async #recover(): Promise<void> {
    while (this.#failure !== undefined) {
      if (!(await succeeds(this.#clock.sleep(retryEveryMs, this.#stop.signal)))) return
      if (await succeeds(this.#persistence.commit([]))) this.#failure = undefined
    }
    for (const listener of this.#listeners) listener(false)
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
