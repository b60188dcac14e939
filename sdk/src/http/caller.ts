import { checkedNames } from '../base/checked.js'
import {
  apiOperations,
  type Operation,
  type OperationId,
  type OperationTypes,
} from '../contract/operations.gen.js'
import { InvalidResponseError } from '../errors/errors.js'
import type { BodyStream } from '../transport/body-stream.js'
import { type CallResult, PendingCall } from './api-promise.js'
import { expectNoPage, expectRecord, expectRedirect, strictJson } from './body.js'
import { type AnswerReader, checkedParams, type EncodedCall, operationCall } from './call.js'
import { type CallOptions, callNames } from './client-options.js'
import type { ClientContext } from './context.js'
import { PageSequence } from './page.js'
import { firstPosition, positionAt } from './page-walk.js'
import { RateGate } from './rate-limit.js'
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

type ApiOperationId = Extract<OperationId, keyof typeof apiOperations>
type Result<K extends OperationId> = OperationTypes[K]['result']
type Item<K extends OperationId> = Result<K> extends readonly (infer T)[] ? T : never

/** A body that is read as it comes, and how large it is. */
interface OpenedBody {
  readonly body: BodyStream | undefined
  /** Bytes, or null when nobody said. */
  readonly size: number | null
}

/** What makes calls of one client out of rows of the operation table: a resource. */
export abstract class Caller {
  readonly #context: ClientContext

  constructor(context: ClientContext) {
    this.#context = context
  }

  /** A call, which starts now. */
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

  /** A call whose answer is read part by part; `read` gets it as soon as its headers are there. */
  protected streamed<T>(
    id: ApiOperationId,
    params: object,
    options: CallOptions,
    { range, bounded }: { readonly range: string | undefined; readonly bounded: boolean },
    read: AnswerReader<T>,
  ): Promise<CallResult<T>> {
    const identity = { 'accept-encoding': 'identity' }
    const part =
      range === undefined ? { headers: identity } : { headers: { ...identity, range }, also: 416 }
    const prepare = (): EncodedCall => ({
      ...operationCall(this.#context, apiOperations[id], params),
      streamed: true,
      bounded,
      ...part,
    })
    return send(this.#context, prepare, options, read)
  }

  /**
   * Opens an address that an answer named, without our token, middleware and rate gate; no error
   * shows that address.
   */
  protected elsewhere(
    id: OperationId,
    named: CallResult<{ readonly url: string }>,
    options: CallOptions,
  ): Promise<CallResult<OpenedBody>> {
    const alone = {
      provider: undefined,
      fixedToken: undefined,
      middleware: [],
      gate: new RateGate(this.#context.clock),
    }
    return send(
      { ...this.#context, ...alone },
      () => callTo(this.#context, id, named),
      { ...options, headers: undefined },
      (answer) => ({ body: answer.stream, size: lengthOf(answer) }),
    )
  }

  /** A list, which starts when it is used. */
  protected pages<K extends ApiOperationId>(
    id: K,
    params: OperationTypes[K]['params'],
    options: ListOptions = {},
  ): PageSequence<Item<K>> {
    const { anchored, maxPages, cursor, ...call } = options ?? {}
    const operation = apiOperations[id]
    // As they are now: the list may be read later, and more than once.
    const given: Readonly<Record<string, unknown>> = { ...params }
    const first = (): EncodedCall => operationCall(this.#context, operation, given)
    const settings = {
      context: this.#context,
      first,
      granted: operation,
      options: call,
      byCreation: Object.hasOwn(operation.query, 'created_to'),
      // Taken from a later page, an upper end would hide the pages before it.
      anchored:
        anchored !== false &&
        cursor === undefined &&
        (given['page'] === undefined || given['page'] === 1),
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
        pageSize === undefined || given['per_page'] !== undefined
          ? given
          : { ...given, per_page: pageSize }
      return firstPosition(operationCall(this.#context, operation, sized))
    })
  }
}

/** How a success becomes an operation's result; the contract says which shape that is. */
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

/** What `content-length` says of a body that travels as it is. */
export function lengthOf(answer: { header(name: string): string | undefined }): number | null {
  const length = answer.header('content-length') ?? ''
  return answer.header('content-encoding') === undefined && /^\d{1,15}$/.test(length)
    ? Number(length)
    : null
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
  const url = URL.canParse(data.url) ? new URL(data.url) : undefined
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
