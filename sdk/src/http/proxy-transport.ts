import { BlockList, isIP } from 'node:net'
import type { Pool } from 'undici'
import { codeOf } from '../errors/redact.js'
import { loadUndici, undiciRefused } from '../transport/load-undici.js'
import { nodeTransport } from '../transport/node-transport.js'
import type { ClosableTransport } from '../transport/transport.js'
import { undiciTransport } from '../transport/undici-transport.js'
import { isLoopback } from './service-url.js'

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A proxy, and the variable that names it. */
export interface NamedProxy {
  readonly url: string
  readonly variable: string
}

/**
 * The proxy that variables name for a URL, read as curl reads them: `https_proxy` or `http_proxy`,
 * then `all_proxy`, each in capitals too, unless `no_proxy` lists the host, a domain above it, its
 * network (`10.0.0.0/8`) or `*`. Null for none, and always for this machine itself.
 *
 * @example
 * ```ts
 * import { proxyFor } from '@buildwire/sdk/node-http'
 * console.log(proxyFor('https://api.ci.example', { https_proxy: 'http://proxy.example:3128', no_proxy: '::1, .corp.example' }))
 * ```
 */
export function proxyFor(url: string, env: Environment): NamedProxy | null {
  const { protocol, hostname, port } = new URL(url)
  const scheme = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const variable = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY'].find(
    (name) => (env[name] ?? '') !== '',
  )
  if (variable === undefined || isLoopback(hostname)) return null
  const host = hostname.replace(/^\[|\]$/g, '')
  const entries = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').toLowerCase().split(/[\s,]+/)
  if (
    entries.some((entry) => isListed(host, port || (protocol === 'https:' ? '443' : '80'), entry))
  )
    return null
  const text = env[variable] ?? ''
  return { url: /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`, variable }
}

function isListed(host: string, port: string, entry: string): boolean {
  if (entry === '*') return true
  const [, bracketed, plain, ofPort = port] =
    /^(?:\[([^[\]]+)\]|([^:]*|[^:]*(?::[^:]*){2,}?))(?::(\d+))?$/.exec(entry) ?? []
  const name = (bracketed ?? plain ?? '').replace(/^\*?\.|\.$/g, '')
  if (name === '' || ofPort !== port) return false
  const [address = '', bits] = name.split('/')
  if (isIP(address) === 0 || isIP(host) === 0) return host === name || host.endsWith(`.${name}`)
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  const length = Number(bits ?? (family === 'ipv4' ? 32 : 128))
  if (!Number.isInteger(length) || length < 0 || length > (family === 'ipv4' ? 32 : 128))
    return false
  const list = new BlockList()
  list.addSubnet(address, length, family)
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6')
}

/**
 * A transport that sends each request by the proxy that {@link proxyFor} names for it, or straight.
 * undici is loaded for a proxied request alone.
 *
 * @example
 * ```ts
 * import { CiClient } from '@buildwire/sdk'
 * import { proxyTransport } from '@buildwire/sdk/node-http'
 *
 * const ci = new CiClient({ baseUrl: 'https://api.ci.example', auth: token, transport: proxyTransport(process.env) })
 * ```
 */
export function proxyTransport(env: Environment): ClosableTransport {
  const direct = nodeTransport()
  const byProxy = new Map<string, Promise<ClosableTransport>>()
  return Object.assign(
    async (...[request, control]: Parameters<ClosableTransport>) => {
      const proxy = proxyFor(request.url, env)
      if (proxy === null) return direct(request, control)
      const opened = byProxy.get(proxy.url) ?? open(proxy.url)
      byProxy.set(proxy.url, opened)
      return (await opened)(request, control)
    },
    {
      close: async () => {
        await Promise.all([
          direct.close(),
          ...[...byProxy.values()].map(async (opened) => (await opened).close()),
        ])
      },
    },
  )
}

async function open(uri: string): Promise<ClosableTransport> {
  const { Pool, ProxyAgent } = await loadUndici().catch((error: unknown) => {
    throw undiciRefused(error)
  })
  const clientFactory = (origin: URL, options: object): Pool =>
    withFinalConnect(new Pool(origin, options))
  const dispatcher = new ProxyAgent({ uri, clientFactory })
  return Object.assign(undiciTransport({ dispatcher }), { close: () => dispatcher.close() })
}

/**
 * A dropped CONNECT leads nowhere, but undici takes its own UND_ERR_SOCKET as a reason to connect
 * for ever: it gets another word.
 */
function withFinalConnect(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as (options: unknown) => Promise<unknown>
  const failing = async (options: unknown): Promise<unknown> => {
    try {
      return await connect(options)
    } catch (cause) {
      if (codeOf(cause) !== 'UND_ERR_SOCKET') throw cause
      throw Object.assign(new Error('the proxy closed the connection', { cause }), {
        code: 'EHOSTUNREACH',
      })
    }
  }
  return Object.assign(pool, { connect: failing })
}
