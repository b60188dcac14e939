import type { Operation } from '@buildwire/sdk/contract'
import type { Decision } from '../domain/decision.js'
import { failureAnswer } from '../http/failure.js'
import type { PathKind } from '../http/target.js'
import type { Caller, HandlerAnswer } from './exchange.js'

const json = 'application/json; charset=utf-8'
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
const revalidate = { 'Cache-Control': 'max-age=0, private, must-revalidate' }
/** Answers of OAuth endpoints must not be stored (RFC 6749 §5.1). */
function cachingOf(kind: PathKind) {
  return kind === 'oauth' || kind === 'control' ? noStore : revalidate
}

/** The headers that depend on the operation and its caller. */
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

/** The JSON value of an answer as a client gets it, without undefined keys. */
export function answerValue(answer: HandlerAnswer): unknown {
  const encoded = content(answer)
  return encoded && JSON.parse(Buffer.from(encoded.bytes).toString())
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
  const encoded = content(answer)
  const headers = { ...common, ...answer.headers }
  if (encoded === undefined)
    return new Response(null, { status: answer.status ?? noContent(status), headers })
  return bytesResponse(encoded.bytes, encoded.type, answer.status ?? status, headers)
}

function noContent(status: number): number {
  return status === 200 ? 204 : status
}

const bytes = new WeakMap<Response, Uint8Array>()

/**
 * The bytes of an answer that has no body yet: a door may send them, and the log read them, without
 * a stream around them; `streamed()` makes one. Undefined for other responses.
 */
export function bytesOf(response: Response): Uint8Array | undefined {
  return bytes.get(response)
}

export function streamed(response: Response): Response {
  const content = bytesOf(response)
  return content === undefined ? response : withBody(response, content)
}

/**
 * The same response with another body. The headers are copied as pairs, because MSW's Response
 * loses those of a Headers object.
 */
export function withBody({ status, headers }: Response, body: Uint8Array | null): Response {
  return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers: [...headers] })
}

function bytesResponse(
  content: Uint8Array,
  type: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const length = String(content.byteLength)
  const response = new Response(null, {
    status,
    headers: { 'Content-Type': type, ...headers, 'Content-Length': length },
  })
  bytes.set(response, content)
  return response
}
