import type { Transport } from '@buildwire/sdk'
import { nodeTransport } from '@buildwire/sdk/node-http'

type Environment = Readonly<Record<string, string | undefined>>

/** How requests travel: over Node's own HTTP, or through a proxy by an undici dispatcher. */
export type Route =
  | { readonly transport: Transport; readonly dispatcher?: undefined }
  | { readonly dispatcher: import('undici').Dispatcher; readonly transport?: undefined }

/** The proxy for a URL's scheme by the usual variables, lower case first; undefined when none is set. */
function proxyFor(url: string, env: Environment): string | undefined {
  const scheme = new URL(url).protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const names = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY']
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '')
}

/** Chooses the route; undici is loaded only when a proxy is set. */
export async function chooseRoute(url: string, env: Environment): Promise<Route> {
  const proxy = proxyFor(url, env)
  if (proxy === undefined) return { transport: nodeTransport() }
  const { EnvHttpProxyAgent } = await import('undici')
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? ''
  return { dispatcher: new EnvHttpProxyAgent({ httpProxy: proxy, httpsProxy: proxy, noProxy }) }
}
