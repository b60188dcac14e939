import type { QueryPairs } from './query.js'

export const maxPerPage = 100

export interface ListPage {
  readonly page: number
  readonly per_page: number
}

/** What is known about the end of a list. */
export interface ListEnd {
  readonly hasMore: boolean
  /** Null if it is unknown. */
  readonly total: number | null
  /** The maximum number of items that clients can page through. */
  readonly deepest?: number
}

/**
 * Encodes all characters except the unreserved ones of RFC 3986, so that clients can split the
 * header at `,` and `;`.
 */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function isPaging(name: string): boolean {
  return /^(?:per_)?page(?:\[\])?$/.test(name)
}

/**
 * The `Link` header (RFC 8288) of a list of several pages. In each URL `per_page` follows `page`,
 * because some simple clients fail if `page` is last.
 */
export function linkHeader(
  url: string,
  query: QueryPairs,
  { page, per_page }: ListPage,
  end: ListEnd,
): string | undefined {
  const others = query
    .filter(([name]) => !isPaging(name))
    .map(([name, value]) => `${encode(name)}=${encode(value)}&`)
    .join('')
  const link = (to: number, rel: string): string =>
    `<${url}?${others}page=${to}&per_page=${per_page}>; rel="${rel}"`
  const lastPage = end.total === null ? null : Math.max(1, Math.ceil(end.total / per_page))
  const links: string[] = []
  if (page > 1) links.push(link(1, 'first'), link(Math.min(page - 1, lastPage ?? page - 1), 'prev'))
  if (end.hasMore) {
    links.push(link(page + 1, 'next'))
    const deepest = end.deepest ?? Number.POSITIVE_INFINITY
    if (lastPage !== null && (lastPage - 1) * per_page < deepest) links.push(link(lastPage, 'last'))
  }
  return links.length === 0 ? undefined : links.join(', ')
}
