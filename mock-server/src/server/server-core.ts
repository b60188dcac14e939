import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { systemClock } from '../base/clock.js'
import type { LogLine } from '../base/log.js'
import { type Failure, refuse } from '../domain/decision.js'
import { callerAddress } from '../http/address.js'
import { type CorsOption, corsHeaders, preflightHeaders } from '../http/cors.js'
import { type FailureShape, failureOf } from '../http/failure.js'
import { type Kind, kindOf, readTarget, type Target } from '../http/target.js'
import { respond, withBody } from '../request/answer.js'
import { type Client, type DoorFacts, Exchange } from '../request/exchange.js'
import { type GuardOptions, guardOrigin, guardPeer } from '../request/guard.js'
import { cleanPath } from '../request/log/stray-tokens.js'
import type { createControlApp } from '../routes/control.js'
import { FaultError } from '../rules/fault.js'
import type { Limits } from '../sandbox/options.js'
import type { LiveExchange } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import type { AppEnvironment } from './app.js'

/** What the doors hand a request to, once the server is there. */
export interface CoreParts {
  readonly app: Hono<AppEnvironment>
  readonly control: ReturnType<typeof createControlApp>
  readonly sandboxes: Sandboxes
  readonly limits: Limits
  readonly cors: CorsOption
  readonly guard: () => GuardOptions
  readonly log: (line: LogLine) => void
}

const shapes: Readonly<Record<Kind, FailureShape>> = {
  rest: 'rest',
  oauth: 'oauth',
  graphql: 'graphql',
  document: 'rest',
  control: 'control',
  page: 'rest',
}

/** From a request to its answer: caps, sandbox, preflight, guards, route; and what every answer carries. */
export class ServerCore {
  readonly #parts: CoreParts
  internalErrors = 0
  closing = false

  constructor(parts: CoreParts) {
    this.#parts = parts
  }

  /** Answers a request. Rejects only with a FaultError, which the door plays. `target` is the URL as sent. */
  async handle(request: Request, facts: DoorFacts, target: string, client: Client): Promise<Response> {
    const id = randomUUID()
    const startedAt = systemClock.monotonic()
    const read = readTarget(target)
    const kind = read.ok ? kindOf(read.value.path) : 'rest'
    let exchange: LiveExchange | undefined
    let response: Response
    try {
      if (target.length > this.#parts.limits.url + target.indexOf('/', 8)) {
        response = refused({ code: 'uri_too_long', message: 'URI is too long' }, kind)
      } else if (!read.ok) response = respond(read, 400, shapes[kind], {})
      else {
        const made = this.#exchange(request, facts, read.value, kind, id, client)
        if (made instanceof Response) response = made
        else {
          exchange = made
          response = await this.#answer(made, facts, kind)
        }
      }
    } catch (error) {
      if (error instanceof FaultError) {
        this.#logRequest(request, id, exchange, null, startedAt)
        throw error
      }
      response = this.#failed(error, kind, id)
    }
    // Whoever made it: an answer to HEAD has no body.
    if (request.method === 'HEAD') response = withBody(response, null)
    this.#complete(response, request, kind, id, exchange)
    this.#logRequest(request, id, exchange, response, startedAt)
    return response
  }

  #exchange(
    request: Request,
    facts: DoorFacts,
    target: Target,
    kind: Kind,
    id: string,
    client: Client,
  ): LiveExchange | Response {
    const { sandboxes, limits, cors } = this.#parts
    const sandbox = target.sandboxId === null ? sandboxes.main : sandboxes.find(target.sandboxId)
    if (sandbox === undefined) return refused({ code: 'not_found', message: 'No sandbox found' }, kind)
    const shared = kind !== 'control' && kind !== 'page'
    if (request.method === 'OPTIONS' && shared && cors !== false) {
      return new Response(null, { status: 204, headers: preflightHeaders(cors, request.headers) })
    }
    const generation = sandbox.current.seenAt(request.url)
    const exchange = new Exchange(request, {
      id,
      sandbox: generation,
      target,
      facts,
      ip: callerAddress(facts.peer, request.headers.get('x-forwarded-for'), generation.settings.trustProxy),
      client,
      bodyLimit: bodyLimit(kind, target.path, limits),
    })
    if (exchange.query.length <= limits.queryPairs) return exchange
    return refused({ code: 'bad_request', message: 'Too many query parameters' }, kind)
  }

  async #answer(exchange: LiveExchange, facts: DoorFacts, kind: Kind): Promise<Response> {
    const { app, control, guard } = this.#parts
    const { sandbox } = exchange
    const env = { exchange, sandbox, ip: exchange.ip, path: exchange.path, lastUsed: sandbox.oauth.lastUsed.ofGrant }
    if (kind === 'control' || kind === 'page') {
      const from = { url: exchange.request.url, headers: exchange.headers, peer: facts.peer }
      const peer = guardPeer(from, guard())
      const admitted = peer.ok && kind === 'control' ? guardOrigin(from, guard()) : peer
      if (!admitted.ok) {
        exchange.detail = admitted.failure.detail
        return respond(admitted, 403, 'rest', {})
      }
    }
    if (kind === 'control') return await control.fetch(exchange.request, { exchange })
    if (kind === 'page' && (await exchange.body()) === undefined) {
      return refused({ code: 'payload_too_large', message: 'Request body is too large' }, kind)
    }
    return sandbox.clock.hold(Promise.resolve(app.fetch(exchange.request, env)))
  }

  /** The outermost catch: what is unforeseen is a bug of ours, counted, its stack on our side only. */
  #failed(error: unknown, kind: Kind, id: string): Response {
    const failure = failureOf(error)
    if (failure.code === 'internal') {
      this.internalErrors++
      const stack = error instanceof Error ? error.stack : String(error)
      this.#parts.log({ level: 'error', msg: 'internalError', requestId: id, stack })
    }
    return refused(failure, kind)
  }

  #complete(response: Response, request: Request, kind: Kind, id: string, exchange: LiveExchange | undefined): void {
    const { headers } = response
    const now = (exchange?.sandbox ?? this.#parts.sandboxes.main.current).clock.now()
    headers.set('Date', new Date(now).toUTCString())
    headers.set('X-Request-Id', id)
    if (!headers.has('X-Content-Type-Options')) headers.set('X-Content-Type-Options', 'nosniff')
    if (this.closing) headers.set('Connection', 'close')
    if (kind === 'control' || kind === 'page') return
    const cors = corsHeaders(this.#parts.cors, request.headers.get('origin'))
    for (const [name, value] of Object.entries(cors)) headers.set(name, value)
  }

  #logRequest(
    request: Request,
    requestId: string,
    exchange: LiveExchange | undefined,
    response: Response | null,
    startedAt: number,
  ): void {
    this.#parts.log({
      level: 'info',
      msg: 'request',
      sandbox: exchange?.sandbox.id ?? null,
      requestId,
      operation: exchange?.operation ?? null,
      method: request.method,
      path: exchange === undefined ? null : cleanPath(exchange, exchange.sandbox.requestLog.redactor),
      status: response?.status ?? null,
      durationMs: Math.round((systemClock.monotonic() - startedAt) * 10) / 10,
      bytes: Number(response?.headers.get('content-length') ?? 0),
      ip: exchange?.ip ?? null,
      user: exchange?.caller?.user.email ?? null,
      client_id: exchange?.caller?.application?.client_id ?? null,
      accessTokenId: exchange?.caller?.token.id ?? null,
      ruleId: exchange?.ruleId ?? null,
    })
  }
}

const refused = (failure: Failure, kind: Kind): Response => respond({ ok: false, failure }, 500, shapes[kind], {})

function bodyLimit(kind: Kind, path: string, limits: Limits): number {
  if (kind === 'rest') return limits.restBody
  if (kind === 'graphql') return limits.graphqlBody
  if (kind === 'control') return path === '/_control/snapshot' ? limits.snapshotBody : limits.controlBody
  return limits.oauthBody
}

/** The answer of a server that is not there yet, or not any more. */
export function unavailable(target: string, cors: CorsOption, origin: string | null, now: number): Response {
  const read = readTarget(target)
  const kind = read.ok ? kindOf(read.value.path) : 'rest'
  return respond(refuse('unavailable', 'Service unavailable'), 503, shapes[kind], {
    Connection: 'close',
    Date: new Date(now).toUTCString(),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    ...(kind !== 'control' && kind !== 'page' && corsHeaders(cors, origin)),
  })
}
