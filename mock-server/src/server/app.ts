import { type OperationId, operations } from '@buildwire/sdk/contract'
import { Hono } from 'hono'
import { refuse } from '../domain/decision.js'
import type { FailureShape } from '../http/failure.js'
import { allowOf, honoPath } from '../http/hono-path.js'
import type { PageBindings, PageEnvironment } from '../pages/page-context.js'
import { respond } from '../request/answer.js'
import type { Handlers } from '../request/context.js'
import type { LiveExchange } from '../sandbox/sandbox.js'
import { type OperationOptions, runOperation, shapeOf } from './operation.js'

/** What every route gets from outside. */
export interface AppBindings extends PageBindings {
  readonly exchange: LiveExchange
}
export type AppEnvironment = { Bindings: AppBindings }

export interface AppParts {
  readonly handlers: Handlers
  readonly pages: Hono<PageEnvironment>
  readonly document: (exchange: LiveExchange) => Uint8Array
  readonly options: OperationOptions
}

/** The routes: every row of the operation table, the document, and pages for the rest. */
export function createApp({ handlers, pages, document, options }: AppParts): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>({ getPath: (_request, context) => pathOf(context?.env) })
  // What is thrown here belongs to the outermost catch.
  for (const part of [app, pages]) {
    part.onError((error) => {
      throw error
    })
  }

  const methodsOf = new Map<string, { readonly methods: string[]; readonly shape: FailureShape }>()
  for (const id of Object.keys(operations) as OperationId[]) {
    const operation = operations[id]
    const own = honoPath(operation.path)
    // A log has a name for browsers too, as services have it.
    for (const path of id === 'jobs.log' ? [own, `${own}.html`] : [own]) {
      const known = methodsOf.get(path) ?? { methods: [], shape: shapeOf(operation) }
      known.methods.push(operation.method)
      methodsOf.set(path, known)
      app.on(operation.method, path, (c) => {
        const { exchange } = c.env
        const parameters = c.req.param() as Record<string, string>
        exchange.operation = id
        exchange.parameters = parameters
        return through(exchange, () => runOperation(operation, handlers[id], parameters, exchange, options))
      })
    }
  }
  methodsOf.set('/openapi.json', { methods: ['GET'], shape: 'rest' })
  app.get('/openapi.json', ({ env: { exchange } }) =>
    through(exchange, async () => respond({ ok: true, value: { json: document(exchange) } }, 200, 'rest', {})),
  )
  for (const [path, { methods, shape }] of methodsOf) {
    const allow = allowOf(methods)
    app.all(path, ({ env: { exchange } }) => through(exchange, async () => methodNotAllowed(exchange, shape, allow)))
  }
  for (const path of ['/v2', '/v2/*']) {
    app.all(path, ({ env: { exchange } }) => through(exchange, async () => noRoute(exchange)))
  }
  app.all('*', (c) =>
    through(c.env.exchange, async () => {
      const { exchange } = c.env
      const page = await pages.fetch(exchange.request, c.env)
      // A program that lost its way is told so in its own words.
      const wantsHtml = exchange.headers.get('accept')?.includes('text/html') === true
      return page.status === 404 && !wantsHtml ? noRoute(exchange) : page
    }),
  )
  return app
}

const pathOf = (bindings: unknown): string => (bindings as AppBindings).path

const through = (exchange: LiveExchange, real: () => Promise<Response>): Promise<Response> =>
  exchange.sandbox.overlay.answer(exchange, real)

function methodNotAllowed(exchange: LiveExchange, shape: FailureShape, allow: string): Response {
  exchange.unexpected = true
  return respond(refuse('method_not_allowed', 'Method not allowed', { headers: { Allow: allow } }), 405, shape, {})
}

function noRoute(exchange: LiveExchange): Response {
  exchange.unexpected = true
  const shown = exchange.path
    .slice(1)
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 200)
  return respond(refuse('not_found', `No route matches ${shown}`), 404, 'rest', {})
}
