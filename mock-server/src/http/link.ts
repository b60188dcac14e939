import type { QueryPairs } from './query.js'

export const mostPerPage = 100

export interface ListPage {
  readonly page: number
  readonly per_page: number
}

/** What a list knows about its end. */
export interface ListEnd {
  readonly hasMore: boolean
  /** Null where it would have to be counted. */
  readonly total: number | null
  /** How deep a list may be read at all. */
  readonly deepest?: number
}

/**
 * Everything outside RFC 3986's unreserved characters, so that a client may split the header at `,`
 * and `;`.
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
 * The `Link` header (RFC 8288) of a list of several pages; `page` is never last, where a plain
 * client fails on it.
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
    if (
      lastPage !== null &&
      (lastPage - 1) * per_page < (end.deepest ?? Number.POSITIVE_INFINITY)
    ) {
      links.push(link(lastPage, 'last'))
    }
  }
  return links.length === 0 ? undefined : links.join(', ')
}
