import { type OperationId, operations } from '@buildwire/sdk/contract'
import { Hono } from 'hono'
import { accept, refuse } from '../domain/decision.js'
import { allowOf, honoPath } from '../http/target.js'
import { createPages } from '../pages/index.js'
import { type AppEnvironment, getPath } from '../pages/page-context.js'
import { respond } from '../request/answer.js'
import type { Handlers } from '../request/exchange.js'
import { type CheckAnswer, openapiBytes } from '../request/openapi.js'
import { accessTokenHandlers } from '../routes/access-token.js'
import { attachmentHandlers } from '../routes/attachments.js'
import { buildReadHandlers } from '../routes/builds.js'
import { buildWriteHandlers } from '../routes/builds-write.js'
import { graphqlHandlers } from '../routes/graphql.js'
import { jobHandlers } from '../routes/jobs.js'
import { oauthHandlers } from '../routes/oauth.js'
import { organizationHandlers } from '../routes/organizations.js'
import { testHandlers } from '../routes/tests.js'
import type { LiveExchange } from '../sandbox/sandbox.js'
import { runOperation } from './operation.js'

/**
 * The routes: every row of the operation table, the document, and pages for the rest.
 *
 * @param check Holds an answer against the contract; absent outside tests and `--strict`.
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
    through(exchange, async () => respond(accept({ json: openapiBytes(exchange.sandbox.urls) }), 200, exchange.kind)),
  )
  for (const [path, methods] of methodsOf) {
    const headers = { Allow: allowOf(methods) }
    app.all(path, ({ env: exchange }) =>
      through(exchange, async () => {
        exchange.unexpected = true
        return respond(refuse('method_not_allowed', 'Method not allowed', { headers }), 405, exchange.kind)
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

const through = (exchange: LiveExchange, real: () => Promise<Response>): Promise<Response> =>
  exchange.sandbox.overlay.answer(exchange, real)

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
    ...buildReadHandlers,
    ...buildWriteHandlers,
    ...testHandlers,
    ...jobHandlers,
    ...attachmentHandlers,
    ...accessTokenHandlers,
    ...organizationHandlers,
  }
  return { ...rest, ...oauthHandlers, ...graphqlHandlers(rest) }
}
