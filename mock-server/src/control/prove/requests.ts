import { type OperationId, operations } from '@buildwire/sdk/contract'
import { parseJson } from '../../domain/json.js'
import type { RequestEntry } from '../../request/log/log-exchange.js'
import type { ExaminedExchange } from '../../request/overlay.js'

/** The grants of the token endpoint, each a target of its own. */
export const grantTypes: Readonly<Record<string, string>> = {
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  refresh: 'refresh_token',
}

/** The rules that make a fault begin so: the log entry of a request that met it names the rule. */
export const faultRuleId = 'prove:fault'

/** What the fault did to the requests that met it. */
export interface FaultEffect {
  /** The client did not get the real response. */
  readonly spoils?: boolean | undefined
  /** The server had done the work before the response was spoilt. */
  readonly commits?: boolean | undefined
}

/** A record of a response: a build, a job, an artifact. */
export interface AnsweredRecord {
  readonly id?: unknown
  readonly number?: unknown
  readonly state?: unknown
  readonly blocked?: unknown
}

export interface SeenRequest extends RequestEntry {
  /** The operation, or the grant of the token endpoint; null for pages and unknown paths. */
  readonly target: string | null
  readonly sandboxId: string
  /** Host time in ms: gaps between requests are real. */
  readonly startedAt: number
  readonly answeredAt: number
  /** The client got the real response, and it was a success. */
  readonly good: boolean
  /** The server did what was asked, whatever the client got. */
  readonly done: boolean
  readonly isFault: boolean
  /** A fault came in place of the real response. */
  readonly isSpoilt: boolean
  /** The records of the response: one, or those of a page; empty without a body that was kept. */
  readonly records: readonly AnsweredRecord[]
}

/** Without a sight there is no host time and no whole body: that is all that a log entry holds. */
export function seenRequest(
  entry: RequestEntry,
  sandboxId: string,
  effect: FaultEffect = {},
  sight?: ExaminedExchange,
): SeenRequest {
  const { operation, status } = entry
  const row = operations[operation as OperationId]
  const at = Date.parse(entry.at)
  const isFault = entry.ruleId?.startsWith(faultRuleId) === true
  const isSuccess =
    entry.outcome === 'answered' && status !== null && (status < 300 || status === row?.status)
  const isSpoilt = isFault && effect.spoils === true
  // A client that left before the response came has the work done all the same.
  const isUnread = isSpoilt || entry.outcome === 'aborted'
  const isCommitted = isFault && effect.commits === true && isUnread
  return {
    ...entry,
    target: targetOf(entry),
    sandboxId,
    startedAt: sight?.startedAt ?? at,
    answeredAt: sight?.answeredAt ?? at + entry.durationMs,
    good: isSuccess && !isSpoilt,
    done: isCommitted || (isSuccess && !isSpoilt),
    isFault,
    isSpoilt,
    records: row === undefined ? [] : recordsOf(sight ? textOf(sight.body) : entry.response?.body),
  }
}

/** The address of an artifact's content, which is not an operation of the API. */
export const contentTarget = 'artifacts.content'
export const contentPath = '/artifacts/*/content'

function targetOf(entry: RequestEntry): string | null {
  if (entry.operation === 'oauth.token') return grantOf(entry)
  const isContent = /^\/artifacts\/[^/]+\/content$/.test(entry.path)
  return isContent ? contentTarget : entry.operation
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString()
}

function recordsOf(text: string | null | undefined): readonly AnsweredRecord[] {
  const value = parseJson(text ?? '')?.value
  return [value].flat().filter((one) => typeof one === 'object' && one !== null)
}

/** A form parameter of a request; secrets are stand-ins, equal for equal ones. */
export function formOf({ request }: RequestEntry, name: string): string {
  return new URLSearchParams(request.body ?? '').get(name) ?? ''
}

function grantOf(entry: RequestEntry): string | null {
  const grantType = formOf(entry, 'grant_type')
  return Object.keys(grantTypes).find((name) => grantTypes[name] === grantType) ?? null
}

/** The JSON of an OAuth response or of an error; empty where there is none. */
export function answerOf({ response }: RequestEntry): {
  readonly device_code?: string
  readonly interval?: number
  readonly error?: string
} {
  return Object(parseJson(response?.body ?? '')?.value)
}

export function bearerOf({ request }: RequestEntry): string {
  return request.headers['authorization'] ?? ''
}

export function pageOf({ query }: SeenRequest): number {
  return Number(new URLSearchParams(query).get('page') ?? 1)
}

const tenMinutes = 600_000

function timeOf(value: string): number {
  return /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
}

/** Times of a query count from the request: `now` stays `now` when the client asks again. */
function fromNow(value: string, at: number): string {
  const time = timeOf(value)
  return Number.isNaN(time) ? value : `now${Math.round((time - at) / tenMinutes)}`
}

/** The filters and the page of a request, without the times, which are new in each run. */
export function fixedQuery({ query }: RequestEntry): Readonly<Record<string, string>> {
  const pairs = [...new URLSearchParams(query)]
  return Object.fromEntries(pairs.filter(([, value]) => Number.isNaN(timeOf(value))))
}

function addressOf(request: SeenRequest, without: readonly string[] = []): string {
  const { method, path, query } = request
  const at = Date.parse(request.at)
  const pairs = [...new URLSearchParams(query)]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]): [string, string] => [name, fromNow(value, at)])
  return `${method} ${path}?${new URLSearchParams(pairs.toSorted())}`
}

/** Secrets that a client makes anew for each attempt. */
const madeAnew = /client_assertion=[^&]*/g

/**
 * The one key of a request: place, method, path, filters, page and body. Two requests of one key
 * ask for the same.
 */
export function keyOf(request: SeenRequest): string {
  return `${request.sandboxId} ${addressOf(request)} ${(request.request.body ?? '').replace(madeAnew, '')}`
}

/** A text whose words with digits, such as times and ids, are one sign. */
export function withoutNumbers(text: string): string {
  return text.replace(/(?<![\w-])(?=[A-Za-z_-]*\d)[\w-]+/g, '#')
}

/** What a write does, in any sandbox: without numbers, times and ids, which a client may choose anew. */
export function likenessOf(request: SeenRequest): string {
  return `${addressOf(request)} ${withoutNumbers(request.request.body ?? '')}`
}

/** The list that a request reads a page of: a walk may add the moment at which it began. */
export function listOf(request: SeenRequest): string {
  const address = addressOf(request, ['page', 'per_page']).replace(/created_to=now-?0&?/, '')
  return `${request.sandboxId} ${address}`
}

/** The query of the next page that a response offers. */
export function nextPageOf({ response }: SeenRequest): URLSearchParams | undefined {
  const [, address] = /<([^<>]+)>; rel="next"/.exec(response?.headers['link'] ?? '') ?? []
  return address === undefined ? undefined : new URL(address).searchParams
}
