import { once } from '../../base/once.js'
import { decodeUtf8, parseJson } from '../../domain/json.js'
import { timestamp } from '../../domain/timestamp.js'
import type { NameValuePairs } from '../../rules/match.js'
import { BytesResponse } from '../answer.js'
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
 * A body that may carry credentials, as those of OAuth endpoints and pages do: they are added to
 * `found`.
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

/** Long bodies, cut: who asks for the same again is answered with the same bytes. */
const cutBodies = new WeakMap<Uint8Array, Uint8Array>()

/** What the log keeps of a body, apart from the rest: a page is many times its share. */
function keptOf(body: Uint8Array, limit: number): Uint8Array {
  return body.byteLength > limit
    ? once(cutBodies, body, () => new Uint8Array(beginning(body, limit)))
    : body
}

function asItIs(text: string): string {
  return text
}

interface LoggedMessage {
  /** Names in lower case, in the order sent; secrets are stand-ins. */
  readonly headers: Readonly<Record<string, string>>
  /** The text of the body, cut at the log's limit; null when there was none. */
  readonly body: string | null
}

/**
 * The body becomes text when somebody looks. It lives for long and must hold no more than this, no
 * secret above all.
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
  const found = new Set(stray)
  const requestHeaders = pairsOf(exchange.headers)
  redactor.collectHeaders(requestHeaders, found)
  const told = new Set<string>()
  redactor.collectHeaders(answered, told)
  for (const secret of told) found.add(secret)
  const asked = redactor.pairs(exchange.query, found)
  const path = redactor.path(exchange.path, found)
  const read = isSecret ? readSecret : readOpen
  const sent = read(exchange.bodyRead, exchange.headers.get('content-type') ?? '', redactor, found)
  const type = answered.find(([name]) => name === 'content-type')?.[1] ?? ''
  const secret = isSecret ? readSecret(body, type, redactor, found) : undefined
  // From here on every secret of the exchange is known, so that its echoes are found wherever they
  // stand.
  const withoutEchoes = redactor.echoes(found)
  // An API's bodies carry no credentials, unless an answer repeats what its caller pasted into the
  // address, or what its own headers tell: a signed link.
  const cleanOpen = stray.length + told.size === 0 ? asItIs : withoutEchoes
  const clean = (pairs: NameValuePairs): NameValuePairs =>
    pairs.map(([name, value]) => [name, withoutEchoes(value)])
  const headersOf = (pairs: NameValuePairs) =>
    Object.fromEntries(clean(pairs.map(([name, value]) => [name, redactor.header(name, value)])))
  const bodyOf = ({ text }: LoggedBody) =>
    text === null ? null : cut(isSecret ? withoutEchoes(text) : text, limit)
  const query = clean(asked)
  const request: LoggedMessage = { headers: headersOf(requestHeaders), body: bodyOf(sent) }
  const end = body.byteLength > limit ? cutMark(limit) : ''
  const response: LoggedMessage = secret
    ? { headers: headersOf(answered), body: bodyOf(secret) }
    : readLater(headersOf(answered), {
        kept: keptOf(body, limit),
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
    /** When it came, on the sandbox clock. */
    at: timestamp(exchange.now),
    operation: exchange.operation,
    method: exchange.method,
    path: withoutEchoes(path),
    query: new URLSearchParams(
      query.map(([name, value]): [string, string] => [name, value]),
    ).toString(),
    status,
    /** Host time; of a request that is still being answered, so far. */
    durationMs,
    ip: exchange.ip,
    /** E-mail address of the user that the token acts as. */
    user: caller?.user.email ?? null,
    client_id: caller?.application?.client_id ?? form ?? null,
    accessTokenId: caller?.token.id ?? null,
    ruleId: exchange.ruleId ?? null,
    /** Why it was refused, where the answer must not say. */
    detail: exchange.detail ?? null,
    /**
     * `pending`: still being answered. What is not known yet, such as a body that nobody has read,
     * is null.
     */
    outcome,
    /** No route, wrong method, or refused by the reader of its query or body. */
    unexpected: exchange.unexpected,
    request,
    response: status === null ? null : response,
  }
  return { entry, facts }
}

export type Logged = Readonly<ReturnType<typeof loggedExchange>>

/** One request and its answer, with every secret replaced by `[redacted:…]`. */
export interface RequestEntry extends Readonly<Logged['entry']> {}

/** The answer's body: the bytes that it was made of, else a copy. */
export async function copyBody(response: Response): Promise<Uint8Array> {
  if (response instanceof BytesResponse) return response.content
  if (response.body === null) return new Uint8Array()
  return new Uint8Array(await response.clone().arrayBuffer())
}
