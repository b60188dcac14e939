import { must } from '../base/checked.js'
import type { TransportOptions } from './transport.js'

/**
 * A one-way switch with a reason; an AbortController is made only for those who need an
 * AbortSignal.
 */
export class Cancellation implements TransportOptions {
  readonly #listeners: (() => void)[] = []
  #controller: AbortController | undefined
  #cancelled = false
  #reason: unknown

  get cancelled(): boolean {
    return this.#cancelled
  }

  get reason(): unknown {
    return this.#reason
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#cancelled) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  onCancel(listener: () => void): () => void {
    if (this.#cancelled) {
      listener()
      return () => {}
    }
    this.#listeners.push(listener)
    return () => {
      const at = this.#listeners.indexOf(listener)
      if (at !== -1) this.#listeners.splice(at, 1)
    }
  }

  cancel(reason: unknown): void {
    if (this.#cancelled) return
    this.#cancelled = true
    this.#reason = reason
    for (const listener of this.#listeners.splice(0)) listener()
    this.#controller?.abort(reason)
  }

  throwIfCancelled(): void {
    if (this.#cancelled) throw this.#reason
  }
}

/**
 * The promise, or the cancellation's reason as soon as it comes, even when the promise ignores it.
 */
export function race<T>(promise: Promise<T>, cancellation: Cancellation): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = cancellation.onCancel(() => reject(cancellation.reason))
    promise.then(
      (value) => {
        leave()
        resolve(value)
      },
      (error) => {
        leave()
        reject(error)
      },
    )
  })
}

/** One `abort` listener per signal, however many calls share it: Node warns at the eleventh. */
export class SignalHub {
  readonly #watched = new WeakMap<
    AbortSignal,
    { callbacks: Set<() => void>; listener: () => void }
  >()

  /**
   * Calls `callback` once when the signal aborts; returns what ends the watch. @throws The reason
   * of one that has; ConfigError.
   */
  watch(signal: AbortSignal, callback: () => void): () => void {
    if (typeof signal?.throwIfAborted !== 'function') {
      throw must('signal', 'be an AbortSignal, such as new AbortController().signal')
    }
    signal.throwIfAborted()
    let entry = this.#watched.get(signal)
    if (entry === undefined) {
      const callbacks = new Set<() => void>()
      const listener = (): void => {
        this.#watched.delete(signal)
        for (const run of callbacks) run()
        callbacks.clear()
      }
      entry = { callbacks, listener }
      this.#watched.set(signal, entry)
      signal.addEventListener('abort', listener, { once: true })
    }
    const { callbacks, listener } = entry
    callbacks.add(callback)
    return () => {
      callbacks.delete(callback)
      if (callbacks.size > 0 || this.#watched.get(signal)?.callbacks !== callbacks) return
      this.#watched.delete(signal)
      signal.removeEventListener('abort', listener)
    }
  }
}

/**
 * A cancellation that follows the signal until `leave` is called. @throws The reason when the
 * signal has aborted already.
 */
export function follow(
  hub: SignalHub,
  signal: AbortSignal | undefined,
): { readonly cancellation: Cancellation; readonly leave: () => void } {
  const cancellation = new Cancellation()
  if (signal === undefined) return { cancellation, leave: () => {} }
  return { cancellation, leave: hub.watch(signal, () => cancellation.cancel(signal.reason)) }
}
