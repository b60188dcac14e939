import type { ResponseInfo } from './response-info.js'

/**
 * The promise of a call that has already started: `await` gives its data, `withResponse()` also status, headers,
 * request id, attempts and duration.
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
 * Everything derives from one inner promise, so that a caller who uses `withResponse()` alone leaves no second promise
 * whose rejection nobody handles.
 */
export class PendingCall<T> implements ApiPromise<T> {
  readonly #inner: Promise<{ data: T; response: ResponseInfo }>

  constructor(inner: Promise<{ data: T; response: ResponseInfo }>) {
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

  withResponse(): Promise<{ data: T; response: ResponseInfo }> {
    return this.#inner
  }
}
