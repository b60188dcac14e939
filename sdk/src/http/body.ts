import { InvalidResponseError } from '../errors.js'
import type { RateLimitAnswer } from './rate-limit.js'

/** An answer whose body has been read; `text` is undefined when it was larger than its limit. */
export interface Answer extends RateLimitAnswer {
  readonly status: number
  readonly text: string | undefined
  /** Instead of the text, where the caller asked for bytes. */
  readonly bytes?: Uint8Array | undefined
  entries(): Iterable<[string, string]>
}

/** How an error names the request. */
export interface Asked {
  readonly operationId: string
  /** `PUT /v2/…/cancel` */
  readonly asked: string
}

/** How an answer's content type is named in an error: the type alone. */
export function contentType(answer: Answer): string {
  const type = (answer.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // A header may carry bytes that drive a terminal; a media type is a short word.
  return type.slice(0, 100).replace(/[^\w.+/*-]/g, '?')
}

/** The body as JSON, whatever its content type says; undefined when it is none. */
export function looseJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The body of a success. @throws InvalidResponseError unless it is JSON, declared so or not declared at all. */
export function strictJson(answer: Answer, { asked, operationId }: Asked): unknown {
  const text = answer.text ?? ''
  if (!isJson(answer.header('content-type')))
    throw notJson({ asked, operationId }, `a body of type ${contentType(answer)}`)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson({ asked, operationId }, text === '' ? 'an empty body' : `${text.length} characters that are not JSON`)
  }
}

/** Plain text. A page for people is not what was asked for: a service that lacks the address may answer with one. */
export function expectText(answer: Answer, { asked, operationId }: Asked): string {
  const got = contentType(answer)
  if (got !== 'text/html') return answer.text ?? ''
  throw new InvalidResponseError(`${asked} was answered with a body of type ${got} instead of plain text`, {
    operationId,
    expected: 'text/plain',
    got,
  })
}

/** A list. */
export function expectList(value: unknown, { asked, operationId }: Asked): unknown[] {
  if (Array.isArray(value)) return value
  throw new InvalidResponseError(`${asked} was answered with ${shape(value)} instead of a list`, {
    operationId,
    expected: 'array',
    got: shape(value),
  })
}

/** A record with the field that makes it one; without `identity`, any object. */
export function expectRecord(value: unknown, identity: string | null, { asked, operationId }: Asked): object {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && (identity === null || (Object.hasOwn(value, identity) && value[identity as never] !== null))) {
    return value
  }
  const expected = identity === null ? 'object' : `object with ${identity}`
  const got = isObject && identity !== null && Object.hasOwn(value, identity) ? `a null ${identity}` : shape(value)
  throw new InvalidResponseError(`${asked} was answered with ${got} instead of an ${expected}`, {
    operationId,
    expected,
    got,
  })
}

const commonType = 'application/json; charset=utf-8'

/** Whether the type is JSON or not told at all. */
function isJson(type: string | undefined): boolean {
  return type === undefined || type === commonType || /^\s*(?:$|application\/(?:[\w.+-]+\+)?json\s*(?:;|$))/i.test(type)
}

function notJson({ asked, operationId }: Asked, got: string): InvalidResponseError {
  return new InvalidResponseError(`${asked} was answered with ${got} instead of JSON`, {
    operationId,
    expected: 'JSON',
    got,
  })
}

/** Type and field names, never values: an answer may hold what no log should. */
function shape(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value !== 'object') return `a ${typeof value}`
  const names = Object.keys(value)
  if (names.length === 0) return 'an empty object'
  const listed = names.slice(0, 8).map((name) => name.slice(0, 40).replace(/[^\w.-]/g, '?'))
  return `an object with ${listed.join(', ')}${names.length > 8 ? ', …' : ''}`
}
