import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { systemClock } from '../base/clock.js'
import type { LogLine } from '../base/log.js'
import type { Failure } from '../domain/decision.js'
import { callerAddress } from '../http/address.js'
import { type CorsOption, corsHeaders, preflightHeaders } from '../http/cors.js'
import { failureOf } from '../http/failure.js'
import { kindOf, type PathKind, type RequestTarget, readTarget } from '../http/target.js'
import type { AppEnvironment } from '../pages/page-context.js'
import { respond, withBody } from '../request/answer.js'
import { type GuardOptions, guard } from '../request/authority.js'
import { type DoorFacts, Exchange } from '../request/exchange.js'
import { cleanPath } from '../request/log/redact.js'
import type { createControlApp } from '../routes/control.js'
import { FaultError } from '../rules/perform.js'
import type { Limits } from '../sandbox/options.js'
import type { LiveExchange } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'

export interface CoreParts {
  readonly app: Hono<AppEnvironment>
  readonly control: ReturnType<typeof createControlApp>
  readonly sandboxes: Sandboxes
  readonly limits: Limits
  readonly cors: CorsOption
  readonly guarded: () => GuardOptions
  readonly log: ((line: LogLine) => void) | undefined
}

/**
 * Turns a request into its answer: limits of size, sandbox, preflight, guards, route; then the
 * headers of every answer.
 */
export class ServerCore {
  readonly #parts: CoreParts
  internalErrors = 0
  closing = false

  constructor(parts: CoreParts) {
    this.#parts = parts
  }

  /**
   * Answers a request. It rejects with a FaultError only, which the adapter plays. `target` is the
   * URL as the client sent it.
   */
  async handle(request: Request, facts: DoorFacts, target: string): Promise<Response> {
    const id = randomUUID()
    const startedAt = systemClock.monotonic()
    const read = readTarget(target)
    const kind = read.ok ? kindOf(read.value.path) : 'rest'
    let exchange: LiveExchange | undefined
    let response: Response
    try {
      if (target.length > this.#parts.limits.url + target.indexOf('/', 8)) {
        response = refused({ code: 'uri_too_long', message: 'URI is too long' }, kind)
      } else if (!read.ok) {
        response = respond(read, 400, kind)
      } else {
        const started = this.#exchange(request, facts, read.value, kind, id)
        if (started instanceof Response) {
          response = started
        } else {
          exchange = started
          response = await this.#answer(started, facts)
        }
      }
    } catch (error) {
      if (error instanceof FaultError) {
        this.#logRequest(request, id, exchange, null, startedAt)
        throw error
      }
      response = this.#failed(error, kind, id)
    }
    // No answer to HEAD has a body, also not that of a rule or an error.
    if (request.method === 'HEAD') response = withBody(response, null)
    const { clock } = exchange?.sandbox ?? this.#parts.sandboxes.main.current
    complete(response, request, {
      kind,
      id,
      now: clock.now(),
      cors: this.#parts.cors,
      last: this.closing,
    })
    this.#logRequest(request, id, exchange, response, startedAt)
    return response
  }

  #exchange(
    request: Request,
    facts: DoorFacts,
    target: RequestTarget,
    kind: PathKind,
    id: string,
  ): LiveExchange | Response {
    const { sandboxes, limits, cors } = this.#parts
    const sandbox = target.sandboxId === null ? sandboxes.main : sandboxes.find(target.sandboxId)
    if (sandbox === undefined)
      return refused({ code: 'not_found', message: 'No sandbox found' }, kind)
    const shared = kind !== 'control' && kind !== 'page'
    if (request.method === 'OPTIONS' && shared && cors !== false) {
      return new Response(null, { status: 204, headers: preflightHeaders(cors, request.headers) })
    }
    const generation = sandbox.current.seenAt(request.url)
    const exchange = new Exchange(request, {
      id,
      sandbox: generation,
      kind,
      target,
      facts,
      ip: callerAddress(
        facts.peer,
        request.headers.get('x-forwarded-for'),
        generation.settings.trustProxy,
      ),
      bodyLimit: bodyLimit(kind, target.path, limits),
    })
    if (exchange.query.length <= limits.queryPairs) return exchange
    return refused({ code: 'bad_request', message: 'Too many query parameters' }, kind)
  }

  async #answer(exchange: LiveExchange, { peer }: DoorFacts): Promise<Response> {
    const { app, control, guarded } = this.#parts
    const { sandbox, kind } = exchange
    if (kind === 'control' || kind === 'page') {
      const admitted = guard(exchange, peer, guarded())
      if (!admitted.ok) {
        exchange.detail = admitted.failure.detail
        return respond(admitted, 403, kind)
      }
    }
    if (kind === 'control') return await control.fetch(exchange.request, { exchange })
    if (kind === 'page' && (await exchange.body()) === undefined) {
      return refused({ code: 'payload_too_large', message: 'Request body is too large' }, kind)
    }
    return sandbox.clock.hold(Promise.resolve(app.fetch(exchange.request, exchange)))
  }

  /**
   * The outermost catch. An unexpected error is a bug of the server: it is counted, and only the
   * log shows its stack.
   */
  #failed(error: unknown, kind: PathKind, id: string): Response {
    const failure = failureOf(error)
    if (failure.code === 'internal') {
      this.internalErrors++
      const stack = error instanceof Error ? error.stack : String(error)
      this.#parts.log?.({ level: 'error', msg: 'internalError', requestId: id, stack })
    }
    return refused(failure, kind)
  }

  #logRequest(
    request: Request,
    requestId: string,
    exchange: LiveExchange | undefined,
    response: Response | null,
    startedAt: number,
  ): void {
    this.#parts.log?.({
      level: 'info',
      msg: 'request',
      sandbox: exchange?.sandbox.id ?? null,
      requestId,
      operation: exchange?.operation ?? null,
      method: request.method,
      path:
        exchange === undefined ? null : cleanPath(exchange, exchange.sandbox.requestLog.redactor),
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

function refused(failure: Failure, kind: PathKind): Response {
  return respond({ ok: false, failure }, 500, kind)
}

/** @param last Whether the connection ends with this answer. */
function complete(
  { headers }: Response,
  request: Request,
  {
    kind,
    id,
    now,
    cors,
    last,
  }: { kind: PathKind; id: string; now: number; cors: CorsOption; last: boolean },
): void {
  headers.set('Date', new Date(now).toUTCString())
  headers.set('X-Request-Id', id)
  if (!headers.has('X-Content-Type-Options')) headers.set('X-Content-Type-Options', 'nosniff')
  if (last) headers.set('Connection', 'close')
  if (kind === 'control' || kind === 'page') return
  for (const [name, value] of Object.entries(corsHeaders(cors, request.headers.get('origin'))))
    headers.set(name, value)
}

function bodyLimit(kind: PathKind, path: string, limits: Limits): number {
  if (kind === 'rest') return limits.restBody
  if (kind === 'graphql') return limits.graphqlBody
  if (kind === 'control')
    return path === '/_control/snapshot' ? limits.snapshotBody : limits.controlBody
  return limits.oauthBody
}

/** The answer of a server that still loads or is closed. */
export function unavailable(
  request: Request,
  target: string,
  cors: CorsOption,
  now: number,
): Response {
  const read = readTarget(target)
  const kind = read.ok ? kindOf(read.value.path) : 'rest'
  const response = refused({ code: 'unavailable', message: 'Service unavailable' }, kind)
  complete(response, request, { kind, id: randomUUID(), now, cors, last: true })
  return response
}
