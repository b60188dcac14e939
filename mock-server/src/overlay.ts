import type { Clock } from './clock.js'
import { timestamp } from './domain/timestamp.js'
import type { Exchange, Overlay } from './exchange.js'
import { BytesResponse } from './http/answer.js'
import { failureAnswer, failureOf } from './http/failure.js'
import { type BodyKind, parseForm, type ReadBody, readLoggedBody } from './request-log/bodies.js'
import type { EntryFacts, LoggedMessage, RequestEntry } from './request-log/entry.js'
import type { Redactor } from './request-log/redact.js'
import type { RequestLog } from './request-log.js'
import type { Dialect } from './rules/answers.js'
import { FaultError } from './rules/fault.js'
import type { Pairs, Subject } from './rules/match.js'
import { performRule } from './rules/perform.js'
import type { Rules } from './rules.js'
import { StoreError } from './store/errors.js'

export interface OverlayOptions {
  readonly rules: Rules
  readonly log: RequestLog
  /** Delays and durations are the host's time. */
  readonly host: Clock
  now(): number
  advanceClock(ms: number): Promise<unknown>
  /** Runs what must not keep the sandbox clock from advancing, although the request does. */
  unheld<T>(work: () => Promise<T>): Promise<T>
}

const dialectOf = ({ operation, path }: Exchange): Dialect => {
  if (operation === 'graphql' || path === '/graphql') return 'graphql'
  if (operation?.startsWith('oauth.') || path === '/oauth/token' || path === '/oauth/device_authorization')
    return 'oauth'
  return operation !== null || path.startsWith('/v2/') ? 'rest' : 'page'
}

const bodyKind = (dialect: Dialect): BodyKind => (dialect === 'oauth' || dialect === 'page' ? 'secret' : 'open')

const pairsOf = (headers: Headers): Pairs => [...headers].map(([name, value]) => [name, value] as const)

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const subjectOf = (exchange: Exchange): Subject => {
  const { org_slug, pipeline_slug, number } = exchange.parameters
  return {
    operation: exchange.operation,
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    headers: pairsOf(exchange.headers),
    org_slug,
    pipeline_slug,
    number: number === undefined ? undefined : Number(number),
  }
}

const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : `${detached(text.slice(0, limit))}… (cut at ${limit} characters)`

/** A copy: a slice would keep the whole text alive. */
const detached = (slice: string): string => Buffer.from(slice, 'utf16le').toString('utf16le')

/** The first bytes of a text, up to a whole character: of an open body no more is looked at than the log keeps. */
const beginning = (bytes: Uint8Array, most: number): Uint8Array => {
  let end = Math.min(most, bytes.byteLength)
  while (end < bytes.byteLength && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

interface Redaction {
  readonly redactor: Redactor
  readonly found: ReadonlySet<string>
  readonly limit: number
}

const messageOf = (
  headers: Pairs,
  body: ReadBody,
  { redactor, found, limit }: Redaction,
  kind: BodyKind,
): LoggedMessage => ({
  headers: Object.fromEntries(
    headers.map(([name, value]) => [name, redactor.echoes(redactor.header(name, value), found)]),
  ),
  body: body.text === null ? null : cut(kind === 'secret' ? redactor.echoes(body.text, found) : body.text, limit),
})

interface Outcome {
  readonly outcome: RequestEntry['outcome']
  readonly status: number | null
  readonly headers: Pairs
  readonly body: Uint8Array
}

/** Writes what happened, without its secrets. */
const logExchange = (exchange: Exchange, { log }: OverlayOptions, durationMs: number, outcome: Outcome): void => {
  const { redactor, maxBodyBytes: limit } = log
  const kind = bodyKind(dialectOf(exchange))
  const found = new Set<string>()
  const requestHeaders = pairsOf(exchange.headers)
  redactor.collectHeaders(requestHeaders, found)
  redactor.collectHeaders(outcome.headers, found)
  const query = redactor.pairs(exchange.query, found)
  const path = redactor.path(exchange.path, found)
  const sent = readLoggedBody(exchange.bodyRead, exchange.headers.get('content-type') ?? '', kind, redactor, found)
  const type = outcome.headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const body = kind === 'open' ? beginning(outcome.body, 4 * limit) : outcome.body
  const answered = readLoggedBody(body, type, kind, redactor, found)
  const redaction = { redactor, found, limit }
  const { caller, parameters } = exchange
  const request = messageOf(requestHeaders, sent, redaction, kind)
  const facts: EntryFacts = {
    query,
    headers: Object.entries(request.headers),
    json: sent.json ?? (kind === 'open' && sent.text !== null ? jsonOf(sent.text) : undefined),
    form: sent.form,
    org_slug: parameters['org_slug'],
    pipeline_slug: parameters['pipeline_slug'],
    number: parameters['number'] === undefined ? undefined : Number(parameters['number']),
  }
  const form = sent.form?.find(([name]) => name === 'client_id')?.[1]
  const entry: RequestEntry = {
    id: exchange.id,
    at: timestamp(exchange.at),
    operation: exchange.operation,
    method: exchange.method,
    path: redactor.echoes(path, found),
    query: redactor.echoes(
      new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString(),
      found,
    ),
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
    response: outcome.status === null ? null : messageOf(outcome.headers, answered, redaction, kind),
  }
  log.record(entry, facts)
}

/** The answer's body: the bytes that it was made of, else a copy. */
const copyBody = async (response: Response): Promise<Uint8Array> => {
  if (response instanceof BytesResponse) return response.content
  if (response.body === null) return new Uint8Array()
  return new Uint8Array(await response.clone().arrayBuffer())
}

/** Aborts with the first of two signals. Released, it leaves nothing behind on the one that lives longer. */
const linkSignals = (...signals: readonly AbortSignal[]) => {
  const either = new AbortController()
  const releases = signals.map((signal) => {
    const abort = () => either.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  return { signal: either.signal, release: () => releases.forEach((release) => void release()) }
}

/** Rules, and a log of all that was asked and answered. */
export const createOverlay = (options: OverlayOptions): Overlay => {
  const { rules, log, host } = options
  const closing = new AbortController()
  const brokenOff = new Error('The server closes')

  const subjectFor = async (exchange: Exchange): Promise<Subject> => {
    const subject = subjectOf(exchange)
    if (!rules.wantsBody(subject)) return subject
    const bytes = await exchange.body()
    if (!bytes) return subject
    const text = textOf(bytes)
    return { ...subject, json: jsonOf(text), form: parseForm(text) }
  }

  const play = async (exchange: Exchange, real: () => Promise<Response>): Promise<Response> => {
    const rule = rules.take(await subjectFor(exchange))
    if (!rule) return real()
    exchange.ruleId = rule.id
    const over = linkSignals(exchange.signal, closing.signal)
    try {
      const performed = await performRule(rule, {
        dialect: dialectOf(exchange),
        delay: (ms) => options.unheld(() => host.sleep(ms, over.signal)),
        now: () => options.now(),
        advanceClock: (ms) => options.unheld(() => options.advanceClock(ms)),
        answer: real,
      })
      if (performed.kind === 'fault') throw new FaultError(performed.fault)
      return performed.response
    } finally {
      over.release()
    }
  }

  return {
    async answer(exchange, real) {
      const startedAt = host.monotonic()
      const took = () => Math.round(host.monotonic() - startedAt)
      try {
        const response = await play(exchange, real)
        const outcome = { outcome: exchange.signal.aborted ? 'aborted' : 'answered', status: response.status } as const
        const body = await copyBody(response)
        logExchange(exchange, options, took(), { ...outcome, headers: pairsOf(response.headers), body })
        return response
      } catch (error) {
        const ended = { headers: [], body: new Uint8Array() }
        // Nobody waits for an answer any more: for whoever still listens the connection is gone.
        const gone = exchange.signal.aborted || error === brokenOff
        if (gone || error instanceof FaultError) {
          const outcome = error instanceof FaultError ? 'faulted' : 'aborted'
          logExchange(exchange, options, took(), { outcome, status: null, ...ended })
          throw error instanceof FaultError ? error : new FaultError({ kind: 'networkError' })
        }
        // What a handler throws is answered further out.
        const { status } = failureAnswer(failureOf(error), 'rest')
        logExchange(exchange, options, took(), { outcome: 'answered', status, ...ended })
        throw error
      }
    },
    close(reset) {
      closing.abort(reset ? new StoreError('reset', 'Sandbox was reset') : brokenOff)
      log.close()
    },
  }
}
