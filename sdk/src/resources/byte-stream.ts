/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Bytes of any number, read once and as fast as they are used. Read them, or call `cancel`: a stream that nobody begins
 * to read within `timeouts.bodyIdleMs` closes its connection.
 */
export interface ByteStream extends AsyncIterable<Uint8Array>, AsyncDisposable {
  /** Bytes of the whole when the server answered, or null when it did not say. */
  readonly size: number | null
  /** Ends a stream that will not be read. Leaving the loop ends one that is being read. */
  cancel(): void
}

/** Where the bytes come from. */
export interface Body extends AsyncIterable<Uint8Array> {
  cancel(): void
}

/** Bytes that are here already. */
export function bodyOf(parts: readonly Uint8Array[]): Body {
  async function* listed(): AsyncGenerator<Uint8Array, void> {
    yield* parts
  }
  return { [Symbol.asyncIterator]: listed, cancel: () => {} }
}

/** A body as a caller gets it. */
export class OpenStream implements ByteStream {
  readonly size: number | null
  readonly #body: Body

  constructor(body: Body, size: number | null) {
    this.#body = body
    this.size = size
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#body[Symbol.asyncIterator]()
  }

  cancel(): void {
    this.#body.cancel()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel()
  }
}
