import { accept, type Decision, refuse } from '../domain/decision.js'
import { addressIn } from '../http/address.js'
import type { Exchange, Urls } from './exchange.js'

const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** A URL in normal form: lower case, without default port and trailing slash. */
function canonical(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/(?<!\/)\/+$/, '')
}

/** The normalized host of a name, with the port of the URL unless the name has a port. */
function hostOf(name: string, { protocol, port }: URL): string {
  const url = new URL(`${protocol}//${name}`)
  if (!/:\d+$/.test(name)) url.port = port
  return url.host
}

function movedTo(host: string, own: URL, url: string): string {
  const { origin, protocol, pathname } = new URL(url)
  return origin === own.origin ? canonical(`${protocol}//${host}${pathname}`) : url
}

export function urlsOfSandbox(urls: Urls, id: string): Urls {
  if (id === 'main') return urls
  const { baseUrl, authUrl, webUrl } = urls
  return {
    baseUrl: `${baseUrl}/s/${id}`,
    authUrl: `${authUrl}/s/${id}`,
    webUrl: `${webUrl}/s/${id}`,
  }
}

/**
 * The public URLs of the server, also under the loopback names and the hosts of its options. A
 * request cannot add a host.
 */
export class Authority {
  readonly urls: Urls
  readonly #byHost: ReadonlyMap<string, Urls>

  /** @param origin The address of the listener, the default of each URL. */
  constructor(
    given: { readonly [K in keyof Urls]?: Urls[K] | undefined },
    origin: string,
    allowHosts: readonly string[] = [],
  ) {
    const { baseUrl = origin, authUrl = origin, webUrl = origin } = given
    const urls = {
      baseUrl: canonical(baseUrl),
      authUrl: canonical(authUrl),
      webUrl: canonical(webUrl),
    }
    const own = new URL(urls.baseUrl)
    const aliases = [...(loopbackHosts.includes(own.hostname) ? loopbackHosts : []), ...allowHosts]
    const at = (host: string): Urls => ({
      baseUrl: movedTo(host, own, urls.baseUrl),
      authUrl: movedTo(host, own, urls.authUrl),
      webUrl: movedTo(host, own, urls.webUrl),
    })
    this.urls = urls
    this.#byHost = new Map([
      ...aliases.map((name) => hostOf(name, own)).map((host) => [host, at(host)] as const),
      [own.host, urls],
    ])
  }

  get all(): readonly Urls[] {
    return [...this.#byHost.values()]
  }

  get hostnames(): readonly string[] {
    return this.#flat.map((url) => new URL(url).hostname)
  }

  /** The URLs for a client that requested this URL: with the same host, if it is one of ours. */
  at(url: string): Urls {
    const [, host = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? []
    const urls = this.#byHost.get(host)
    if (urls !== undefined) return urls
    return (URL.canParse(url) && this.#byHost.get(new URL(url).host)) || this.urls
  }

  owns(origin: string): boolean {
    return this.#flat.some((url) => new URL(url).origin === origin)
  }

  /**
   * Removes the path of a public URL from the start of a URL. In process there is no proxy that
   * does this.
   */
  withoutPrefix(url: string): string {
    const startsAt = (publicUrl: string): boolean =>
      url.startsWith(publicUrl) && /^(?:[/?#]|$)/.test(url.slice(publicUrl.length))
    const [prefix] = this.#flat
      .filter((publicUrl) => publicUrl !== new URL(publicUrl).origin && startsAt(publicUrl))
      .sort((a, b) => b.length - a.length)
    return prefix === undefined ? url : `/${url.slice(prefix.length).replace(/^\//, '')}`
  }

  get #flat(): readonly string[] {
    return this.all.flatMap(({ baseUrl, authUrl, webUrl }) => [baseUrl, authUrl, webUrl])
  }
}

const loopback = ['127.0.0.0/8', '::1']
const loopbackNames = [...loopbackHosts, 'mock.localhost']

export interface GuardOptions {
  readonly hosts: readonly string[]
  /** Other machines are admitted; they need the control token. */
  readonly remote: boolean
}

function forbid(detail: string) {
  return refuse('forbidden', 'Forbidden', { detail })
}

/**
 * The host in the URL of a request without a host (HTTP/1.0). It is never a name of this server.
 */
export const unnamedHost = 'unnamed.invalid'

function isUnnamedHealthCheck({ path, request, headers }: Exchange): boolean {
  const isUnnamed = new URL(request.url).host === unnamedHost && !headers.get('host')
  return isUnnamed && /^\/_control\/health\/(?:live|ready)$/.test(path)
}

/**
 * Protects pages and control API against DNS rebinding: they are only for this machine, under known
 * host names. `peer` is the address of the socket.
 */
export function guard(exchange: Exchange, peer: string, options: GuardOptions): Decision<null> {
  const { kind, request, headers } = exchange
  const isOwn = (name: string) => loopbackNames.includes(name) || options.hosts.includes(name)
  if (!options.remote && !addressIn(loopback, peer)) return forbid('foreign_peer')
  if (isUnnamedHealthCheck(exchange)) return accept(null)
  // The host of a target in absolute form takes precedence over the header (RFC 9112 §3.2.2), so
  // both are checked.
  const { host } = new URL(request.url)
  const hosts = [host, headers.get('host') ?? host].map((name) =>
    name.toLowerCase().replace(/:\d+$/, ''),
  )
  if (!hosts.every(isOwn)) return forbid('foreign_host')
  if (kind === 'page') return accept(null)
  const origin = headers.get('origin')
  if (origin !== null && !(URL.canParse(origin) && isOwn(new URL(origin).hostname)))
    return forbid('foreign_origin')
  return headers.get('sec-fetch-site') === 'cross-site' ? forbid('cross_site') : accept(null)
}
