import { hasFraction, parseTimestamp } from '../base/timestamp.js'
import {
  ApiError,
  type CiError,
  InvalidResponseError,
  isApiError,
  isCiError,
  PaginationError,
} from '../errors/errors.js'
import { parseUrl } from '../errors/parse-url.js'
import { countLimit } from '../transport/limits.js'
import type { ResponseInfo } from './api-promise.js'
import { aboutAnswer, expectList, type RecordShape, strictJson } from './body.js'
import type { EncodedCall } from './call.js'
import type { CallOptions } from './client-options.js'
import type { ClientContext } from './context.js'
import { cursorText, markedUrl, readCursor } from './cursor.js'
import { setParameter } from './encode.js'
import { findLink, parseLinkHeader } from './link-header.js'
import { send } from './send.js'

export interface WalkSettings {
  readonly context: ClientContext
  /** The list's first call as its caller meant it. */
  readonly first: () => EncodedCall
  /** The fields that each record must have. */
  readonly shape: RecordShape
  readonly options: CallOptions
  readonly maxPages: number | undefined
  /** Pins the walk to the builds that existed at its first page. */
  readonly anchored: boolean
  /** Only build lists have `created_to`, hence anchors and windows. */
  readonly byCreation: boolean
}

/** The state of a walk: everything that the next page depends on. */
export interface WalkPosition {
  readonly call: EncodedCall
  /** Pages read before this one. */
  readonly pages: number
  /** True for the first page of a window, whose refusal is final. */
  readonly opensWindow: boolean
  /** Addresses already read in this window. */
  readonly visited: ReadonlySet<string>
  /** Pages in a row that brought nothing new. */
  readonly emptyPages: number
  readonly previousIds: ReadonlySet<unknown>
  /** Upper end of the window, epoch ms; undefined before the first page. */
  readonly createdTo: number | undefined
  /** The time of the last item, and the ids of the items with this time: a next window has them, too. */
  readonly last: { readonly createdAt: string; readonly ids: ReadonlySet<unknown> } | undefined
  readonly drop: ReadonlySet<unknown>
  /** Error to throw when this page is requested. The page before it is already delivered. */
  readonly refusal?: CiError
}

/** One page of a walk, without the items that the page before has brought. */
export interface WalkedPage<T> {
  readonly items: T[]
  readonly response: ResponseInfo
  readonly next: WalkPosition | undefined
}

const mostEmptyPages = 10

export function firstPosition(call: EncodedCall): WalkPosition {
  const none: ReadonlySet<unknown> = new Set()
  return {
    call,
    pages: 0,
    opensWindow: true,
    visited: new Set(),
    emptyPages: 0,
    previousIds: none,
    createdTo: undefined,
    last: undefined,
    drop: none,
  }
}

/** The position that a cursor describes. @throws ConfigError `config` */
export function positionAt(first: EncodedCall, cursor: string): WalkPosition {
  const { last, drop, created_to, ...mark } = readCursor(first, cursor)
  return {
    ...firstPosition({ ...first, url: markedUrl(first, { ...mark, created_to }) }),
    opensWindow: false,
    createdTo: parseTimestamp(created_to) ?? undefined,
    last: last && { createdAt: last.createdAt, ids: new Set(last.ids) },
    drop: new Set(drop),
  }
}

/** A position as text; null without a next page, or when that page is refused. */
export function cursorTo(
  settings: WalkSettings,
  position: WalkPosition | undefined,
): string | null {
  if (position === undefined || position.refusal !== undefined) return null
  const { call, last, drop } = position
  const more = {
    last: last && { createdAt: last.createdAt, ids: [...last.ids] },
    drop: drop.size > 0 ? [...drop] : undefined,
  }
  return cursorText(settings.first(), new URL(call.url), more)
}

/** Reads the page at a position and finds the next one. */
export async function readPage<T>(
  settings: WalkSettings,
  position: WalkPosition,
): Promise<WalkedPage<T>> {
  if (position.refusal !== undefined) throw position.refusal
  const maxPages = countLimit('maxPages', settings.maxPages, 10_000, 1)
  if (position.pages >= maxPages) {
    throw new PaginationError(`The list has more than maxPages (${maxPages}) pages`, {
      code: 'too_many_pages',
      operationId: position.call.operationId,
      pages: position.pages,
    })
  }
  const read = await fetchPage<T>(settings, position)
  if ('window' in read) return readPage(settings, read.window)
  const { items, link, response } = read
  const fresh = items.filter(
    (item) => !position.previousIds.has(idOf(item)) && !position.drop.has(idOf(item)),
  )
  try {
    return { items: fresh, response, next: following(settings, position, items, fresh, link) }
  } catch (refusal) {
    const error = aboutAnswer(refusal, position.call, response)
    if (!isCiError(error)) throw error
    return { items: fresh, response, next: { ...position, refusal: error } }
  }
}

function following(
  settings: WalkSettings,
  position: WalkPosition,
  items: readonly unknown[],
  fresh: readonly unknown[],
  link: string | undefined,
): WalkPosition | undefined {
  const next = nextUrl(settings, position, items, link)
  if (next === undefined) return undefined
  const emptyPages = fresh.length === 0 ? position.emptyPages + 1 : 0
  const pages = position.pages + 1
  const visited = new Set(position.visited).add(position.call.url)
  if (visited.has(next.url) || emptyPages >= mostEmptyPages) {
    const what = visited.has(next.url)
      ? 'a page that was read before'
      : `${emptyPages} pages in a row without anything new`
    throw new PaginationError(`${position.call.asked} leads to ${what}`, {
      code: 'page_loop',
      operationId: position.call.operationId,
      pages,
    })
  }
  return {
    call: { ...position.call, url: next.url },
    pages,
    opensWindow: false,
    visited,
    emptyPages,
    previousIds: new Set(items.map(idOf).filter((id) => id !== undefined)),
    createdTo: next.createdTo,
    last: settings.byCreation ? lastYielded(position.last, fresh) : undefined,
    drop: position.drop,
  }
}

type FetchedPage<T> =
  | { items: T[]; link: string | undefined; response: ResponseInfo }
  | { window: WalkPosition }

async function fetchPage<T>(
  settings: WalkSettings,
  position: WalkPosition,
): Promise<FetchedPage<T>> {
  try {
    const { data, response } = await send(
      settings.context,
      () => position.call,
      settings.options,
      (answer, asked) => ({
        items: expectList(strictJson(answer, asked), settings.shape, asked) as T[],
        link: answer.header('link'),
      }),
    )
    return { ...data, response }
  } catch (error) {
    // Page 1 has shown that the filters are fine, so the server refuses the depth.
    const mayOpenWindow = settings.byCreation && !position.opensWindow
    const isTooDeep = isApiError(error) && error.status === 400
    if (!mayOpenWindow || !isTooDeep) throw error
    return { window: nextWindow(position, error) }
  }
}

/** The next window: it ends where the refused one has arrived, and its pages count from 1. */
function nextWindow(position: WalkPosition, refused: ApiError): WalkPosition {
  const { last, createdTo = Number.POSITIVE_INFINITY } = position
  const until = last === undefined ? undefined : justAfter(last.createdAt)
  if (last === undefined || until === undefined || until >= createdTo) throw tooDeep(refused)
  const firstPage = setParameter(position.call.url, 'page', undefined)
  const url = setParameter(firstPage, 'created_to', iso(until))
  return {
    ...position,
    call: { ...position.call, url },
    opensWindow: true,
    visited: new Set(),
    previousIds: new Set(),
    createdTo: until,
    drop: last.ids,
  }
}

function tooDeep(refused: ApiError): ApiError {
  const summary = `${refused.summary} (more builds share one moment than the server lists)`
  return new ApiError(summary, { ...refused, headers: refused.headers, code: 'listing_too_deep' })
}

function nextTarget(header: string | undefined, { asked }: EncodedCall): string | undefined {
  try {
    return findLink(parseLinkHeader(header ?? ''), 'next')
  } catch (error) {
    if (!isCiError(error, 'invalid_response')) throw error
    const { expected, got } = error
    const summary = `${asked} was answered with a Link header that cannot be read: ${got}`
    throw new InvalidResponseError(summary, { expected, got })
  }
}

function nextUrl(
  settings: WalkSettings,
  position: WalkPosition,
  items: readonly unknown[],
  link: string | undefined,
): { url: string; createdTo: number | undefined } | undefined {
  const target = nextTarget(link, position.call)
  if (target === undefined) return undefined
  const next = parseUrl(target, position.call.url)
  if (next === undefined) {
    const summary = `${position.call.asked} was answered with a next link that is not a URL`
    const got = `${target.length} characters`
    throw new InvalidResponseError(summary, { expected: 'an absolute or relative URL', got })
  }
  const url = trusted(settings, position, next)
  url.hash = ''
  return withUpperEnd(settings, position, items, url)
}

/** The URL of the next page, at the origin of this one: the token is sent there. */
function trusted({ context }: WalkSettings, { call, pages }: WalkPosition, url: URL): URL {
  if (url.origin === call.origin && url.username === '' && url.password === '') return url
  const web = /^https?:$/.test(url.protocol)
  if (web && context.linkOrigin === 'rebase') {
    // A proxy that renames the server may also change the prefix of its paths.
    const path = url.pathname.endsWith(call.path) ? context.api.prefix + call.path : url.pathname
    return new URL(call.origin + path + url.search)
  }
  const advice = `If that is the same service, make the client with linkOrigin: 'rebase', or with the baseUrl ${url.origin}`
  throw new PaginationError(
    `The next page is said to be at ${placeOf(url)}, which is not where this one came from`,
    {
      code: 'unsafe_link',
      operationId: call.operationId,
      origin: url.origin,
      pages: pages + 1,
      advice: web ? advice : undefined,
    },
  )
}

function placeOf({ origin, protocol, username, password }: URL): string {
  if (origin === 'null') return `a ${protocol} address`
  return username === '' && password === '' ? origin : `${origin} under a user name`
}

/**
 * The URL with an upper end of time. New builds would shift the pages while they are read; with the
 * upper end the list stays as it was when the walk began.
 */
function withUpperEnd(
  settings: WalkSettings,
  position: WalkPosition,
  items: readonly unknown[],
  url: URL,
): { url: string; createdTo: number | undefined } {
  const given = parseTimestamp(url.searchParams.get('created_to'))
  if (!settings.byCreation || (!settings.anchored && position.createdTo === undefined)) {
    return { url: url.href, createdTo: given ?? undefined }
  }
  const end = position.createdTo ?? newest(items)
  if (end === undefined || (given !== null && given <= end))
    return { url: url.href, createdTo: given ?? end }
  return { url: setParameter(url.href, 'created_to', iso(end)), createdTo: end }
}

function newest(items: readonly unknown[]): number | undefined {
  const ends = items.map((item) => justAfter(createdAt(item))).filter((end) => end !== undefined)
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** The first moment that is certainly later, epoch ms: a time without decimals may be anywhere in its second. */
function justAfter(createdAtText: string | undefined): number | undefined {
  const time = parseTimestamp(createdAtText)
  if (time === null || createdAtText === undefined) return undefined
  return time + (hasFraction(createdAtText) ? 1 : 1_000)
}

function lastYielded(
  before: WalkPosition['last'],
  fresh: readonly unknown[],
): WalkPosition['last'] {
  const createdAtText = createdAt(fresh.at(-1))
  if (createdAtText === undefined) return before
  const time = parseTimestamp(createdAtText)
  const same = fresh.filter((item) => parseTimestamp(createdAt(item)) === time).map(idOf)
  const older = before !== undefined && parseTimestamp(before.createdAt) === time ? before.ids : []
  return { createdAt: createdAtText, ids: new Set([...older, ...same]) }
}

function idOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
}

function createdAt(item: unknown): string | undefined {
  const value =
    typeof item === 'object' && item !== null && 'created_at' in item ? item.created_at : undefined
  return typeof value === 'string' ? value : undefined
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
