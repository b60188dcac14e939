import { once } from '../../base/once.js'
import { decodeUtf8, parseJson } from '../../domain/json.js'
import { timestamp } from '../../domain/timestamp.js'
import type { NameValuePairs } from '../../rules/match.js'
import { bytesOf } from '../answer.js'
import type { Exchange } from '../exchange.js'
import { type LogRedactor, strayTokens } from './redact.js'

interface LoggedBody {
  readonly text: string | null
  readonly json?: unknown
  readonly form?: NameValuePairs
}

export function parseForm(text: string): NameValuePairs {
  return [...new URLSearchParams(text)]
}

function opaque(bytes: Uint8Array, redactor: LogRedactor): LoggedBody {
  return {
    text: `[${bytes.byteLength} bytes ${redactor.standIn(Buffer.from(bytes).toString('latin1'))}]`,
  }
}

function isForm(type: string): boolean {
  return /^application\/x-www-form-urlencoded/i.test(type)
}

/**
 * Reads a body that may contain credentials, of an OAuth endpoint or a page. The credentials are
 * added to `found`.
 */
function readSecret(
  bytes: Uint8Array,
  type: string,
  redactor: LogRedactor,
  found: Set<string>,
): LoggedBody {
  if (bytes.byteLength === 0) return { text: null }
  const text = decodeUtf8(bytes)
  if (text === undefined || /^text\/html/i.test(type)) return opaque(bytes, redactor)
  if (isForm(type)) {
    const form = redactor.pairs(parseForm(text), found)
    return {
      text: new URLSearchParams(
        form.map(([name, value]): [string, string] => [name, value]),
      ).toString(),
      form,
    }
  }
  const parsed = parseJson(text)
  if (!parsed) return opaque(bytes, redactor)
  const json = redactor.json(parsed.value, found)
  return { text: JSON.stringify(json), json }
}

function readOpen(bytes: Uint8Array, type: string, redactor: LogRedactor): LoggedBody {
  if (bytes.byteLength === 0) return { text: null }
  const text = decodeUtf8(bytes)
  if (text === undefined) return opaque(bytes, redactor)
  return { text, ...(isForm(type) && { form: parseForm(text) }) }
}

export function pairsOf(headers: Headers): NameValuePairs {
  return [...headers].map(([name, value]) => [name, value] as const)
}

function beginning(bytes: Uint8Array, most: number): Uint8Array {
  let end = Math.min(most, bytes.byteLength)
  while (end < bytes.byteLength && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

function cutMark(limit: number): string {
  return `… (cut at ${limit} bytes)`
}

function cut(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  return bytes.byteLength <= limit
    ? text
    : `${Buffer.from(beginning(bytes, limit)).toString()}${cutMark(limit)}`
}

/** Cut copies of long bodies. Equal answers often share their bytes, and so the copy. */
const cutBodies = new WeakMap<Uint8Array, Uint8Array>()

/** The part of a body that the log keeps, as a copy: a page is often much larger. */
function keptPartOf(body: Uint8Array, limit: number): Uint8Array {
  return body.byteLength > limit
    ? once(cutBodies, body, () => new Uint8Array(beginning(body, limit)))
    : body
}

function unchanged(text: string): string {
  return text
}

interface LoggedMessage {
  /** Names in lower case, in the order of the message; secrets are replaced. */
  readonly headers: Readonly<Record<string, string>>
  /** The text of the body, cut at the limit of the log; null if there is no body. */
  readonly body: string | null
}

/**
 * A message whose body is decoded when it is read. It is kept for long, so the closure must hold
 * nothing but these values, and no secret.
 */
function readLater(
  headers: LoggedMessage['headers'],
  { kept, type, redactor, clean, end }: KeptBody,
): LoggedMessage {
  return {
    headers,
    get body() {
      const { text } = readOpen(kept, type, redactor)
      return text === null ? text : `${clean(text)}${end}`
    },
  }
}

interface KeptBody {
  readonly kept: Uint8Array
  readonly type: string
  readonly redactor: LogRedactor
  readonly clean: (text: string) => string
  readonly end: string
}

export interface ExchangeOutcome {
  readonly outcome: 'pending' | 'answered' | 'aborted' | 'faulted'
  readonly status: number | null
  readonly headers: NameValuePairs
  readonly body: Uint8Array
}

export function loggedExchange(
  exchange: Exchange,
  {
    redactor,
    maxBodyBytes: limit,
  }: { readonly redactor: LogRedactor; readonly maxBodyBytes: number },
  durationMs: number,
  { outcome, status, headers: answered, body }: ExchangeOutcome,
) {
  const { caller, kind, parameters } = exchange
  const isSecret = kind === 'oauth' || kind === 'page'
  const stray = strayTokens(exchange)
  const secrets = new Set(stray)
  const requestHeaders = pairsOf(exchange.headers)
  redactor.collectHeaders(requestHeaders, secrets)
  const answeredSecrets = new Set<string>()
  redactor.collectHeaders(answered, answeredSecrets)
  for (const secret of answeredSecrets) secrets.add(secret)
  const redactedQuery = redactor.pairs(exchange.query, secrets)
  const path = redactor.path(exchange.path, secrets)
  const read = isSecret ? readSecret : readOpen
  const sentType = exchange.headers.get('content-type') ?? ''
  const sent = read(exchange.bodyRead, sentType, redactor, secrets)
  const type = answered.find(([name]) => name === 'content-type')?.[1] ?? ''
  const secret = isSecret ? readSecret(body, type, redactor, secrets) : undefined
  // All secrets of the exchange are known from here on, so every repetition of them is found.
  const withoutEchoes = redactor.echoes(secrets)
  // Bodies of the API contain no credentials, except if an answer repeats a token from the URL, or
  // a signed link from its own headers.
  const cleanOpen = stray.length + answeredSecrets.size === 0 ? unchanged : withoutEchoes
  const clean = (pairs: NameValuePairs): NameValuePairs =>
    pairs.map(([name, value]) => [name, withoutEchoes(value)])
  const headersOf = (pairs: NameValuePairs) =>
    Object.fromEntries(clean(pairs.map(([name, value]) => [name, redactor.header(name, value)])))
  const bodyOf = ({ text }: LoggedBody) =>
    text === null ? null : cut(isSecret ? withoutEchoes(text) : text, limit)
  const query = clean(redactedQuery)
  const request: LoggedMessage = { headers: headersOf(requestHeaders), body: bodyOf(sent) }
  const end = body.byteLength > limit ? cutMark(limit) : ''
  const response: LoggedMessage = secret
    ? { headers: headersOf(answered), body: bodyOf(secret) }
    : readLater(headersOf(answered), {
        kept: keptPartOf(body, limit),
        type,
        redactor,
        clean: cleanOpen,
        end,
      })
  const named = (name: string) => parameters[name] && withoutEchoes(parameters[name])
  const facts = {
    query,
    json: sent.json ?? (!isSecret && sent.text !== null ? parseJson(sent.text)?.value : undefined),
    form: sent.form && clean(sent.form),
    org_slug: named('org_slug'),
    pipeline_slug: named('pipeline_slug'),
    number: parameters['number'] === undefined ? undefined : Number(parameters['number']),
    bodyBytes: (request.body?.length ?? 0) + Math.min(body.byteLength, limit),
  }
  const form = sent.form?.find(([name]) => name === 'client_id')?.[1]
  const entry = {
    /** The answer's `X-Request-Id`. */
    id: exchange.id,
    /** The time of arrival on the sandbox clock. */
    at: timestamp(exchange.now),
    operation: exchange.operation,
    method: exchange.method,
    path: withoutEchoes(path),
    query: new URLSearchParams(
      query.map(([name, value]): [string, string] => [name, value]),
    ).toString(),
    status,
    /** Host time; for a pending request, the time so far. */
    durationMs,
    ip: exchange.ip,
    /** E-mail address of the user that the token acts as. */
    user: caller?.user.email ?? null,
    client_id: caller?.application?.client_id ?? form ?? null,
    accessTokenId: caller?.token.id ?? null,
    ruleId: exchange.ruleId ?? null,
    /** The reason of a refusal that the answer must not reveal. */
    detail: exchange.detail ?? null,
    /** While a request is `pending`, unknown values, such as a body not read yet, are null. */
    outcome,
    /** True: no route, wrong method, or an invalid query or body. */
    unexpected: exchange.unexpected,
    request,
    response: status === null ? null : response,
  }
  return { entry, facts }
}

export type Logged = Readonly<ReturnType<typeof loggedExchange>>

/** A request and its answer. All secrets are replaced by `[redacted:…]`. */
export interface RequestEntry extends Readonly<Logged['entry']> {}

/** The body of an answer: its original bytes if possible, else a copy. */
export async function copyBody(response: Response): Promise<Uint8Array> {
  const content = bytesOf(response)
  if (content !== undefined) return content
  if (response.body === null) return new Uint8Array()
  return new Uint8Array(await response.clone().arrayBuffer())
}
