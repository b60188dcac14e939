import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { Control } from '../control/control.js'
import { controlRoutes } from '../control/control-routes.js'
import { asControlError, ControlError, granted, notFound } from '../control/host.js'
import { accept } from '../domain/decision.js'
import { isPlainObject } from '../fields/field.js'
import { readJsonValue, unencoded } from '../http/body.js'
import { allowOf, honoPath } from '../http/target.js'
import { respond } from '../request/answer.js'
import type { LiveExchange } from '../sandbox/sandbox.js'

export interface ControlDoor {
  readonly token: () => string
  readonly controlOf: (exchange: LiveExchange) => Control
}

type ControlEnvironment = { Bindings: { readonly exchange: LiveExchange } }

const prefix = '/_control'

function pathOf(bindings: unknown): string {
  return (bindings as ControlEnvironment['Bindings']).exchange.path.slice(prefix.length) || '/'
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/**
 * Whether exactly one bearer token was sent and it is the control token; takes equal time for every
 * wrong one.
 */
function holdsToken(authorization: readonly string[], token: string): boolean {
  const [header = '', ...more] = authorization
  const presented = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
  return timingSafeEqual(sha256(presented), sha256(token)) && presented !== '' && more.length === 0
}

async function readBody(exchange: LiveExchange): Promise<unknown> {
  const bytes = await exchange.body()
  if (!bytes) throw new ControlError('too_large', 'Request body is too large')
  granted(unencoded(exchange.headers))
  return bytes.byteLength === 0 ? {} : granted(readJsonValue(bytes))
}

function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return respond(accept(status === 204 ? { headers } : { body, headers }), status, 'control')
}

function refusal({ status, body, headers }: ControlError): Response {
  return answer(status, body, {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="control"' }),
    ...(status === 503 && { 'Retry-After': '5' }),
    ...headers,
  })
}

const open = new Set(controlRoutes.flatMap((route) => (route.open ? [route.path] : [])))

/** The control API over HTTP: every row of the table. Peer, Host and Origin were checked before. */
export function createControlApp({ token, controlOf }: ControlDoor): Hono<ControlEnvironment> {
  const app = new Hono<ControlEnvironment>({ getPath: (_, context) => pathOf(context?.env) })
  app.onError((error) => {
    const refused = asControlError(error)
    if (!refused) throw error
    return refusal(refused)
  })
  app.use(async ({ env }, next) => {
    if (!open.has(pathOf(env)) && !holdsToken(env.exchange.authorization, token())) {
      throw new ControlError('unauthorized', 'The control token is missing or wrong')
    }
    await next()
  })
  for (const { method, path, status, call, whole, root } of controlRoutes) {
    app.on(method, honoPath(path), async ({ req, env: { exchange } }) => {
      if (root && exchange.sandbox.id !== 'main') notFound('route')
      const body = method === 'GET' ? {} : await readBody(exchange)
      const given = {
        ...Object.fromEntries(exchange.query),
        ...(isPlainObject(body) ? body : {}),
        ...req.param(),
      }
      return answer(status, await call(controlOf(exchange))((whole ? body : given) as never))
    })
  }
  for (const { path, root } of controlRoutes) {
    const allow = allowOf(
      controlRoutes.flatMap((route) => (route.path === path ? [route.method] : [])),
    )
    app.all(honoPath(path), ({ env: { exchange } }) => {
      if (root && exchange.sandbox.id !== 'main') notFound('route')
      throw new ControlError('method_not_allowed', 'Method not allowed', {
        headers: { Allow: allow },
      })
    })
  }
  app.notFound(() => notFound('route'))
  return app
}
