import { type Operation, type OperationId, operations } from '@buildwire/sdk/contract'
import { Hono } from 'hono'
import { accept, type Decision, refuse } from '../domain/decision.js'
import { failureAnswer } from '../http/failure.js'
import { ignoredNames } from '../http/query.js'
import { allowOf, honoPath } from '../http/target.js'
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
import type { CheckAnswer } from '../request/openapi.js'
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
 * The routes of all operations, `/openapi.json`, and the pages for all other paths. With
 * `--strict`, `check` compares each answer with the contract.
 */
export function createApp(check: CheckAnswer | undefined): Hono<AppEnvironment> {
  const handlers = createHandlers()
  const app = new Hono<AppEnvironment>({ getPath })
  // Errors go to the outermost catch, in `ServerCore`.
  app.onError(throwAgain)

  const methodsOf = new Map([['/openapi.json', ['GET']]])
  for (const id of Object.keys(operations) as OperationId[]) {
    const operation = operations[id]
    const documented = honoPath(operation.path)
    // As on real services, a log has a second path for browsers.
    const paths = id === 'jobs.log' ? [documented, `${documented}.html`] : [documented]
    for (const path of paths) {
      methodsOf.set(path, [...(methodsOf.get(path) ?? []), operation.method])
      app.on(operation.method, path, ({ req, env: exchange }) => {
        exchange.operation = id
        exchange.parameters = req.param() as Record<string, string>
        return through(exchange, () => runOperation(operation, handlers[id], exchange, check))
      })
    }
  }
  app.get('/openapi.json', ({ env: exchange }) =>
    through(exchange, async () => {
      const { openapiBytes } = await import('../request/openapi.js')
      return respond(accept({ json: openapiBytes(exchange.sandbox.urls) }), 200, exchange.kind)
    }),
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
      const pages = await loadPages()
      const page = await pages.fetch(request, env)
      // A program gets the JSON error of the API instead of a page.
      const wantsHtml = headers.get('accept')?.includes('text/html') === true
      return page.status === 404 && !wantsHtml ? noRoute(env) : page
    }),
  )
  return app
}

let loadedPages: Promise<Hono<AppEnvironment>> | undefined

/** The pages, which a server without readers never loads. */
function loadPages(): Promise<Hono<AppEnvironment>> {
  loadedPages ??= import('../pages/index.js').then(({ createPages }) =>
    createPages().onError(throwAgain),
  )
  return loadedPages
}

function throwAgain(error: Error): never {
  throw error
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

/** Checks credentials, rate limit, address and scope, in this order; then calls the handler. */
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
    // The reader of the query or body refused the request, which a test should hear of.
    const isMalformed = decision.failure.code === 'bad_request' || decision.failure.errors
    if (isMalformed) exchange.unexpected = true
  }
  if (check) {
    const answer: HandlerAnswer = decision.ok
      ? decision.value
      : failureAnswer(decision.failure, kind)
    check(operation.id, answer.status ?? operation.status, answer, sandbox.settings.dialect)
  }
  const headers = {
    ...operationHeaders(operation, exchange.caller),
    ...admitted.headers,
    ...(check && noteIgnored(operation.id, exchange)),
  }
  return respond(decision, operation.status, kind, headers)
}

/** Names the query parameters that were ignored, in the log and as headers of the answer. */
function noteIgnored(id: OperationId, exchange: LiveExchange): Readonly<Record<string, string>> {
  const names = ignoredNames(id, exchange.query)
  if (names.length === 0) return {}
  const listed = names.map((name) => encodeURIComponent(name)).join(', ')
  const shown = listed.slice(0, 500)
  exchange.detail ??= `ignored query parameters: ${shown}`
  return { 'X-Ignored-Parameters': shown }
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
  // The answer does not wait for this write. If it fails, the store becomes read-only and says so.
  sandbox.oauth.lastUsed.note(sandbox.store, caller.token, now).catch(() => undefined)
  return { decision: authorizeCallerScope(sandbox, caller, operation.scope), headers }
}

/** The organization in the path if it is one of the caller's, else the token's first one. */
function countedOrganization(
  { sandbox, parameters }: LiveExchange,
  { organizationIds }: Caller,
): string {
  const named = sandbox.store.state.find('organizationBySlug', parameters['org_slug'] ?? '')?.id
  const [first = ''] = organizationIds
  return named !== undefined && organizationIds.has(named) ? named : first
}
