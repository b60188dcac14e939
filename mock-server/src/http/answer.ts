import type { Operation } from '@buildwire/sdk/contract'
import type { Answer, Caller } from '../context.js'
import type { Decision } from '../domain/decision.js'
import { type FailureShape, failureAnswer } from './failure.js'

const json = 'application/json; charset=utf-8'
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** Headers that belong to the operation and its caller, beside those that every answer has. */
export function operationHeaders(operation: Operation, caller: Caller | undefined): Record<string, string> {
  if (operation.server === 'auth') return {}
  return {
    'Cache-Control': 'max-age=0, private, must-revalidate',
    ...(caller !== undefined && { 'X-OAuth-Scopes': [...caller.scopes].join(',') }),
    ...(operation.scope !== null && { 'X-Accepted-OAuth-Scopes': operation.scope }),
  }
}

/** The text and type of an answer's body; undefined for none. */
function content({ body, text, json: ready }: Answer): { readonly text: string; readonly type: string } | undefined {
  if (ready !== undefined) return { text: ready, type: json }
  if (text !== undefined) return { text, type: 'text/plain; charset=utf-8' }
  return body === undefined ? undefined : { text: JSON.stringify(body), type: json }
}

/** Makes the response of a decision; `status` is that of a success. */
export function respond(
  decision: Decision<Answer>,
  status: number,
  shape: FailureShape,
  more: Readonly<Record<string, string>>,
): Response {
  // RFC 6749 §5.1: nothing that an OAuth endpoint says is kept.
  const common = shape === 'oauth' ? { ...more, ...noStore } : more
  if (!decision.ok) {
    const failed = failureAnswer(decision.failure, shape)
    return textResponse(JSON.stringify(failed.body), json, failed.status, { ...common, ...failed.headers })
  }
  const answer = decision.value
  const made = content(answer)
  const headers = { ...common, ...answer.headers }
  if (made === undefined) return new Response(null, { status: answer.status ?? noContent(status), headers })
  return textResponse(made.text, made.type, answer.status ?? status, headers)
}

const noContent = (status: number): number => (status === 200 ? 204 : status)

function textResponse(text: string, type: string, status: number, headers: Readonly<Record<string, string>>): Response {
  const length = String(Buffer.byteLength(text))
  return new Response(text, { status, headers: { ...headers, 'Content-Type': type, 'Content-Length': length } })
}
