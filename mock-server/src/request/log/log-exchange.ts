import { once } from '../../base/once.js'
import { parseJson } from '../../domain/json.js'
import { timestamp } from '../../domain/timestamp.js'
import type { Dialect } from '../../rules/answers.js'
import type { Pairs } from '../../rules/match.js'
import { BytesResponse } from '../answer.js'
import type { Exchange } from '../exchange.js'
import { type BodyKind, type ReadBody, readLoggedBody } from './bodies.js'
import type { EntryFacts, Logged, LoggedMessage, RequestEntry } from './entry.js'
import type { Redactor } from './redact.js'
import type { RequestLog } from './request-log.js'
import { strayTokens } from './stray-tokens.js'

/** The words that an exchange is held in: what serves its path. */
export const dialectOf = ({ operation, path }: Exchange): Dialect => {
  if (operation === 'graphql' || path === '/graphql') return 'graphql'
  if (operation?.startsWith('oauth.') || path === '/oauth/token' || path === '/oauth/device_authorization')
    return 'oauth'
  return operation !== null || path.startsWith('/v2/') ? 'rest' : 'page'
}

const bodyKind = (dialect: Dialect): BodyKind => (dialect === 'oauth' || dialect === 'page' ? 'secret' : 'open')

export const pairsOf = (headers: Headers): Pairs => [...headers].map(([name, value]) => [name, value] as const)

/** The first bytes of a text, up to a whole character. */
const beginning = (bytes: Uint8Array, most: number): Uint8Array => {
  let end = Math.min(most, bytes.byteLength)
  while (end < bytes.byteLength && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

const cutMark = (limit: number): string => `… (cut at ${limit} bytes)`

const cut = (text: string, limit: number): string => {
  const bytes = Buffer.from(text)
  return bytes.byteLength <= limit ? text : `${Buffer.from(beginning(bytes, limit)).toString()}${cutMark(limit)}`
}

interface Redaction {
  readonly redactor: Redactor
  readonly withoutEchoes: (text: string) => string
  readonly limit: number
}

const messageOf = (
  headers: Pairs,
  body: ReadBody,
  { redactor, withoutEchoes, limit }: Redaction,
  kind: BodyKind,
): LoggedMessage => ({
  headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutEchoes(redactor.header(name, value))])),
  body: body.text === null ? null : cut(kind === 'secret' ? withoutEchoes(body.text) : body.text, limit),
})

/** Long bodies, cut: who asks for the same again is answered with the same bytes. */
const cutBodies = new WeakMap<Uint8Array, Uint8Array>()

/**
 * An answer without secrets. Its body is kept as bytes and becomes text when somebody looks: printing a page costs
 * less than keeping it as a string.
 */
const openMessage = (
  headers: Pairs,
  body: Uint8Array,
  type: string,
  redaction: Redaction,
  clean: (text: string) => string,
): LoggedMessage => {
  const { redactor, limit } = redaction
  // The getter must hold no more than this: a page is many times the log's share of it.
  const isCut = body.byteLength > limit
  const kept = isCut ? once(cutBodies, body, () => new Uint8Array(beginning(body, limit))) : body
  return {
    headers: messageOf(headers, { text: null }, redaction, 'open').headers,
    get body() {
      const { text } = readLoggedBody(kept, type, 'open', redactor, new Set())
      return text === null ? text : `${clean(text)}${isCut ? cutMark(limit) : ''}`
    },
  }
}

const asItIs = (text: string): string => text

export interface Outcome {
  readonly outcome: RequestEntry['outcome']
  readonly status: number | null
  readonly headers: Pairs
  readonly body: Uint8Array
}

/** What has happened, without its secrets. */
export const loggedExchange = (
  exchange: Exchange,
  log: Pick<RequestLog, 'redactor' | 'maxBodyBytes'>,
  durationMs: number,
  outcome: Outcome,
): Logged => {
  const { redactor, maxBodyBytes: limit } = log
  const kind = bodyKind(dialectOf(exchange))
  const stray = strayTokens(exchange)
  const found = new Set(stray)
  const requestHeaders = pairsOf(exchange.headers)
  redactor.collectHeaders(requestHeaders, found)
  const told = new Set<string>()
  redactor.collectHeaders(outcome.headers, told)
  for (const secret of told) found.add(secret)
  const asked = redactor.pairs(exchange.query, found)
  const path = redactor.path(exchange.path, found)
  const sent = readLoggedBody(exchange.bodyRead, exchange.headers.get('content-type') ?? '', kind, redactor, found)
  const type = outcome.headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const secret = kind === 'secret' ? readLoggedBody(outcome.body, type, kind, redactor, found) : undefined
  // From here on every secret of the exchange is known, so that its echoes are found wherever they stand.
  const withoutEchoes = redactor.echoes(found)
  const redaction = { redactor, withoutEchoes, limit }
  // An API's bodies carry no credentials, unless an answer repeats what its caller pasted into the address, or what its
  // own headers tell: a signed link.
  const cleanOpen = stray.length + told.size === 0 ? asItIs : withoutEchoes
  const clean = (pairs: Pairs): Pairs => pairs.map(([name, value]) => [name, withoutEchoes(value)])
  const query = clean(asked)
  const { caller, parameters } = exchange
  const request = messageOf(requestHeaders, sent, redaction, kind)
  const response =
    secret === undefined
      ? openMessage(outcome.headers, outcome.body, type, redaction, cleanOpen)
      : messageOf(outcome.headers, secret, redaction, kind)
  const facts: EntryFacts = {
    query,
    json: sent.json ?? (kind === 'open' && sent.text !== null ? parseJson(sent.text)?.value : undefined),
    form: sent.form && clean(sent.form),
    org_slug: parameters['org_slug'] && withoutEchoes(parameters['org_slug']),
    pipeline_slug: parameters['pipeline_slug'] && withoutEchoes(parameters['pipeline_slug']),
    number: parameters['number'] === undefined ? undefined : Number(parameters['number']),
    bodyBytes: (request.body?.length ?? 0) + Math.min(outcome.body.byteLength, limit),
  }
  const form = sent.form?.find(([name]) => name === 'client_id')?.[1]
  const entry: RequestEntry = {
    id: exchange.id,
    at: timestamp(exchange.at),
    operation: exchange.operation,
    method: exchange.method,
    path: withoutEchoes(path),
    query: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString(),
    status: outcome.status,
    durationMs,
    ip: exchange.ip,
    user: caller?.user.email ?? null,
    client_id: caller?.application?.client_id ?? form ?? null,
    accessTokenId: caller?.token.id ?? null,
    ruleId: exchange.ruleId ?? null,
    detail: exchange.detail ?? null,
    outcome: outcome.outcome,
    unexpected: exchange.unexpected,
    request,
    response: outcome.status === null ? null : response,
  }
  return { entry, facts }
}

/** The answer's body: the bytes that it was made of, else a copy. */
export const copyBody = async (response: Response): Promise<Uint8Array> => {
  if (response instanceof BytesResponse) return response.content
  if (response.body === null) return new Uint8Array()
  return new Uint8Array(await response.clone().arrayBuffer())
}
