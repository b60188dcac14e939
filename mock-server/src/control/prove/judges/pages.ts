import { groups } from '../../../base/groups.js'
import { type FaultTrial, harm, isAfter, type Judge, longest, note } from '../judge.js'
import { fixedQuery, listOf, nextPageOf, pageOf, type SeenRequest } from '../requests.js'
import { timesNamed } from './output.js'

/** A client that asks for few records wants only those. */
const fewRecords = 30

function lastPage(pages: readonly SeenRequest[]): SeenRequest | undefined {
  return pages.toSorted((a, b) => pageOf(a) - pageOf(b)).at(-1)
}

export const findFirstPageOnly: Judge = ({ seen }) => {
  const long = seen.filter((request) => request.good && request.records.length >= fewRecords)
  for (const pages of groups(long, listOf).values()) {
    const last = lastPage(pages)
    if (last !== undefined && pageOf(last) === 1 && nextPageOf(last) !== undefined)
      return note(
        `The client read one page of ${last.records.length} records, and the answer offered a next one.`,
        last,
      )
  }
  return undefined
}

/** The pages one before a request that the client had read, of any list at the path. */
function pagesBefore(request: SeenRequest, seen: readonly SeenRequest[]): readonly SeenRequest[] {
  const page = pageOf(request)
  return seen.filter(
    (one) =>
      one.good &&
      one.path === request.path &&
      one.sandboxId === request.sandboxId &&
      pageOf(one) === page - 1 &&
      isAfter(request, one),
  )
}

function filtersOf(request: SeenRequest): ReadonlyMap<string, string> {
  const { page: _, per_page: __, ...filters } = fixedQuery(request)
  return new Map(Object.entries(filters))
}

/** Whether the filters of a page are those of the one before, and not all of them. */
function isWithoutFilters(page: SeenRequest, before: SeenRequest): boolean {
  const [filters, all] = [filtersOf(page), filtersOf(before)]
  return filters.size < all.size && [...filters].every(([name, value]) => all.get(name) === value)
}

export const findCountedPages: Judge = ({ seen }) => {
  for (const page of seen) {
    const before = pagesBefore(page, seen)
    const query = new URLSearchParams(page.query).toString()
    if (before.some((one) => nextPageOf(one)?.toString() === query)) continue
    const own = before.find((one) => listOf(one) === listOf(page))
    const wider = before.find((one) => isWithoutFilters(page, one))
    if (own !== undefined)
      return note('The client counts pages, and does not follow the Link to the next.', own, page)
    if (wider !== undefined)
      return harm(
        'The client asked for the next page without the filters of the list: it mixes two lists.',
        wider,
        page,
      )
  }
  return undefined
}

const mostVisits = 3

/** The pages of a walk with a fixed moment do not change, so nothing is new when they come again. */
export const findCircles: Judge = ({ seen }) => {
  const later = seen.filter((page) => page.good && pageOf(page) > 1)
  const fixed = later.filter(({ query }) => new URLSearchParams(query).has('created_to'))
  const visits = groups(fixed, ({ path, query }) => `${path}?${query}`)
  const pages = longest(visits.values())
  const [first] = pages
  return first === undefined || pages.length <= mostVisits
    ? undefined
    : note(`The client read page ${pageOf(first)} of one walk ${pages.length} times.`, ...pages)
}

/** What takes a build out of a list of states, while the client turns the pages of that list. */
export const findShiftedPages: Judge = ({ seen }) => {
  const writes = seen.filter(
    ({ done, operation }) => done && /^builds\.(?:cancel|retryFailedJobs)$/.test(operation ?? ''),
  )
  for (const page of seen) {
    const before = pagesBefore(page, seen).findLast((one) => listOf(one) === listOf(page))
    if (before === undefined || !new URLSearchParams(page.query).has('state')) continue
    const shown = new Set(before.records.map(({ number }) => String(number)))
    const moved = writes.filter(
      (write) =>
        isAfter(write, before) &&
        isAfter(page, write) &&
        shown.has(write.path.split('/').at(-2) ?? ''),
    )
    const [first] = moved
    if (first !== undefined)
      return harm(
        `The client took ${moved.length} builds out of a list before it read its page ${pageOf(page)}: as many moved to the page before, and were skipped.`,
        before,
        first,
        page,
      )
  }
  return undefined
}

/** A new first record moves all others down: the last of one page is the first of the next. */
export const findRepeated: Judge<FaultTrial> = (trial) => {
  const { struck, after, output, base } = trial
  const next = after.find(
    (request) => request.good && pageOf(request) === 2 && listOf(request) === listOf(struck),
  )
  const known = new Set(struck.records.map(({ id }) => id))
  const twice = next?.records.filter(({ id }) => known.has(id)) ?? []
  const [first] = twice
  if (next === undefined || first === undefined) return undefined
  const isShown = [first.id, first.number].some(
    (name) =>
      timesNamed(output, name) > 1 && timesNamed(output, name) > timesNamed(base.output, name),
  )
  const came = `A new build came between two pages, and ${twice.length} came twice (id ${first.id})`
  return isShown
    ? harm(`${came}; the command printed it twice.`, struck, next)
    : note(`${came}: make sure that the client drops an id that it has.`, struck, next)
}

/** A walk that cannot go on must not pass for a whole one. */
export const findCutShort: Judge<FaultTrial> = ({ exit, struck, after }) => {
  const isNextPage = (request: SeenRequest) =>
    listOf(request) === listOf(struck) && pageOf(request) !== pageOf(struck)
  if (exit !== 'green' || after.some((request) => request.good && isNextPage(request)))
    return undefined
  return harm(
    'The client took the first page for the whole list: it never got the next one, and the command passed.',
    struck,
    ...after.filter(isNextPage),
  )
}

/** Where pages are smaller, a client that read a whole list reads more of them; or wants no more. */
export const findUnfinishedList: Judge<FaultTrial> = ({ exit, seen, aim }) => {
  const pages = seen.filter((request) => request.good && listOf(request) === listOf(aim))
  const last = lastPage(pages)
  if (exit !== 'green' || last === undefined || nextPageOf(last) === undefined) return undefined
  return note(
    `The client stopped after ${pages.length} of the pages, though the answer offered a next one: make sure that it wants no more.`,
    last,
  )
}
