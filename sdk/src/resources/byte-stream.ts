/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Bytes of any number, read once and as fast as they are used. Read them, or call `cancel`. If
 * reading does not begin within `timeouts.bodyIdleMs`, the connection is closed.
 */
export interface ByteStream extends AsyncIterable<Uint8Array>, AsyncDisposable {
  /** Bytes of the whole when the server answered, or null when it did not say. */
  readonly size: number | null
  /** Ends a stream that will not be read. Leaving the loop ends one that is being read. */
  cancel(): void
}

export interface Body extends AsyncIterable<Uint8Array> {
  cancel(): void
}

export function bodyOf(parts: readonly Uint8Array[]): Body {
  async function* listed(): AsyncGenerator<Uint8Array, void> {
    yield* parts
  }
  return { [Symbol.asyncIterator]: listed, cancel: () => {} }
}

/** A body as a caller gets it, and what is known about it. */
export function openStream<T extends Pick<ByteStream, 'size'>>(
  body: Body,
  about: T,
): ByteStream & T {
  return {
    ...about,
    [Symbol.asyncIterator]: () => body[Symbol.asyncIterator](),
    cancel: () => body.cancel(),
    [Symbol.asyncDispose]: async () => body.cancel(),
  }
}
