import { groups } from '../../base/groups.js'
import { parseJson } from '../../domain/json.js'
import { formOf, listOf, pageOf, type Seen, type Use } from './seen.js'

export type Exit = 'green' | 'red' | 'hung'

export interface Trial {
  readonly use: Use
  readonly base: readonly Seen[]
  readonly seen: readonly Seen[]
  readonly struck: Seen
  /** What came after it, by arrival. */
  readonly after: readonly Seen[]
  readonly exit: Exit
}

/** What the client did wrong, and the requests that show it. */
export type Harm = readonly [harm: string, ...evidence: Seen[]]

export type Judge = (trial: Trial) => Harm | undefined

/** The same request: its page counts, its other parameters may be new. */
function isSame(one: Seen, other: Seen): boolean {
  return one.target === other.target && one.where === other.where && pageOf(one) === pageOf(other)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`
}

/** A client sleeps by its own clock, and timers may fire a little early. */
const slackMs = 100

export const findFailure: Judge = ({ exit, struck, after }) => {
  if (exit === 'green') return undefined
  const next = after.filter((seen) => isSame(seen, struck)).slice(0, 1)
  const did = next.length === 0 ? 'the client gave up' : 'the client did not get over it'

  return [`One such answer came, and ${did}: the command failed.`, struck, ...next]
}

/** A command that ends green must have got the answer after all. */
export const findMissed: Judge = ({ exit, struck, after }) => {
  const isAnsweredLater = after.some((seen) => seen.good && isSame(seen, struck))
  if (exit !== 'green' || isAnsweredLater) return undefined

  const harm =
    'The client took what came for the answer: it never asked again, and the command passed.'
  return [harm, struck]
}

/**
 * Only for lists and new builds: an unread list looks empty, and a build that was not created looks
 * like a running one.
 */
export const findMissedList: Judge = (trial) =>
  /^(?:list|create)$/.test(trial.use.kind) ? findMissed(trial) : undefined

/** The client must repeat a read or a request for a token; it may fail on a write. */
export const findGivenUp: Judge = (trial) =>
  findMissedList(trial) ??
  (/^(?:create|write|refresh)$/.test(trial.use.kind) ? undefined : findFailure(trial))

/** A client that cannot read the next page must not report the list as complete. */
export const findCutShort: Judge = ({ exit, struck, after }) => {
  const isNext = (seen: Seen) =>
    seen.good && listOf(seen) === listOf(struck) && !isSame(seen, struck)
  if (exit !== 'green' || after.some(isNext)) return undefined
  const harm =
    'The client took the first page for the whole list: it never got the next one, and the command passed.'
  return [harm, struck, ...after.filter(({ target }) => target === struck.target)]
}

/** A client must not send the request again before `Retry-After` has passed. */
export const findEarlyRetry: Judge = ({ struck, after }) => {
  const wait = Number(struck.response?.headers['retry-after'])
  const early = after.find((seen) => isSame(seen, struck))
  const gap = Math.max(0, Math.round((early?.startedAt ?? 0) - struck.answeredAt))
  if (early === undefined || !(gap < wait * 1000 - slackMs)) return undefined
  return [
    `The answer said Retry-After: ${wait}; the client asked again after ${gap} ms.`,
    struck,
    early,
  ]
}

function longest(lists: Iterable<readonly Seen[]>): readonly Seen[] {
  return [...lists].reduce((best, list) => (list.length > best.length ? list : best), [])
}

/** A client must not repeat a write. The server carried out the request that met the fault. */
export const findDoubled: Judge = ({ use, base, seen, struck }) => {
  const writeOf = ({ where, request }: Seen) => `${where} ${request.body ?? ''}`
  const carriedOut = (all: readonly Seen[]) =>
    all.filter((one) => one.target === use.target && (one.good || one === struck))
  const done = carriedOut(seen)
  const usual = carriedOut(base)

  const writes = groups(usual, writeOf)
  const most = writes.get(writeOf(struck)) ?? longest(writes.values())
  const same = done.filter((one) => writeOf(one) === writeOf(struck))
  if (same.length <= most.length && done.length <= usual.length) return undefined
  const harm = `The server did it and the client did it again: ${done.length} times instead of ${usual.length}.`
  return [
    harm,
    struck,
    ...done.filter((one) => one !== struck && one.startedAt >= struck.startedAt),
  ]
}

function hostOf({ request }: Seen): string {
  return request.headers['host'] ?? ''
}

/** A client must send its token to one origin only; another name of the server is another origin. */
export const findLeaked: Judge = ({ struck, after }) => {
  const away = after.find(
    (seen) => hostOf(seen) !== hostOf(struck) && seen.request.headers['authorization'],
  )
  return away && [`The client sent its token to another origin, ${hostOf(away)}.`, struck, away]
}

/** A new first build moves all others down, so the last one of a page is first on the next page. */
export const findRepeated: Judge = ({ struck, after }) => {
  const next = after.find(
    (seen) => seen.good && pageOf(seen) === 2 && listOf(seen) === listOf(struck),
  )
  const twice = next?.ids.filter((id) => struck.ids.includes(id)) ?? []
  if (next === undefined || twice.length === 0) return undefined
  return [
    `A new build came between two pages, and ${twice.length} came twice (id ${twice[0]}).`,
    struck,
    next,
  ]
}

export const findHammered: Judge = ({ struck, after }) => {
  const refused = after.filter(
    ({ status, operation }) => status === 401 && operation === struck.operation,
  )
  const again = groups(
    refused,
    ({ query, request }) => `${query} ${request.headers['authorization']}`,
  )
  const worst = longest(again.values())
  if (worst.length <= 2) return undefined
  return [`The client asked ${worst.length} times with a token that was refused.`, ...worst]
}

export function answerOf({ response }: Seen): {
  device_code?: string
  interval?: number
  error?: string
} {
  return Object(parseJson(response?.body ?? '')?.value)
}

function pollsOf(seen: readonly Seen[]): ReadonlyMap<string, readonly Seen[]> {
  const polls = seen.filter(({ target }) => target === 'device')
  return groups(polls, (poll) => formOf(poll, 'device_code'))
}

const finals: readonly unknown[] = ['access_denied', 'expired_token', 'invalid_grant']

export const findPolledOn: Judge = ({ seen }) => {
  for (const polls of pollsOf(seen).values()) {
    const at = polls.findIndex((poll) => finals.includes(answerOf(poll).error))
    if (at < 0) continue
    const [end, next] = polls.slice(at)
    if (end && next)
      return [`The login ended with ${answerOf(end).error}, and the client polled on.`, end, next]
  }
  return undefined
}

/** Polls keep the interval (RFC 8628 §3.5), on the real clock or on the sandbox's. */
export const findEarlyPoll: Judge = ({ seen }) => {
  for (const [code, polls] of pollsOf(seen)) {
    const start = seen.map(answerOf).find(({ device_code }) => device_code === code)
    let least = (start?.interval ?? 5) * 1000
    for (const [at, poll] of polls.slice(1).entries()) {
      const before = polls[at] ?? poll
      if (answerOf(before).error === 'slow_down') least += 5_000
      const gap = Math.max(
        poll.startedAt - before.startedAt,
        Date.parse(poll.at) - Date.parse(before.at),
      )
      const harm = `A poll came ${seconds(gap)} after the one before; the interval was ${seconds(least)} by then.`
      if (gap < least - slackMs) return [harm, before, poll]
    }
  }
  return undefined
}

/**
 * A client must not send a used credential again: the server refuses a used assertion, and a used
 * refresh token ends the login.
 */
export function findSpentAgain({ struck, after, exit, use }: Trial): Harm | undefined {
  const parameter = use.kind === 'exchange' ? 'client_assertion' : 'refresh_token'
  const again = after.find((seen) => formOf(seen, parameter) === formOf(struck, parameter))
  if (again === undefined || again.good) return undefined
  // A client that then sends a new assertion has lost nothing.
  if (use.kind === 'exchange' && exit === 'green') return undefined

  const harm = `The server had used the ${parameter} when its answer was lost; the client sent the same one again.`
  return [harm, struck, again]
}

function exchangesOf(seen: readonly Seen[], good: boolean): readonly Seen[] {
  const own = seen.filter((one) => one.target === 'exchange' && one.good === good)
  const user = ['client_id', 'subject_token', 'audience', 'scope']
  return longest(groups(own, (one) => user.map((name) => formOf(one, name)).join(' ')).values())
}

export const findExchangedOn: Judge = ({ seen, base }) => {
  const worst = exchangesOf(seen, false)
  const usual = base.filter(({ target }) => target === 'exchange').length
  if (worst.length <= Math.max(3, usual)) return undefined
  return [`The key was refused, and the client asked ${worst.length} times with it.`, ...worst]
}

/** A client must use a token until it expires; one token per call meets the token rate limit. */
export const findMintedPerCall: Judge = ({ base }) => {
  const worst = exchangesOf(base, true)
  const calls = base.filter(
    ({ client_id, accessTokenId }) => client_id !== null && accessTokenId !== null,
  )
  const most = longest(groups(calls, ({ accessTokenId }) => accessTokenId ?? '').values())
  if (worst.length <= 3 || most.length > 1) return undefined
  return [
    `${worst.length} exchanges for one user, and no token was used for more than one call.`,
    ...worst,
  ]
}

/** A client must not send its token to a signed URL. */
export const findTakenAlong: Judge = ({ base }) => {
  const sent = base.filter(({ path }) => /^\/artifacts\/[^/]+\/content$/.test(path))
  const content = sent.find(({ request }) => request.headers['authorization'])
  return content && ['The client sent its token to the place where the content is.', content]
}
