import { type OperationId, operations } from '@buildwire/sdk/contract'
import { Hono } from 'hono'
import { accept, refuse } from '../domain/decision.js'
import { allowOf, honoPath } from '../http/hono-path.js'
import { createPages } from '../pages/index.js'
import type { PageBindings } from '../pages/page-context.js'
import { respond } from '../request/answer.js'
import { type CheckAnswer, openapiBytes } from '../request/openapi.js'
import type { LiveExchange } from '../sandbox/sandbox.js'
import { createHandlers } from './handlers.js'
import { runOperation } from './operation.js'

export interface AppBindings extends PageBindings {
  readonly exchange: LiveExchange
}
export type AppEnvironment = { Bindings: AppBindings }

/**
 * The routes: every row of the operation table, the document, and pages for the rest.
 *
 * @param check Holds an answer against the contract; absent outside tests and `--strict`.
 */
export function createApp(check: CheckAnswer | undefined): Hono<AppEnvironment> {
  const handlers = createHandlers()
  const pages = createPages()
  const app = new Hono<AppEnvironment>({ getPath: (_request, context) => (context as { env: AppBindings }).env.path })
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
      app.on(operation.method, path, ({ req, env: { exchange } }) => {
        exchange.operation = id
        exchange.parameters = req.param() as Record<string, string>
        return through(exchange, () => runOperation(operation, handlers[id], exchange, check))
      })
    }
  }
  app.get('/openapi.json', ({ env: { exchange } }) =>
    through(exchange, async () => respond(accept({ json: openapiBytes(exchange.sandbox.urls) }), 200, exchange.kind)),
  )
  for (const [path, methods] of methodsOf) {
    const headers = { Allow: allowOf(methods) }
    app.all(path, ({ env: { exchange } }) =>
      through(exchange, async () => {
        exchange.unexpected = true
        return respond(refuse('method_not_allowed', 'Method not allowed', { headers }), 405, exchange.kind)
      }),
    )
  }
  for (const path of ['/v2', '/v2/*']) {
    app.all(path, ({ env: { exchange } }) => through(exchange, async () => noRoute(exchange)))
  }
  app.all('*', ({ env }) =>
    through(env.exchange, async () => {
      const { request, headers } = env.exchange
      const page = await pages.fetch(request, env)
      // A program that lost its way is told so in its own words.
      const wantsHtml = headers.get('accept')?.includes('text/html') === true
      return page.status === 404 && !wantsHtml ? noRoute(env.exchange) : page
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
