import type { Urls } from './context.js'

export const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** The one spelling that every client makes of a URL: lower case, no default port, no slash at the end. */
const canonical = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '')
}

/** A host of a URL's scheme in the spelling of URLs; on its port unless the name brings one. */
const hostOf = (name: string, { protocol, port }: URL): string => {
  const url = new URL(`${protocol}//${name}`)
  if (!/:\d+$/.test(name)) url.port = port
  return url.host
}

const movedTo = (host: string, own: URL, url: string): string => {
  const { origin, protocol, pathname } = new URL(url)
  return origin === own.origin ? canonical(`${protocol}//${host}${pathname}`) : url
}

/** The URLs of a sandbox; `main` has no prefix. */
export const urlsOfSandbox = (urls: Urls, id: string): Urls => {
  if (id === 'main') return urls
  const { baseUrl, authUrl, webUrl } = urls
  return { baseUrl: `${baseUrl}/s/${id}`, authUrl: `${authUrl}/s/${id}`, webUrl: `${webUrl}/s/${id}` }
}

/**
 * The names under which a server is reached: its canonical URLs, and the same at other hosts. These are the loopback names
 * where the canonical host is one of them, and those that the operator named; no request can add one.
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
    const urls = { baseUrl: canonical(baseUrl), authUrl: canonical(authUrl), webUrl: canonical(webUrl) }
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

  /** The URLs as whoever asked for this URL has to see them: under the name that was asked, where it is one of ours. */
  at(url: string): Urls {
    const [, host = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? []
    const known = this.#byHost.get(host)
    if (known !== undefined) return known
    return (URL.canParse(url) && this.#byHost.get(new URL(url).host)) || this.urls
  }

  owns(origin: string): boolean {
    return this.#flat.some((url) => new URL(url).origin === origin)
  }

  /** A URL without the path of the public URL that it begins with: in process there is no proxy that takes it away. */
  withoutPrefix(url: string): string {
    const [prefix] = this.#flat
      .filter((own) => own !== new URL(own).origin && url.startsWith(own) && /^(?:[/?#]|$)/.test(url.slice(own.length)))
      .sort((a, b) => b.length - a.length)
    return prefix === undefined ? url : `/${url.slice(prefix.length).replace(/^\//, '')}`
  }

  get #flat(): readonly string[] {
    return this.all.flatMap(({ baseUrl, authUrl, webUrl }) => [baseUrl, authUrl, webUrl])
  }
}
