import { type Operation, type OperationId, operations } from '@buildwire/sdk/contract'
import { Hono } from 'hono'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { failureAnswer } from '../http/failure.js'
import { allowOf, honoPath } from '../http/target.js'
import { createPages } from '../pages/index.js'
import { type AppEnvironment, getPath } from '../pages/page-context.js'
import {
  authenticateBearer,
  authorizeCallerAddress,
  authorizeCallerScope,
  countRequest,
} from '../request/admission.js'
import { operationHeaders, respond } from '../request/answer.js'
import type {
  Caller,
  HandlerAnswer,
  Handlers,
  RequestContext,
  RequestHandler,
} from '../request/exchange.js'
import { type CheckAnswer, openapiBytes } from '../request/openapi.js'
import { accessTokenHandlers } from '../routes/access-token.js'
import { annotationHandlers } from '../routes/annotations.js'
import { artifactHandlers } from '../routes/artifacts.js'
import { buildHandlers } from '../routes/builds.js'
import { graphqlHandlers } from '../routes/graphql.js'
import { jobHandlers } from '../routes/jobs.js'
import { oauthHandlers } from '../routes/oauth.js'
import { organizationHandlers } from '../routes/organizations.js'
import { pipelineHandlers } from '../routes/pipelines.js'
import { testHandlers } from '../routes/tests.js'
import { userHandlers } from '../routes/user.js'
import type { LiveExchange } from '../sandbox/sandbox.js'

/**
 * Every row of the operation table, the document, and pages for the rest; `check` is that of
 * `--strict`.
 */
export function createApp(check: CheckAnswer | undefined): Hono<AppEnvironment> {
  const handlers = createHandlers()
  const pages = createPages()
  const app = new Hono<AppEnvironment>({ getPath })
  // What is thrown here belongs to the outermost catch.
  for (const part of [app, pages]) {
    part.onError((error) => {
      throw error
    })
  }

  const methodsOf = new Map([['/openapi.json', ['GET']]])
  for (const id of Object.keys(operations) as OperationId[]) {
    const operation = operations[id]
    const own = honoPath(operation.path)
    // A log has a name for browsers too, as services have it.
    for (const path of id === 'jobs.log' ? [own, `${own}.html`] : [own]) {
      methodsOf.set(path, [...(methodsOf.get(path) ?? []), operation.method])
      app.on(operation.method, path, ({ req, env: exchange }) => {
        exchange.operation = id
        exchange.parameters = req.param() as Record<string, string>
        return through(exchange, () => runOperation(operation, handlers[id], exchange, check))
      })
    }
  }
  app.get('/openapi.json', ({ env: exchange }) =>
    through(exchange, async () =>
      respond(accept({ json: openapiBytes(exchange.sandbox.urls) }), 200, exchange.kind),
    ),
  )
  for (const [path, methods] of methodsOf) {
    const headers = { Allow: allowOf(methods) }
    app.all(path, ({ env: exchange }) =>
      through(exchange, async () => {
        exchange.unexpected = true
        return respond(
          refuse('method_not_allowed', 'Method not allowed', { headers }),
          405,
          exchange.kind,
        )
      }),
    )
  }
  for (const path of ['/v2', '/v2/*']) {
    app.all(path, ({ env: exchange }) => through(exchange, async () => noRoute(exchange)))
  }
  app.all('*', ({ env }) =>
    through(env, async () => {
      const { request, headers } = env
      const page = await pages.fetch(request, env)
      // A program that lost its way is told so in its own words.
      const wantsHtml = headers.get('accept')?.includes('text/html') === true
      return page.status === 404 && !wantsHtml ? noRoute(env) : page
    }),
  )
  return app
}

function through(exchange: LiveExchange, real: () => Promise<Response>): Promise<Response> {
  return exchange.sandbox.overlay.answer(exchange, real)
}

function noRoute(exchange: LiveExchange): Response {
  exchange.unexpected = true
  const shown = exchange.path
    .slice(1)
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 200)
  return respond(refuse('not_found', `No route matches ${shown}`), 404, exchange.kind)
}

function createHandlers(): Handlers {
  const rest = {
    ...accessTokenHandlers,
    ...annotationHandlers,
    ...artifactHandlers,
    ...buildHandlers,
    ...jobHandlers,
    ...organizationHandlers,
    ...pipelineHandlers,
    ...testHandlers,
    ...userHandlers,
  }
  return { ...rest, ...oauthHandlers, ...graphqlHandlers(rest) }
}

/**
 * Answers one operation: credentials, rate limit, address, scope, in this order; what follows is
 * the handler's.
 */
async function runOperation(
  operation: Operation,
  handler: RequestHandler,
  exchange: LiveExchange,
  check: CheckAnswer | undefined,
): Promise<Response> {
  const { kind, sandbox } = exchange
  const admitted =
    operation.server === 'auth' ? { decision: accept(null) } : admit(operation, exchange)
  const decision = admitted.decision.ok
    ? await handler(exchange as RequestContext)
    : admitted.decision
  if (!decision.ok) {
    exchange.detail ??= decision.failure.detail
    // Refused by its query or body reader: a test that sends such a request should know.
    if (decision.failure.code === 'bad_request' || decision.failure.errors)
      exchange.unexpected = true
  }
  if (check) {
    const answer: HandlerAnswer = decision.ok
      ? decision.value
      : failureAnswer(decision.failure, kind)
    check(operation.id, answer.status ?? operation.status, answer, sandbox.settings.dialect)
  }
  const headers = { ...operationHeaders(operation, exchange.caller), ...admitted.headers }
  return respond(decision, operation.status, kind, headers)
}

function admit(
  operation: Operation,
  exchange: LiveExchange,
): {
  readonly decision: Decision<unknown>
  readonly headers?: Readonly<Record<string, string>> | undefined
} {
  const { sandbox, now, ip } = exchange
  const read = authenticateBearer(exchange)
  if (!read.ok) return { decision: read }
  const caller = read.value
  exchange.caller = caller
  const organization = countedOrganization(exchange, caller)
  const { headers, failure } = countRequest(sandbox, caller, organization, now)
  if (failure) return { decision: { ok: false, failure }, headers }
  const address = authorizeCallerAddress(caller, ip)
  if (!address.ok) return { decision: address, headers }
  // A use that cannot be stored turns the store read-only, which is told; the answer does not wait
  // for it.
  sandbox.oauth.lastUsed.note(sandbox.store, caller.token, now).catch(() => undefined)
  return { decision: authorizeCallerScope(sandbox, caller, operation.scope), headers }
}

/** The organization in the path where it is one of the caller's, else the token's first. */
function countedOrganization(
  { sandbox, parameters }: LiveExchange,
  { organizationIds }: Caller,
): string {
  const named = sandbox.store.state.find('organizationBySlug', parameters['org_slug'] ?? '')?.id
  const [first = ''] = organizationIds
  return named !== undefined && organizationIds.has(named) ? named : first
}
