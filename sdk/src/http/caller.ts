import { checkedNames } from '../base/checked.js'
import {
  apiOperations,
  type Operation,
  type OperationId,
  type OperationTypes,
} from '../contract/operations.gen.js'
import { InvalidResponseError } from '../errors/errors.js'
import { parseUrl } from '../errors/parse-url.js'
import type { BodyStream } from '../transport/body-stream.js'
import { type CallResult, PendingCall } from './api-promise.js'
import { expectNoPage, expectRecord, expectRedirect, type HttpAnswer, strictJson } from './body.js'
import { type AnswerReader, checkedParams, type EncodedCall, operationCall } from './call.js'
import { type CallOptions, callNames } from './client-options.js'
import type { ClientContext } from './context.js'
import { PageSequence } from './page.js'
import { firstPosition, positionAt } from './page-walk.js'
import { RateGate } from './rate-limit.js'
import { isRedirect } from './retry.js'
import { type Reconcile, send } from './send.js'

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /**
   * Build lists only: keep the pages still while new builds arrive, by an upper end at the newest
   * of page 1. @default true
   */
  anchored?: boolean | undefined
  /** Where a walk that does not end is stopped. @default 10000 */
  maxPages?: number | undefined
  /** Goes on behind the page that had this cursor; all parameters must be those of that list. */
  cursor?: string | undefined
}

/** How often a storage may redirect a request. */
const MOST_REDIRECTS = 3

type ApiOperationId = Extract<OperationId, keyof typeof apiOperations>
type Result<K extends OperationId> = OperationTypes[K]['result']
type Item<K extends OperationId> = Result<K> extends readonly (infer T)[] ? T : never

/** A body that is not read yet, and its size. */
interface OpenedBody {
  readonly body: BodyStream | undefined
  /** Bytes, or null when the server did not say. */
  readonly size: number | null
}

/** How a body is asked for that is read part by part. */
interface StreamRequest {
  readonly range: string | undefined
  /** The time limit of the call also ends the body. */
  readonly bounded: boolean
  /** The address that a record names; it is used only at the origin of `baseUrl`. */
  readonly address: string | null | undefined
}

/** The base of resources: makes calls from rows of the operation table. */
export abstract class Caller {
  readonly #context: ClientContext

  constructor(context: ClientContext) {
    this.#context = context
  }

  /** Starts a call. */
  protected call<K extends ApiOperationId>(
    id: K,
    params: OperationTypes[K]['params'],
    options: CallOptions = {},
    reconcile?: Reconcile<Result<K>>,
  ): PendingCall<Result<K>> {
    const operation = apiOperations[id]
    const prepare = (): EncodedCall => operationCall(this.#context, operation, params)
    return new PendingCall(
      send(this.#context, prepare, options, reader<Result<K>>(operation), reconcile),
    )
  }

  /** Starts a call whose answer is read part by part. `read` runs when the headers have arrived. */
  protected streamed<T>(
    id: ApiOperationId,
    params: object,
    options: CallOptions,
    { range, bounded, address }: StreamRequest,
    read: AnswerReader<T>,
  ): Promise<CallResult<T>> {
    const identity = { 'accept-encoding': 'identity' }
    const part =
      range === undefined ? { headers: identity } : { headers: { ...identity, range }, also: 416 }
    const prepare = (): EncodedCall => ({
      ...operationCall(this.#context, apiOperations[id], params),
      ...addressOnOrigin(this.#context, address),
      streamed: true,
      bounded,
      ...part,
    })
    return send(this.#context, prepare, options, read)
  }

  /**
   * Opens an address from an answer, without token, middleware and rate gate. A storage may redirect
   * the request to another one. No error shows these addresses. A body of gzip with `size` bytes is
   * not unpacked.
   */
  protected async elsewhere(
    id: OperationId,
    named: CallResult<{ readonly url: string }>,
    options: CallOptions,
    size: number | null,
  ): Promise<CallResult<OpenedBody>> {
    const alone = {
      provider: undefined,
      fixedToken: undefined,
      middleware: [],
      gate: new RateGate(this.#context.clock),
    }
    const context = { ...this.#context, ...alone }
    let address = named
    for (let redirects = MOST_REDIRECTS; ; redirects -= 1) {
      const opened = await send(
        context,
        () => ({ ...callTo(context, id, address), redirects: redirects > 0 }),
        { ...options, headers: undefined },
        (answer, call) => openedBody(answer, call, size),
      )
      if ('body' in opened.data) return { data: opened.data, response: opened.response }
      address = { data: opened.data, response: opened.response }
    }
  }

  /** A list. Its first request is sent when it is used. */
  protected pages<K extends ApiOperationId>(
    id: K,
    params: OperationTypes[K]['params'],
    options: ListOptions = {},
  ): PageSequence<Item<K>> {
    const { anchored, maxPages, cursor, ...call } = options ?? {}
    const operation = apiOperations[id]
    // A copy, because the list may be read later, and more than once.
    const copied: Readonly<Record<string, unknown>> = { ...params }
    const first = (): EncodedCall => operationCall(this.#context, operation, copied)
    const settings = {
      context: this.#context,
      first,
      shape: operation,
      options: call,
      byCreation: Object.hasOwn(operation.query, 'created_to'),
      // An upper end from a later page would hide the pages before it.
      anchored:
        anchored !== false &&
        cursor === undefined &&
        (copied['page'] === undefined || copied['page'] === 1),
      maxPages,
    }
    return new PageSequence(settings, (pageSize) => {
      checkedNames('options', options, {
        ...callNames,
        anchored: true,
        maxPages: true,
        cursor: true,
      })
      checkedParams(params)
      if (cursor !== undefined) return positionAt(first(), cursor)
      const sized =
        pageSize === undefined || copied['per_page'] !== undefined
          ? copied
          : { ...copied, per_page: pageSize }
      return firstPosition(operationCall(this.#context, operation, sized))
    })
  }
}

/** Reads the result of an operation from a success, in the shape that the contract says. */
function reader<T>(operation: Operation): AnswerReader<T> {
  const read: AnswerReader<unknown> = (answer, call) => {
    if (operation.result === 'text') {
      expectNoPage(answer, call)
      return answer.text ?? ''
    }
    if (operation.result === 'empty') return undefined
    if (operation.result === 'redirect') return expectRedirect(answer, operation, call)
    return expectRecord(strictJson(answer, call), operation, call)
  }
  return read as AnswerReader<T>
}

/** The address of a record in place of the operation's; nothing for an address elsewhere. */
function addressOnOrigin(
  { api }: ClientContext,
  address: string | null | undefined,
): Pick<EncodedCall, 'url' | 'path' | 'asked'> | undefined {
  const url = address ? parseUrl(address) : undefined
  if (url === undefined || url.origin !== api.origin || url.username !== '' || url.password !== '')
    return undefined
  const { pathname, search } = url
  const path = pathname.startsWith(`${api.prefix}/`) ? pathname.slice(api.prefix.length) : pathname
  return { url: url.origin + pathname + search, path, asked: `GET ${path}` }
}

/** The body of an answer, or the address that it redirects to. */
function openedBody(
  answer: HttpAnswer,
  call: EncodedCall,
  size: number | null,
): OpenedBody | { readonly url: string } {
  if (isRedirect(answer.status))
    return expectRedirect(answer, NO_RECORD, call) as { readonly url: string }
  const length = lengthOf(answer)
  const isSizeOfPacked = length === null && size !== null && bytesOf(answer) === size
  if (isSizeOfPacked) answer.stream?.keepPacked()
  return { body: answer.stream, size: isSizeOfPacked ? size : length }
}

/** The answer of a storage holds an address in `Location`, or nothing that can be used. */
const NO_RECORD = { identity: ['url'], nested: {} }

/** The `content-length` of a body without encoding; null when it is unknown. */
export function lengthOf(answer: Pick<HttpAnswer, 'header'>): number | null {
  return answer.header('content-encoding') === undefined ? bytesOf(answer) : null
}

function bytesOf(answer: Pick<HttpAnswer, 'header'>): number | null {
  const length = answer.header('content-length') ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : null
}

/**
 * @throws InvalidResponseError for an address that the client's own rules for `baseUrl` would
 * refuse.
 */
function callTo(
  context: ClientContext,
  operationId: string,
  { data, response }: CallResult<{ readonly url: string }>,
): EncodedCall {
  const url = parseUrl(data.url)
  const plain = url?.protocol === 'http:' && context.api.href.startsWith('http:')
  if (
    url === undefined ||
    !(plain || url.protocol === 'https:') ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new InvalidResponseError(
      'The address of the content cannot be used: it must be https, without a user name',
      {
        operationId,
        status: response.status,
        requestId: response.requestId,
        expected: 'an https URL',
        got: url === undefined ? 'no URL' : `an address with ${url.protocol}`,
      },
    )
  }
  return {
    operationId,
    asked: `GET ${url.origin}/…`,
    method: 'GET',
    url: url.href,
    origin: url.origin,
    path: '/…',
    accept: '*/*',
    retrySafe: true,
    streamed: true,
    anonymous: true,
    headers: { 'accept-encoding': 'identity' },
  }
}
