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

interface ControlAppOptions {
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
 * Whether the request has exactly one bearer token and it is the control token. The comparison
 * takes the same time for every wrong token.
 */
function holdsToken(authorization: readonly string[], token: string): boolean {
  const [header = '', ...more] = authorization
  const presented = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
  const isEqual = timingSafeEqual(sha256(presented), sha256(token))
  return isEqual && presented !== '' && more.length === 0
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

/** The control API over HTTP: all of `controlRoutes`. Peer, Host and Origin are checked before. */
export function createControlApp({
  token,
  controlOf,
}: ControlAppOptions): Hono<ControlEnvironment> {
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
      const members = isPlainObject(body) ? body : {}
      const flat = { ...Object.fromEntries(exchange.query), ...members, ...req.param() }
      const params = (whole ? body : flat) as never
      return answer(status, await call(controlOf(exchange))(params))
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
