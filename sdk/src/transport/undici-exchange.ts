import type { Dispatcher } from 'undici'
import { bodyEncoding, decoded, decodedParts, utf8 } from './node-body.js'
import {
  BodyTooLargeError,
  concat,
  type TransportOptions,
  type TransportResponse,
} from './transport.js'

/** How many bytes may arrive before the body is read. */
const unreadBytes = 65_536

interface BodyReader {
  readonly maxBytes: number
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (reason: unknown) => void
}

/**
 * One request on an undici dispatcher, and its answer. Most bodies are small, so their parts are
 * kept in a list instead of a stream.
 */
export class UndiciExchange implements Dispatcher.DispatchHandler, TransportResponse {
  status = 0
  readonly #answered: (response: TransportResponse) => void
  readonly #failed: (reason: unknown) => void
  readonly #leave: (() => void) | undefined
  readonly #parts: Uint8Array[] = []
  #size = 0
  #rawHeaders: Buffer[] = []
  #headers: ReadonlyMap<string, readonly string[]> | undefined
  #abort: ((reason?: Error) => void) | undefined
  #resume: (() => void) | undefined
  #reader: BodyReader | undefined
  /** Wakes the reader of `stream()`. */
  #wake = (): void => {}
  /** How the exchange ended; undefined while it runs. */
  #end: { readonly error?: unknown } | undefined

  constructor(
    control: TransportOptions,
    answered: (response: TransportResponse) => void,
    failed: (reason: unknown) => void,
  ) {
    this.#answered = answered
    this.#failed = failed
    this.#leave = control.onCancel(() => this.#fail(new Error('canceled')))
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort
    if (this.#end !== undefined) abort()
  }

  onHeaders(statusCode: number, rawHeaders: Buffer[], resume: () => void): boolean {
    // 100 and 103 come before the answer.
    if (statusCode < 200) return true
    this.status = statusCode
    this.#rawHeaders = rawHeaders
    this.#resume = resume
    this.#answered(this)
    return true
  }

  onData(chunk: Buffer): boolean {
    this.#parts.push(chunk)
    this.#size += chunk.byteLength
    this.#wake()
    if (this.#reader === undefined) return this.#size < unreadBytes
    const { maxBytes } = this.#reader
    if (this.#size > maxBytes) this.#fail(new BodyTooLargeError(maxBytes))
    return true
  }

  onComplete(): void {
    this.#finish({})
    this.#reader?.resolve(concat(this.#parts))
  }

  onError(error: Error): void {
    const isMismatch = 'code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
    // 204 and 304 have no body, also with a content-length (RFC 9110 §15.3.5, §15.4.5).
    if (isMismatch && (this.status === 204 || this.status === 304)) this.onComplete()
    else this.#fail(error)
  }

  header(name: string): string | undefined {
    this.#headers ??= headerFields(this.#rawHeaders)
    return this.#headers.get(name)?.join(', ')
  }

  *entries(): Iterable<[string, string]> {
    this.#headers ??= headerFields(this.#rawHeaders)
    for (const [name, values] of this.#headers) {
      for (const value of values) yield [name, value]
    }
  }

  async text(maxBytes: number): Promise<string> {
    return utf8(await this.bytes(maxBytes))
  }

  async bytes(maxBytes: number): Promise<Buffer> {
    try {
      const encoding = bodyEncoding(this.header('content-encoding'))
      return await decoded(await this.#read(maxBytes), encoding, maxBytes)
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  async *stream(isPacked = false): AsyncIterable<Uint8Array> {
    try {
      const encoding = isPacked ? undefined : this.header('content-encoding')
      yield* decodedParts(this.#received(), encoding, this.status)
    } finally {
      this.#fail(new Error('left'))
    }
  }

  /** The parts as they arrive. */
  async *#received(): AsyncIterable<Uint8Array> {
    for (;;) {
      const part = this.#parts.shift()
      if (part !== undefined) {
        this.#size -= part.byteLength
        yield part
      } else if (this.#end === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
          this.#resume?.()
        })
      } else if ('error' in this.#end) {
        throw this.#end.error
      } else {
        return
      }
    }
  }

  async discard(): Promise<void> {
    this.#fail(new Error('discarded'))
  }

  #read(maxBytes: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#reader = { maxBytes, resolve, reject }
      if (this.#size > maxBytes) reject(new BodyTooLargeError(maxBytes))
      else if (this.#end === undefined) this.#resume?.()
      else if ('error' in this.#end) reject(this.#end.error)
      else resolve(concat(this.#parts))
    })
  }

  /** Ends the exchange early, and its connection. Pending reads reject; nothing need be pending. */
  #fail(error: unknown): void {
    if (this.#end !== undefined) return
    this.#finish({ error })
    this.#abort?.()
    this.#failed(error)
    this.#reader?.reject(error)
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end = end
    this.#wake()
    this.#leave?.()
  }
}

/**
 * undici gives names and values by turns; the values of a repeated name may be one list. Each byte
 * of a value is one character, as in `Headers` (RFC 9110 §5.5).
 */
function headerFields(raw: readonly (Buffer | readonly Buffer[])[]): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase()
    const value = raw[at + 1]
    const values = [value ?? []].flat().map((bytes) => bytes.toString('latin1'))
    fields.set(name, [...(fields.get(name) ?? []), ...values])
  }
  return fields
}
