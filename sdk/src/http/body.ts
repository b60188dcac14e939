import type { Operation } from '../contract/operations.gen.js'
import { InvalidResponseError, isCiError } from '../errors/errors.js'
import { parseUrl } from '../errors/parse-url.js'
import { serverText } from '../errors/redact.js'
import type { BodyStream } from '../transport/body-stream.js'
import type { RateLimitAnswer } from './rate-limit.js'

/** An answer whose body has been read; `text` is undefined when it was larger than its limit. */
export interface HttpAnswer extends RateLimitAnswer {
  readonly text: string | undefined
  /** Instead of the text, where the caller asked for bytes. */
  readonly bytes?: Uint8Array | undefined
  /** Instead of the text, where the caller reads part by part. */
  readonly stream?: BodyStream | undefined
  entries(): Iterable<[string, string]>
}

/** How an error names the request. */
export interface RequestName {
  readonly operationId: string
  /** `PUT /v2/…/cancel` */
  readonly asked: string
}

/** How an answer's content type is named in an error: the type alone. */
export function contentType(answer: HttpAnswer): string {
  const type = (answer.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // A header may carry bytes that drive a terminal; a media type is a short word.
  return type.slice(0, 100).replace(/[^\w.+/*-]/g, '?')
}

/**
 * The body of a success. @throws InvalidResponseError unless it is JSON, declared so or not
 * declared at all.
 */
export function strictJson(answer: HttpAnswer, asked: RequestName): unknown {
  const { text = '' } = answer
  if (!isJson(answer.header('content-type')))
    throw unexpected(`a body of type ${contentType(answer)}`, 'JSON', asked)
  if (answer.body !== undefined) return answer.body
  throw unexpected(
    text === '' ? 'an empty body' : `${text.length} characters that are not JSON`,
    'JSON',
    asked,
  )
}

/**
 * A page for people is not what was asked for: a service that lacks the address may answer with
 * one.
 */
export function expectNoPage(answer: HttpAnswer, { asked, operationId }: RequestName): void {
  const got = contentType(answer)
  if (got !== 'text/html') return
  const summary = `${asked} was answered with a body of type ${got} instead of plain text`
  throw new InvalidResponseError(summary, { operationId, expected: 'text/plain', got })
}

/** Where a redirect leads: where `Location` points, else what the record in its body says. */
export function expectRedirect(
  answer: HttpAnswer,
  granted: RecordShape,
  call: RequestName & { readonly url: string },
): object {
  const location = answer.header('location')
  if (location === undefined) return expectRecord(strictJson(answer, call), granted, call)
  const url = parseUrl(location, call.url)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return { url: url.href }
  const expected = 'http or https URL in Location'
  throw unexpected(`a Location of ${location.length} characters`, expected, call, `an ${expected}`)
}

/** What a client takes for granted of a record. */
export type RecordShape = Pick<Operation, 'identity' | 'nested'>

export function expectList(value: unknown, granted: RecordShape, asked: RequestName): unknown[] {
  if (!Array.isArray(value)) throw unexpected(shape(value), 'array', asked, 'a list')
  for (const item of value) expectRecord(item, granted, asked, 'a list with ')
  return value
}

/** A record with the fields that make it one; without any, an object. */
export function expectRecord(
  value: unknown,
  { identity, nested }: RecordShape,
  asked: RequestName,
  within = '',
): object {
  const lack = lackOf(value, identity)
  if (lack !== undefined)
    throw unexpected(within + lack, objectWith(identity), asked, `an ${objectWith(identity)}`)
  const record = value as Readonly<Record<string, unknown>>
  for (const key in nested) {
    const list = record[key]
    if (list === undefined || list === null) continue
    const fields = nested[key] ?? []
    const got = Array.isArray(list)
      ? list.map((item) => lackOf(item, fields)).find(Boolean)
      : shape(list)
    const wanted = `${objectWith(fields)} in ${key}`
    if (got !== undefined)
      throw unexpected(`${within}${got} in ${key}`, wanted, asked, `an ${wanted}`)
  }
  return record
}

/** What is there instead of a record with these fields; undefined when it is one. */
function lackOf(value: unknown, identity: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shape(value)
  for (const key of identity) {
    const field = Object.hasOwn(value, key) ? value[key as never] : undefined
    if (typeof field === 'string' || Number.isFinite(field)) continue
    return field === undefined ? shape(value) : `${kindOf(field)} as ${key}`
  }
  return undefined
}

function objectWith(fields: readonly string[]): string {
  return fields.length === 0 ? 'object' : `object with ${fields.join(', ')}`
}

/**
 * The error for an answer that is not what was asked for; `wanted` is what was expected in the
 * words of a sentence.
 */
function unexpected(
  got: string,
  expected: string,
  { asked, operationId }: RequestName,
  wanted = expected,
): InvalidResponseError {
  return new InvalidResponseError(`${asked} was answered with ${got} instead of ${wanted}`, {
    operationId,
    expected,
    got,
  })
}

const commonType = 'application/json; charset=utf-8'

function isJson(type: string | undefined): boolean {
  return (
    type === undefined ||
    type === commonType ||
    /^\s*(?:$|application\/(?:[\w.+-]+\+)?json\s*(?:;|$))/i.test(type)
  )
}

/** What an error may say about a value: its type, never the value. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === '') return 'an empty string'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is too large'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Type and field names, never values: an answer may hold what no log should. */
function shape(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value !== 'object' || value === null) return kindOf(value)
  const names = Object.keys(value)
  if (names.length === 0) return 'an empty object'
  // A service may use a secret as a name: only short words are shown.
  const listed = names.slice(0, 8).map((name) => (/^[A-Za-z_]{1,20}$/.test(name) ? name : '?'))
  return `an object with ${listed.join(', ')}${names.length > 8 ? ', …' : ''}`
}

/**
 * The error with what is known of the answer that it is about, and without `secrets`: an answer may
 * have one as the name of a field or as its type.
 */
export function aboutAnswer(
  error: unknown,
  call: RequestName & { readonly advice?: string | undefined },
  { status, requestId }: { readonly status: number; readonly requestId?: string | undefined },
  secrets: readonly string[] = [],
): unknown {
  if (!isCiError(error, 'invalid_response')) return error
  const { summary, expected, got, advice = call.advice } = error
  return new InvalidResponseError(withoutSecrets(summary, secrets), {
    operationId: call.operationId,
    expected,
    got: withoutSecrets(got, secrets),
    advice,
    status,
    requestId,
  })
}

/** A text about an answer without secrets. Names of types and encodings are in lower case. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return serverText(
    text,
    secrets.flatMap((secret) => [secret, secret.toLowerCase()]),
  )
}
