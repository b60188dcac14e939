import { requestIdOf } from './api-error.js'
import type { HttpAnswer } from './body.js'

/** The answer of a call, apart from its data. */
export interface ResponseInfo {
  readonly status: number
  readonly headers: Headers
  /** The server's id of this request, for its operators. */
  readonly requestId?: string | undefined
  /** HTTP requests of this call, from 1. */
  readonly attempts: number
  /** Whole milliseconds from the call to its end, waits included. */
  readonly durationMs: number
}

/** The result of a call: its data, and the answer. */
export interface CallResult<T> {
  readonly data: T
  readonly response: ResponseInfo
}

/**
 * The promise of a call that has already started: `await` gives its data, `withResponse()` also
 * status, headers, request id, attempts and duration.
 *
 * @example
 * ```ts
 * const { data, response } = await ci.builds.get({ org_slug: 'acme', pipeline_slug: 'web', number: 42 }).withResponse()
 * console.log(data.state, response.requestId)
 * ```
 */
export interface ApiPromise<T> extends Promise<T> {
  withResponse(): Promise<{ data: T; response: ResponseInfo }>
}

/**
 * All methods share one promise, so using only `withResponse()` cannot cause an unhandled rejection.
 */
export class PendingCall<T> implements ApiPromise<T> {
  readonly #inner: Promise<CallResult<T>>

  constructor(inner: Promise<CallResult<T>>) {
    this.#inner = inner
  }

  get [Symbol.toStringTag](): string {
    return 'ApiPromise'
  }

  // biome-ignore lint/suspicious/noThenProperty: this class is a promise.
  then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    const fulfilled = onFulfilled ?? ((value: T) => value as unknown as R)
    return this.#inner.then(({ data }) => fulfilled(data), onRejected)
  }

  catch<E = never>(onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<T | E> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }

  withResponse(): Promise<CallResult<T>> {
    return this.#inner
  }
}

/** A `ResponseInfo` that builds its headers on first use, because most callers do not use them. */
export class AnswerInfo implements ResponseInfo {
  readonly status: number
  readonly attempts: number
  readonly durationMs: number
  readonly #answer: HttpAnswer
  readonly #secrets: readonly string[]
  #headers: Headers | undefined

  /** `secrets` are removed from the request id, which the server chooses. */
  constructor(
    answer: HttpAnswer,
    attempts: number,
    durationMs: number,
    secrets: readonly string[],
  ) {
    this.status = answer.status
    this.attempts = attempts
    this.durationMs = durationMs
    this.#answer = answer
    this.#secrets = secrets
  }

  get headers(): Headers {
    this.#headers ??= new Headers([...this.#answer.entries()])
    return this.#headers
  }

  get requestId(): string | undefined {
    return requestIdOf(this.#answer, this.#secrets)
  }
}
