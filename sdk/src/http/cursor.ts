import { must } from '../base/checked.js'
import { tried } from '../base/tried.js'
import type { EncodedCall } from './call.js'
import { setParameter } from './encode.js'

/** What a cursor contains about the next page of a list: no address and no secret. */
export interface CursorContent {
  /** These three are parameters of the next page's query. */
  readonly page: string
  readonly per_page?: string | undefined
  readonly created_to?: string | undefined
  /**
   * The time of the last item, the ids of the items with that time, and the ids that the next window
   * leaves out: for a list that is longer than the server's depth.
   */
  readonly last?: { readonly createdAt: string; readonly ids: readonly unknown[] } | undefined
  readonly drop?: readonly unknown[] | undefined
}

/** The most characters of a cursor. */
const longest = 20_000

const pageParameters = ['page', 'per_page', 'created_to'] as const

/**
 * The cursor of the next page. Null when its URL differs by more than page, size and upper end of
 * time, or when the ids are too many.
 */
export function cursorText(
  first: EncodedCall,
  next: URL,
  more: Pick<CursorContent, 'last' | 'drop'>,
): string | null {
  const { page, ...others } = Object.fromEntries(
    pageParameters.map((name) => [name, next.searchParams.get(name) ?? undefined]),
  )
  const start = new URL(first.url)
  if (page === undefined || !/^\d{1,9}$/.test(page) || next.pathname !== start.pathname) return null
  if (rest(start) !== rest(next)) return null
  const bytes = new TextEncoder().encode(
    JSON.stringify({ of: digest(first), page, ...others, ...more }),
  )
  // Four letters for three bytes.
  if (bytes.length * 4 > longest * 3) return null
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (letter) => ({ '+': '-', '/': '_' })[letter] ?? '',
  )
}

/**
 * Reads a cursor of this list. @throws ConfigError `config` for any other text, and for one of
 * other parameters.
 */
export function readCursor(first: EncodedCall, cursor: string): CursorContent {
  const mark = parsed(cursor)
  if (mark === undefined) throw must('cursor', 'be the cursor of a page, as it was')
  if (mark.of === digest(first)) return mark
  throw must('cursor', 'come from a list with the same parameters: give those, and change none')
}

/** The URL of the page that a cursor describes. */
export function markedUrl(first: EncodedCall, mark: CursorContent): string {
  return pageParameters.reduce((url, name) => setParameter(url, name, mark[name]), first.url)
}

function parsed(cursor: unknown): (CursorContent & { readonly of: string }) | undefined {
  if (typeof cursor !== 'string' || cursor.length > longest || !/^[\w-]{20,}$/.test(cursor))
    return undefined
  return tried(() => {
    const bytes = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const mark = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))),
    )
    const texts = [
      mark.of,
      mark.page,
      mark.per_page ?? '',
      mark.created_to ?? '',
      mark.last?.createdAt ?? '',
    ]
    const lists = [mark.last?.ids ?? [], mark.drop ?? []]
    return texts.every((text) => typeof text === 'string') && lists.every(Array.isArray)
      ? mark
      : undefined
  })
}

/** The parameters that are the same on each page, without regard to their spelling. */
function rest(url: URL): string {
  const pairs = [...url.searchParams].filter(
    ([name]) => !pageParameters.includes(name as (typeof pageParameters)[number]),
  )
  return JSON.stringify(pairs.sort())
}

/**
 * FNV-1a over operation, path and query. It detects a cursor of another list, and does not protect
 * against forgery.
 */
function digest({ operationId, path, url }: EncodedCall): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(`${operationId} ${path} ${new URL(url).search}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return hash.toString(36)
}
