import { checkedNames } from '../base/checked.js'
import { countLimit } from '../transport/limits.js'
import type { ResponseInfo } from './api-promise.js'
import {
  cursorTo,
  readPage,
  type WalkedPage,
  type WalkPosition,
  type WalkSettings,
} from './page-walk.js'

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly response: ResponseInfo
  readonly hasNext: boolean
  /**
   * The next page as text, to be kept and given to the same list as its option `cursor`, in this or
   * another process; null on the last one, of servers that tell the next page by more than its
   * number, and behind hundreds of builds of one moment. It holds no address and no token.
   */
  readonly cursor: string | null
  /** The next page; null on the last one. */
  next(): PagePromise<T> | null
}

/**
 * A list that is read when it is used, and again each time it is iterated: `await` reads the first
 * page, `for await` all items, page by page, as far as you go.
 *
 * @example
 * ```ts
 * for await (const build of ci.builds.listForPipeline({ org_slug: 'acme', pipeline_slug: 'web', state: 'failed' })) {
 *   console.log(build.number, build.message)
 * }
 * ```
 */
export interface PagePromise<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** As a promise's: reads the first page, and hands on why it could not be read. */
  catch<E>(onRejected: (reason: unknown) => E | PromiseLike<E>): Promise<Page<T> | E>
  /** The pages of the list, with up to 100 items each. */
  byPage(): AsyncIterable<Page<T>>
  /** All items, or the first `limit`. */
  toArray(options?: { limit?: number | undefined }): Promise<T[]>
  withResponse(): Promise<{ data: Page<T>; response: ResponseInfo }>
}

/** How many items an iteration asks for at once: request limits are small. */
const iterationPageSize = 100

/**
 * The pages from one position on. `start` makes the first call, with a page size unless the caller
 * has set one.
 */
export class PageSequence<T> implements PagePromise<T> {
  readonly #settings: WalkSettings
  readonly #start: (pageSize: number | undefined) => WalkPosition
  #first: Promise<Page<T>> | undefined

  constructor(settings: WalkSettings, start: (pageSize: number | undefined) => WalkPosition) {
    this.#settings = settings
    this.#start = start
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited, which reads its first page.
  then<R = Page<T>, E = never>(
    onFulfilled?: ((value: Page<T>) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    this.#first ??= this.#read()
    return this.#first.then(onFulfilled, onRejected)
  }

  catch<E>(onRejected: (reason: unknown) => E | PromiseLike<E>): Promise<Page<T> | E> {
    return this.then(undefined, onRejected)
  }

  async withResponse(): Promise<{ data: Page<T>; response: ResponseInfo }> {
    const data = await this
    return { data, response: data.response }
  }

  byPage(): AsyncIterable<Page<T>> {
    return this.#pages(iterationPageSize)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for await (const page of this.#pages(iterationPageSize)) yield* page.items
  }

  async toArray(options: { limit?: number | undefined } = {}): Promise<T[]> {
    checkedNames('options', options, { limit: true })
    const limit = countLimit('limit', options.limit, Number.POSITIVE_INFINITY)
    const items: T[] = []
    if (limit === 0) return items
    for await (const page of this.#pages(Math.min(limit, iterationPageSize))) {
      for (const item of page.items) {
        items.push(item)
        if (items.length === limit) return items
      }
    }
    return items
  }

  async *#pages(pageSize: number): AsyncGenerator<Page<T>, void, undefined> {
    let position: WalkPosition | undefined = this.#start(pageSize)
    while (position !== undefined) {
      const walked: WalkedPage<T> = await readPage<T>(this.#settings, position)
      yield this.#page(walked)
      position = walked.next
    }
  }

  async #read(): Promise<Page<T>> {
    return this.#page(await readPage<T>(this.#settings, this.#start(undefined)))
  }

  #page({ items, response, next }: WalkedPage<T>): Page<T> {
    const settings = this.#settings
    return {
      items,
      response,
      hasNext: next !== undefined,
      // Made when it is asked for: behind many builds of one moment it is long.
      get cursor() {
        return cursorTo(settings, next)
      },
      next: () => (next === undefined ? null : new PageSequence<T>(settings, () => next)),
    }
  }
}
