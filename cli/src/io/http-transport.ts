import type { Transport } from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'
import { errorCode } from './error-code.js'

type Environment = Readonly<Record<string, string | undefined>>

/** How requests travel: over Node's own HTTP, or through a proxy by an undici dispatcher. */
export type Route =
  | { readonly transport: Transport; readonly dispatcher?: undefined }
  | { readonly dispatcher: import('undici').Dispatcher; readonly transport?: undefined }

/** The variable that names the proxy for a URL's scheme, lower case first; null when none is set. */
export function proxyVariable(url: string, env: Environment): string | null {
  const scheme = new URL(url).protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const names = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY']
  return names.find((name) => env[name] !== undefined && env[name] !== '') ?? null
}

/** Chooses the route; undici is loaded only when a proxy is set. */
export async function chooseRoute(url: string, env: Environment): Promise<Route> {
  const name = proxyVariable(url, env)
  if (name === null) return { transport: nodeTransport() }
  const proxy = env[name] ?? ''
  const { EnvHttpProxyAgent, Pool } = await import('undici')
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? ''
  const clientFactory = (origin: URL, options: object) => withFinalConnect(new Pool(origin, options))
  return { dispatcher: new EnvHttpProxyAgent({ httpProxy: proxy, httpsProxy: proxy, noProxy, clientFactory }) }
}

/**
 * A proxy that drops a CONNECT does not lead to the host. undici takes its own word for that, UND_ERR_SOCKET, as a reason
 * to connect again at once and for ever, so the error gets the system's word.
 */
function withFinalConnect(pool: import('undici').Pool): import('undici').Dispatcher {
  const connect = pool.connect.bind(pool) as (options: unknown) => Promise<unknown>
  const failing = (options: unknown) =>
    connect(options).catch((cause: unknown) => {
      if (errorCode(cause) !== 'UND_ERR_SOCKET') throw cause
      throw Object.assign(new Error('the proxy closed the connection', { cause }), { code: 'EHOSTUNREACH' })
    })
  return Object.assign(pool, { connect: failing })
}
