import { accept, type Decision, refuse } from '../domain/decision.js'
import { addressIn } from '../http/address.js'
import type { Exchange, Urls } from './exchange.js'

const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/**
 * The one spelling that every client makes of a URL: lower case, no default port, no slash at the
 * end.
 */
function canonical(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/(?<!\/)\/+$/, '')
}

/** A host of a URL's scheme in the spelling of URLs; on its port unless the name brings one. */
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
 * Its canonical URLs, and the same under the loopback names or those that the operator named; no
 * request can add one.
 */
export class Authority {
  readonly urls: Urls
  readonly #byHost: ReadonlyMap<string, Urls>

  /** @param origin Where the server listens: the default of each URL. */
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

  /**
   * The URLs as whoever asked for this URL has to see them: under the name that was asked, where it
   * is one of ours.
   */
  at(url: string): Urls {
    const [, host = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? []
    const known = this.#byHost.get(host)
    if (known !== undefined) return known
    return (URL.canParse(url) && this.#byHost.get(new URL(url).host)) || this.urls
  }

  owns(origin: string): boolean {
    return this.#flat.some((url) => new URL(url).origin === origin)
  }

  /**
   * A URL without the path of the public URL that it begins with: in process there is no proxy that
   * takes it away.
   */
  withoutPrefix(url: string): string {
    const [prefix] = this.#flat
      .filter(
        (own) =>
          own !== new URL(own).origin &&
          url.startsWith(own) &&
          /^(?:[/?#]|$)/.test(url.slice(own.length)),
      )
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
  /** Peers beyond loopback are admitted; the token then is the caller's own. */
  readonly remote: boolean
}

function forbid(detail: string) {
  return refuse('forbidden', 'Forbidden', { detail })
}

/**
 * The host in the URL of a request that names none (HTTP/1.0). It is never a name of this server.
 */
export const unnamedHost = 'unnamed.invalid'

function isUnnamedHealthCheck({ path, request, headers }: Exchange): boolean {
  const isUnnamed = new URL(request.url).host === unnamedHost && !headers.get('host')
  return isUnnamed && /^\/_control\/health\/(?:live|ready)$/.test(path)
}

/**
 * Stands against DNS rebinding: pages and control API are for this machine, under names of ours;
 * `peer` is the socket's.
 */
export function guard(exchange: Exchange, peer: string, options: GuardOptions): Decision<null> {
  const { kind, request, headers } = exchange
  const isOwn = (name: string) => loopbackNames.includes(name) || options.hosts.includes(name)
  if (!options.remote && !addressIn(loopback, peer)) return forbid('foreign_peer')
  if (isUnnamedHealthCheck(exchange)) return accept(null)
  // A target in absolute form has a name of its own, which wins over the header (RFC 9112 §3.2.2):
  // both must be ours.
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
