import { startTimer } from '../base/clock.js'
import { ConfigError } from '../errors/errors.js'
import type { Cancellation } from './cancellation.js'
import type { TransportResponse } from './transport.js'

/** What ends a body after its call has returned. */
export interface StreamGuard {
  /** Still ends the connection, when the caller's signal says so. */
  readonly phase: Cancellation
  /** Milliseconds within which reading must begin. */
  readonly idleMs: number
  /** `PUT /v2/…/cancel` */
  readonly asked: string
  /** The error for a body that broke off. */
  toError(error: unknown): unknown
  /** Called once, when nothing is left to read. */
  ended(): void
}

/** The body of a success, read once and part by part. A part is received when it is asked for. */
export class BodyStream implements AsyncIterable<Uint8Array> {
  readonly #response: TransportResponse
  #parts: AsyncGenerator<Uint8Array, void> | undefined
  #guard: StreamGuard | undefined
  /** What {@link BodyStream.skip} received beyond its bytes. */
  #received: Uint8Array = new Uint8Array()
  #stopWaiting = (): void => {}
  #isPacked = false
  #begun = false
  #over = false

  constructor(response: TransportResponse) {
    this.#response = response
  }

  /** Hands the stream over to its reader. */
  guard(guard: StreamGuard): void {
    this.#guard = guard
    this.#expectReader(guard)
  }

  /** Leaves a body of gzip as it is. */
  keepPacked(): void {
    this.#isPacked = true
  }

  /** Receives and drops the first `bytes`. @returns How many there were, at most `bytes`. */
  async skip(bytes: number): Promise<number> {
    if (bytes === 0) return 0
    this.#stopWaiting()
    this.#parts ??= this.#receive()
    let skipped = 0
    while (skipped < bytes) {
      const { done, value } = await this.#parts.next()
      if (done === true) return skipped
      const dropped = Math.min(value.byteLength, bytes - skipped)
      skipped += dropped
      this.#received = value.subarray(dropped)
    }
    if (this.#guard !== undefined) this.#expectReader(this.#guard)
    return skipped
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    this.#guard?.phase.throwIfCancelled()
    if (this.#begun)
      throw new ConfigError('stream', 'This stream was read or canceled before: ask for it again')
    this.#begun = true
    this.#stopWaiting()
    this.#parts ??= this.#receive()
    try {
      if (this.#received.byteLength > 0) yield this.#received
      yield* this.#parts
    } finally {
      await this.#parts.return()
    }
  }

  async *#receive(): AsyncGenerator<Uint8Array, void> {
    const guard = this.#guard
    try {
      for await (const part of this.#response.stream(this.#isPacked)) {
        guard?.phase.throwIfCancelled()
        yield part
      }
    } catch (error) {
      throw guard === undefined || guard.phase.cancelled
        ? (guard?.phase.reason ?? error)
        : guard.toError(error)
    } finally {
      this.#end()
    }
  }

  #expectReader({ phase, idleMs, asked }: StreamGuard): void {
    this.#stopWaiting = startTimer(idleMs, () => {
      const late = `Nobody read the body of ${asked} within ${idleMs} ms, so its connection was closed: read or cancel it`
      phase.cancel(new ConfigError('stream', late, { sent: 'yes' }))
      this.#end()
    })
  }

  /** Ends a stream that is not read. Leaving the loop ends one that is being read. */
  cancel(): void {
    if (this.#begun) return
    this.#begun = true
    this.#end()
    const ended = this.#parts === undefined ? this.#response.discard() : this.#parts.return()
    ended.catch(() => {})
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#stopWaiting()
    this.#guard?.ended()
  }
}
