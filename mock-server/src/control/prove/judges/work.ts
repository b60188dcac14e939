import { groups } from '../../../base/groups.js'
import { type FaultTrial, harm, isAfter, isBad, type Judge, note, type Trial } from '../judge.js'
import { keyOf, likenessOf, listOf, nextPageOf, pageOf, type SeenRequest } from '../requests.js'
import { factsOf, isOnce, kindOf } from '../uses.js'

/** What was done of one kind of work, and how often the run without a fault did it. */
interface Work {
  readonly requests: readonly SeenRequest[]
  readonly done: readonly SeenRequest[]
  readonly usual: number
}

function writesOf(seen: readonly SeenRequest[]): readonly SeenRequest[] {
  return seen.filter(({ target }) => target !== null && kindOf(target) === 'write')
}

/** Compares what exists after both runs; a body that is new in each attempt counts by its path. */
function worksOf({ seen, base }: Trial): readonly Work[] {
  const usual = writesOf(base.seen)
  const isUsual = new Set(usual.map(likenessOf))
  const nameOf = (request: SeenRequest) => {
    const likeness = likenessOf(request)
    return isUsual.has(likeness) ? likeness : `${request.method} ${request.path}`
  }
  const counts = new Map<string, number>()
  for (const request of usual.filter(({ done }) => done)) {
    for (const name of [likenessOf(request), `${request.method} ${request.path}`])
      counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...groups(writesOf(seen), nameOf)].map(([name, requests]) => ({
    requests,
    done: requests.filter(({ done }) => done),
    usual: counts.get(name) ?? 0,
  }))
}

/** What was written once may not be written again. */
export const findDoubled: Judge = (trial) => {
  for (const { done, usual } of worksOf(trial)) {
    const [first, ...more] = done
    if (first === undefined || usual === 0 || done.length <= usual || !isOnce(first.target ?? ''))
      continue
    const lost = done.find(({ isSpoilt, isFault }) => isSpoilt || isFault)
    const evidence =
      lost === undefined ? more : done.filter((one) => one.startedAt > lost.startedAt)
    return harm(
      `The server did it and the client did it again: ${done.length} times instead of ${usual}.`,
      lost ?? first,
      ...evidence,
    )
  }
  return undefined
}

/** A write that was refused, and that a command which passes has never got done. */
const findDroppedWrite: Judge = (trial) => {
  for (const { requests, done, usual } of worksOf(trial)) {
    const bad = requests.find((request) => isBad(request) && !request.done)
    if (bad !== undefined && done.length < usual)
      return harm('The server did not do it, and the command passed all the same.', bad)
  }
  return undefined
}

function isDropped(bad: SeenRequest, requests: readonly SeenRequest[]): boolean {
  return !requests.some((request) => request.good && isAfter(request, bad))
}

const findDroppedRead: Judge = ({ seen, base }) => {
  const usuallyBad = new Set(base.seen.filter(isBad).map(keyOf))
  const dropped = [...groups(seen, keyOf)].flatMap(([key, requests]) => {
    const bad = requests.findLast(isBad)
    const { target } = requests[0] ?? {}
    if (bad === undefined || !target || usuallyBad.has(key) || !isDropped(bad, requests)) return []
    const kind = kindOf(target)
    return ['list', 'read', 'extra'].includes(kind) ? [{ bad, kind }] : []
  })
  const worst = dropped.find(({ kind }) => !factsOf(kind).mayBeDropped)
  if (worst !== undefined)
    return harm(
      'The client took what came for the answer: it never asked again, and the command passed.',
      worst.bad,
    )
  const [extra] = dropped
  return (
    extra &&
    note(
      'The client went on without it, and the command passed: make sure that it names the gap.',
      extra.bad,
    )
  )
}

/** A command that passes must have got its lists, builds and writes after all. */
export const findDropped: Judge = (trial) =>
  trial.exit === 'green' ? (findDroppedWrite(trial) ?? findDroppedRead(trial)) : undefined

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
  const last = pages.toSorted((a, b) => pageOf(a) - pageOf(b)).at(-1)
  if (exit !== 'green' || last === undefined || nextPageOf(last) === undefined) return undefined
  return note(
    `The client stopped after ${pages.length} of the pages, though the answer offered a next one: make sure that it wants no more.`,
    last,
  )
}
