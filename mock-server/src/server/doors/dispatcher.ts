import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { loadUndici } from '../../base/packages.js'
import type { MockServerHost } from '../mock-server.js'

type DispatchTarget = Pick<MockServerHost, 'owns' | 'fetch'>
type Options = Dispatcher.DispatchOptions
type Handler = Dispatcher.DispatchHandler

/**
 * An undici Dispatcher that calls the server in this process, without a socket. Requests to other
 * origins go to `fallback`. undici is loaded here, because most servers run without it.
 *
 * @throws Error where undici cannot be loaded.
 */
export function inProcessDispatcher(target: DispatchTarget, fallback?: Dispatcher): Dispatcher {
  const { Dispatcher, DecoratorHandler } = completeUndici()
  const answers = new InProcessAnswers(target, fallback, (handler) => new DecoratorHandler(handler))
  return Object.assign(new Dispatcher(), {
    dispatch: (options: Options, handler: Handler) => answers.dispatch(options, handler),
    close: (callback?: () => void) => ended(callback),
    destroy: (...args: readonly unknown[]) => ended(args.at(-1)),
  })
}

function completeUndici(): typeof import('undici') {
  const instead = 'give the SDK server.transport() instead of server.dispatcher()'
  let loaded: typeof import('undici')
  try {
    loaded = loadUndici()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)
    throw new Error(`undici cannot be loaded (${reason}): ${instead}`, { cause })
  }
  // Runtimes other than Node have an undici of their own, which lacks parts.
  if (typeof loaded.Dispatcher !== 'function' || typeof loaded.DecoratorHandler !== 'function')
    throw new Error(`undici is incomplete in this runtime: ${instead}`)
  return loaded
}

function ended(callback: unknown): Promise<void> {
  if (typeof callback === 'function') queueMicrotask(() => callback())
  return Promise.resolve()
}

class InProcessAnswers {
  readonly #target: DispatchTarget
  readonly #fallback: Dispatcher | undefined
  readonly #decorated: (handler: Handler) => Handler

  constructor(
    target: DispatchTarget,
    fallback: Dispatcher | undefined,
    decorated: (handler: Handler) => Handler,
  ) {
    this.#target = target
    this.#fallback = fallback
    this.#decorated = decorated
  }

  dispatch(options: Options, handler: Handler): boolean {
    const origin = new URL(String(options.origin)).origin
    const exchange = new Dispatched(this.#decorated(handler))
    if (this.#target.owns(origin)) {
      void this.#answer(origin, options, exchange)
      return true
    }
    if (this.#fallback) return this.#fallback.dispatch(options, handler)

    const message = `${origin} is not the mock server, and its dispatcher has no fallback`
    exchange.fail(new Error(message))
    return true
  }

  async #answer(origin: string, options: Options, exchange: Dispatched): Promise<void> {
    try {
      exchange.start()
      const headers = headerPairs(options.headers)
      const authorization = headers
        .filter(([name]) => name.toLowerCase() === 'authorization')
        .map(([, value]) => value)
      const request = new Request(`${origin}${options.path}`, {
        method: options.method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        ...bodyInit(options),
      })
      const facts = { peer: '127.0.0.1', authorization }
      await exchange.send(await this.#target.fetch(request, facts, exchange.signal))
    } catch (error) {
      exchange.fail(error)
    }
  }
}

/** One exchange in undici's terms; its handler accepts handlers of undici's old form too. */
class Dispatched extends AbortController implements Dispatcher.DispatchController {
  readonly #handler: Handler
  readonly rawHeaders: Buffer[] = []
  readonly rawTrailers: Buffer[] = []
  #paused = false
  #resumed: () => void = () => undefined
  #over = false

  constructor(handler: Handler) {
    super()
    this.#handler = handler
  }

  get aborted(): boolean {
    return this.signal.aborted
  }
  get reason(): Error | null {
    return this.aborted ? (this.signal.reason as Error) : null
  }
  get paused(): boolean {
    return this.#paused
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#resumed()
  }

  override abort(reason: Error = new Error('aborted')): void {
    if (this.#over) return
    super.abort(reason)
    this.fail(reason)
  }

  start(): void {
    this.#handler.onRequestStart?.(this, null)
  }

  fail(error: unknown): void {
    if (this.#over) return
    this.#over = true
    this.resume()
    this.#handler.onResponseError?.(this, error instanceof Error ? error : new Error(String(error)))
  }

  async send({ status, headers, body }: Response): Promise<void> {
    if (this.#over) return
    this.#handler.onResponseStart?.(
      this,
      status,
      Object.fromEntries(headers),
      STATUS_CODES[status] ?? '',
    )
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      if (this.#paused) await new Promise<void>((resolve) => (this.#resumed = resolve))
      if (this.#over) return
      this.#handler.onResponseData?.(this, Buffer.from(chunk))
    }
    if (this.#over) return
    this.#over = true
    this.#handler.onResponseEnd?.(this, {})
  }
}

function headerPairs(
  headers: Options['headers'],
): readonly (readonly [name: string, value: string])[] {
  if (headers === null || headers === undefined) return []
  if (Array.isArray(headers)) {
    return headers.flatMap((name, at) =>
      at % 2 === 0 ? [[String(name), String(headers[at + 1] ?? '')] as const] : [],
    )
  }
  const entries =
    Symbol.iterator in headers
      ? [...(headers as Iterable<[string, string | string[] | undefined]>)]
      : Object.entries(headers)
  return entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) =>
      each === undefined ? [] : [[name, each] as const],
    ),
  )
}

function bodyInit({ body, method }: Options): RequestInit {
  if (body === null || body === undefined || method === 'GET' || method === 'HEAD') return {}
  const stream = body instanceof Readable ? Readable.toWeb(body) : body
  return { body: stream, duplex: 'half' } as unknown as RequestInit
}
