import type { Control } from '@buildwire/mock-server'
import { controlRoutes } from '../../mock-server/src/control/control-routes.js'
import type { Target } from './target.js'

type Params = Readonly<Record<string, unknown>>
interface Route {
  readonly method: string
  readonly path: string
}

/** An object on which every path of names is a function that returns the path. */
function callable(tell: (path: string, argument: unknown) => unknown, path = ''): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) =>
      name === 'then'
        ? undefined
        : callable(tell, path === '' ? String(name) : `${path}.${String(name)}`),
    apply: (_, _this, [argument]) => tell(path, argument),
  })
}

/**
 * The route of each call of the control API, read from the server's own table, so that both agree.
 */
function routesByCall(): ReadonlyMap<string, readonly Route[]> {
  const routes = new Map<string, Route[]>()
  for (const { call, method, path } of controlRoutes) {
    const recorder = callable((name) => {
      routes.set(name, [...(routes.get(name) ?? []), { method, path }])
    })
    void call(recorder as Control)({} as never)
  }
  return routes
}

/** The control API over HTTP, with the same calls as in process. */
export function remoteControl(url: string, token: string, send: Target['send']): Control {
  const routes = routesByCall()
  return callable(async (name, argument) => {
    const params: Record<string, unknown> = { ...(argument as Params | undefined) }
    const route = routes
      .get(name)
      ?.find(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].every(([, key = '']) => key in params))
    if (route === undefined)
      throw new TypeError(`control.${name} is no call of the control API with these parameters`)
    const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = encodeURIComponent(String(params[key]))
      delete params[key]
      return value
    })
    const query =
      route.method === 'GET' ? `?${new URLSearchParams(params as Record<string, string>)}` : ''
    const response = await send(`${url}${path}${query}`, {
      method: route.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(route.method !== 'GET' && { body: JSON.stringify(params) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`control.${name}: ${response.status} ${text.slice(0, 300)}`)
    return text === '' ? undefined : JSON.parse(text)
  }) as Control
}
