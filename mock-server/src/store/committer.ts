import { backgroundClock, type Clock } from '../clock.js'
import { StoreError } from './errors.js'
import type { Persistence } from './persistence.js'
import type { Change } from './store.js'

/** A finished update that waits to be stored. */
interface Pending {
  readonly changes: readonly Change[]
  undo(): void
  resolve(): void
  reject(error: StoreError): void
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
  #listeners = new Set<(readOnly: boolean) => void>()

  constructor(persistence: Persistence, clock: Clock = backgroundClock) {
    this.#persistence = persistence
    this.#clock = clock
  }

  get durable(): boolean {
    return this.#persistence.durable === true
  }

  /** Why nothing can be stored at present. */
  get failure(): StoreError | undefined {
    return this.#failure
  }

  onReadOnly(listener: (readOnly: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Queues an update's changes; resolves when their batch is stored. */
  commit(changes: readonly Change[], undo: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes, undo, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when the last batch is stored. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.#persistence.close()
  }

  async #run(): Promise<void> {
    // Updates of the same turn share a batch.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      try {
        await this.#persistence.commit(batch.flatMap((pending) => pending.changes))
        for (const pending of batch) pending.resolve()
      } catch (cause) {
        this.#fail(batch, cause)
      }
    }
    this.#running = undefined
  }

  #fail(batch: readonly Pending[], cause: unknown): void {
    const failure = new StoreError('unavailable', 'The change could not be stored', { cause })
    const lost = [...batch, ...this.#queue]
    this.#queue = []
    this.#failure = failure
    for (const pending of lost.toReversed()) pending.undo()
    for (const pending of lost) pending.reject(failure)
    for (const listener of this.#listeners) listener(true)
    void this.#recover()
  }

  async #recover(): Promise<void> {
    while (this.#failure !== undefined) {
      const stopped = await this.#clock.sleep(retryEveryMs, this.#stop.signal).then(
        () => false,
        () => true,
      )
      if (stopped) return
      const works = await this.#persistence.commit([]).then(
        () => true,
        () => false,
      )
      if (works) this.#failure = undefined
    }
    for (const listener of this.#listeners) listener(false)
  }
}
