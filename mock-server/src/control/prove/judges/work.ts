import { groups } from '../../../base/groups.js'
import { harm, isAfter, isBad, type Judge, note, type Trial } from '../judge.js'
import { keyOf, likenessOf, type SeenRequest } from '../requests.js'
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

function addressOf({ method, path }: SeenRequest): string {
  return `${method} ${path}`
}

/** Compares what exists after both runs. Where a body is new, all writes to its path are one work. */
function worksOf({ seen, base }: Trial): readonly Work[] {
  const usual = writesOf(base.seen)
  const likenesses = new Set(usual.map(likenessOf))
  const writes = writesOf(seen)
  const isNew = (request: SeenRequest) => !likenesses.has(likenessOf(request))
  const withNew = new Set(writes.filter(isNew).map(addressOf))
  const nameOf = (request: SeenRequest) =>
    withNew.has(addressOf(request)) ? addressOf(request) : likenessOf(request)
  const usuallyDone = groups(
    usual.filter(({ done }) => done),
    nameOf,
  )
  return [...groups(writes, nameOf)].map(([name, requests]) => ({
    requests,
    done: requests.filter(({ done }) => done),
    usual: usuallyDone.get(name)?.length ?? 0,
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
    return kind === 'write' || factsOf(kind).bringsToken ? [] : [{ bad, kind }]
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

function isTokenRequest({ target }: SeenRequest): boolean {
  return target !== null && factsOf(kindOf(target)).bringsToken === true
}

/** The last request for a token, if calls with such a token came after it. */
function lastUsedToken(seen: readonly SeenRequest[]): SeenRequest | undefined {
  const last = seen.findLast(isTokenRequest)
  const isCall = (one: SeenRequest) => one.good && one.client_id !== null && one.target !== null
  return seen.some((one) => last && isCall(one) && isAfter(one, last)) ? last : undefined
}

const findDroppedToken: Judge = ({ seen, base }) => {
  const last = seen.findLast(isTokenRequest)
  if (last === undefined || last.good || lastUsedToken(base.seen) === undefined) return undefined
  return lastUsedToken(seen) === undefined
    ? harm('The client got no token, and the command passed without what needs it.', last)
    : undefined
}

/** A command that passes must have got its lists, builds, tokens and writes after all. */
export const findDropped: Judge = (trial) =>
  trial.exit === 'green'
    ? (findDroppedWrite(trial) ?? findDroppedToken(trial) ?? findDroppedRead(trial))
    : undefined
