import type { Operation } from '@buildwire/sdk/contract'
import type { Decision } from '../domain/decision.js'
import { failureAnswer } from '../http/failure.js'
import type { PathKind } from '../http/target.js'
import type { Caller, HandlerAnswer } from './exchange.js'

const json = 'application/json; charset=utf-8'
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
const revalidate = { 'Cache-Control': 'max-age=0, private, must-revalidate' }
/** RFC 6749 §5.1: nothing that an OAuth endpoint says is kept. */
function cachingOf(kind: PathKind) {
  return kind === 'oauth' || kind === 'control' ? noStore : revalidate
}

/** Headers that belong to the operation and its caller, beside those that every answer has. */
export function operationHeaders(
  operation: Operation,
  caller: Caller | undefined,
): Record<string, string> {
  if (operation.server === 'auth') return {}
  return {
    ...(caller !== undefined && { 'X-OAuth-Scopes': [...caller.scopes].join(',') }),
    ...(operation.scope !== null && { 'X-Accepted-OAuth-Scopes': operation.scope }),
  }
}

function content({
  body,
  text,
  json: ready,
}: HandlerAnswer): { readonly bytes: Uint8Array; readonly type: string } | undefined {
  if (ready !== undefined) return { bytes: ready, type: json }
  if (text !== undefined) return { bytes: Buffer.from(text), type: 'text/plain; charset=utf-8' }
  return body === undefined ? undefined : { bytes: Buffer.from(JSON.stringify(body)), type: json }
}

/** What an answer's JSON says to who reads it: keys that are undefined are not there. */
export function answerValue(answer: HandlerAnswer): unknown {
  const made = content(answer)
  return made && JSON.parse(Buffer.from(made.bytes).toString())
}

export function respond(
  decision: Decision<HandlerAnswer>,
  status: number,
  kind: PathKind,
  more: Readonly<Record<string, string>> = {},
): Response {
  const common = { ...more, ...cachingOf(kind) }
  if (!decision.ok) {
    const failed = failureAnswer(decision.failure, kind)
    return bytesResponse(Buffer.from(JSON.stringify(failed.body)), json, failed.status, {
      ...common,
      ...failed.headers,
    })
  }
  const answer = decision.value
  const made = content(answer)
  const headers = { ...common, ...answer.headers }
  if (made === undefined)
    return new Response(null, { status: answer.status ?? noContent(status), headers })
  return bytesResponse(made.bytes, made.type, answer.status ?? status, headers)
}

function noContent(status: number): number {
  return status === 200 ? 204 : status
}

/**
 * Its body is bytes: a door may send them, and the log read them, without a stream around them;
 * `streamed()` makes one.
 */
export class BytesResponse extends Response {
  readonly content: Uint8Array

  constructor(content: Uint8Array, init: ResponseInit) {
    super(null, init)
    this.content = content
  }
}

export function streamed(response: Response): Response {
  return response instanceof BytesResponse ? withBody(response, response.content) : response
}

/**
 * The same response with another body. Its headers are copied as pairs: MSW's Response loses those
 * of a Headers.
 */
export function withBody({ status, headers }: Response, body: Uint8Array | null): Response {
  return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers: [...headers] })
}

function bytesResponse(
  bytes: Uint8Array,
  type: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const length = String(bytes.byteLength)
  return new BytesResponse(bytes, {
    status,
    headers: { 'Content-Type': type, ...headers, 'Content-Length': length },
  })
}
