import { createHash, timingSafeEqual } from 'node:crypto'
import type { Control } from '../control/control.js'
import { asControlError, ControlError, fromFailure, notFound } from '../control/control-error.js'
import { type ControlRoute, controlRoutes } from '../control/control-routes.js'
import { isPlainObject } from '../fields/field.js'
import { readJsonValue } from '../http/body.js'
import type { LiveExchange } from '../request/live-exchange.js'

export interface ControlDoor {
  readonly token: () => string
  /** The control API of the sandbox that a request came to. */
  readonly controlOf: (exchange: LiveExchange) => Control
}

const prefix = '/_control'

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()

/** Whether exactly one bearer token was sent and it is the control token; takes equal time for every wrong one. */
const holdsToken = (authorization: readonly string[], token: string): boolean => {
  const [header = '', ...more] = authorization
  const presented = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
  return timingSafeEqual(sha256(presented), sha256(token)) && presented !== '' && more.length === 0
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ControlError('bad_request', 'Bad request')
  }
}

/** Path parameters when the path is the route's; undefined when it is another. */
const matchPath = (template: string, path: string): Readonly<Record<string, string>> | undefined => {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const parameters: [string, string][] = []
  for (const [n, part] of wanted.entries()) {
    const segment = given[n] ?? ''
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined
    } else {
      if (segment === '') return undefined
      parameters.push([part.slice(1, -1), decode(segment)])
    }
  }
  return Object.fromEntries(parameters)
}

interface Found {
  readonly route: ControlRoute
  readonly parameters: Readonly<Record<string, string>>
}

const findRoute = (method: string, path: string, isRoot: boolean): Found => {
  const routes = controlRoutes.flatMap((route): readonly Found[] => {
    const parameters = route.root && !isRoot ? undefined : matchPath(route.path, path)
    return parameters ? [{ route, parameters }] : []
  })
  if (routes.length === 0) throw notFound('route')
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = routes.find(({ route }) => route.method === wanted)
  if (found) return found
  const allow = routes.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ')
  throw new ControlError('method_not_allowed', 'Method not allowed', { headers: { Allow: allow } })
}

const readBody = async (exchange: LiveExchange): Promise<unknown> => {
  const encoding = exchange.headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  const bytes = await exchange.body()
  if (!bytes) throw new ControlError('too_large', 'Request body is too large')
  if (encoding !== '' && encoding !== 'identity') {
    throw new ControlError('unsupported', 'Content-Encoding is not supported')
  }
  if (bytes.byteLength === 0) return {}
  const parsed = readJsonValue(bytes)
  if (!parsed.ok) throw fromFailure(parsed.failure)
  return parsed.value
}

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: {
      ...(status !== 204 && { 'Content-Type': 'application/json; charset=utf-8' }),
      'Cache-Control': 'no-store',
      ...headers,
    },
  })

const refusal = (error: ControlError): Response => {
  const challenge = error.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="control"' } : {}
  const retry = error.status === 503 ? { 'Retry-After': '5' } : {}
  return json(error.status, error.body, { ...challenge, ...retry, ...error.headers })
}

const answer = async (exchange: LiveExchange, { token, controlOf }: ControlDoor): Promise<Response> => {
  const path = exchange.path.slice(prefix.length)
  const isOpen = controlRoutes.some((route) => route.open && route.path === path)
  if (!isOpen && !holdsToken(exchange.authorization, token())) {
    throw new ControlError('unauthorized', 'The control token is missing or wrong')
  }
  const { route, parameters } = findRoute(exchange.method, path, exchange.sandbox.id === 'main')
  const body = route.method === 'GET' ? {} : await readBody(exchange)
  const params = { ...Object.fromEntries(exchange.query), ...(isPlainObject(body) ? body : {}), ...parameters }
  return json(route.status, await route.call(controlOf(exchange), { params, body }))
}

/** The control API over HTTP. Peer, Host and Origin were checked before. */
export const createControlDoor = (door: ControlDoor) => ({
  async fetch(exchange: LiveExchange): Promise<Response> {
    try {
      return await answer(exchange, door)
    } catch (error) {
      const refused = asControlError(error)
      if (!refused) throw error
      return refusal(refused)
    }
  },
})
