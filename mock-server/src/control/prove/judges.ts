import { formValue, groups, type Seen } from './exam.js'
import { listOf, pageOf, type Use } from './uses.js'

export type Exit = 'green' | 'red' | 'hung'

/** One run of a client under one fault, beside its fault-free run. */
export interface Trial {
  readonly use: Use
  readonly base: readonly Seen[]
  readonly seen: readonly Seen[]
  /** The request that met the fault. */
  readonly struck: Seen
  /** What came after it, by arrival. */
  readonly after: readonly Seen[]
  readonly exit: Exit
}

/** What a client did wrong, and the requests that show it. */
export interface Harm {
  readonly harm: string
  readonly evidence: readonly Seen[]
}

/** Looks for harm in one run. */
export type Judge = (trial: Trial) => Harm | undefined

/** The first harm that one of these judges finds. */
export const first =
  (...judges: readonly Judge[]): Judge =>
  (trial) => {
    for (const judge of judges) {
      const found = judge(trial)
      if (found !== undefined) return found
    }
    return undefined
  }

/** The same request: its page counts, its other parameters may be new. */
const isSame = (one: Seen, other: Seen): boolean =>
  one.target === other.target &&
  one.place === other.place &&
  one.entry.method === other.entry.method &&
  one.entry.path === other.entry.path &&
  pageOf(one) === pageOf(other)

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`

/** A client sleeps by its own clock, and timers may fire a little early. */
const slackMs = 100

/** The command must end as it did without the fault. */
export const staysGreen: Judge = ({ exit, struck, after }) => {
  if (exit === 'green') return undefined
  const next = after.find((seen) => isSame(seen, struck))
  const did = next === undefined ? 'and the client gave up' : 'and the client did not get over it'
  return { harm: `One such answer came, ${did}: the command failed.`, evidence: next ? [struck, next] : [struck] }
}

/** A command that ends green must have got the answer after all. */
export const isMissed: Judge = ({ exit, struck, after }) =>
  exit !== 'green' || after.some((seen) => seen.good && isSame(seen, struck))
    ? undefined
    : {
        harm: 'The client took what came for the answer: it never asked again, and the command passed.',
        evidence: [struck],
      }

/** The same for lists alone: the rest of a program may do without a record, but a list without rows looks like an empty one. */
export const isMissedList: Judge = (trial) => (trial.use.kind === 'list' ? isMissed(trial) : undefined)

/** A read and a request for a token may be sent again; a write may fail. */
export const greenWhereRepeatable: Judge = (trial) =>
  ['create', 'write', 'refresh'].includes(trial.use.kind) ? undefined : first(isMissedList, staysGreen)(trial)

/** A walk that cannot go on must not pass for a whole one. */
export const isCutShort: Judge = ({ exit, struck, after }) => {
  if (exit !== 'green' || after.some((seen) => seen.good && listOf(seen) === listOf(struck) && !isSame(seen, struck))) {
    return undefined
  }
  const harm = 'The client took the first page for the whole list: it never got the next one, and the command passed.'
  return { harm, evidence: [struck, ...after.filter((seen) => seen.target === struck.target).slice(0, 2)] }
}

/** Nothing may be asked again before the server's wait is over. */
export const waits =
  (ms: number): Judge =>
  ({ struck, after }) => {
    const early = after.find((seen) => isSame(seen, struck) && seen.startedAt - struck.answeredAt < ms - slackMs)
    if (early === undefined) return undefined
    const gap = Math.max(0, Math.round(early.startedAt - struck.answeredAt))
    return {
      harm: `The answer said Retry-After: ${ms / 1000}; the client asked again after ${gap} ms.`,
      evidence: [struck, early],
    }
  }

const writeOf = ({ entry, place }: Seen): string => `${place} ${entry.method} ${entry.path} ${entry.request.body ?? ''}`

/** What was written once may not be written again. The request that met the fault was carried out. */
export const isDoubled: Judge = ({ use, base, seen, struck }) => {
  const own = (all: readonly Seen[]) => all.filter((one) => one.target === use.target && (one.good || one === struck))
  const done = own(seen)
  const same = done.filter((one) => writeOf(one) === writeOf(struck))
  const inBase = own(base)
  const counts = groups(inBase, writeOf)
  const usual = counts.get(writeOf(struck))?.length ?? Math.max(...[...counts.values()].map(({ length }) => length))
  if (same.length <= usual && done.length <= inBase.length) return undefined
  const evidence = [struck, ...done.filter((one) => one !== struck && one.startedAt >= struck.startedAt)]
  return {
    harm: `The server did it and the client did it again: ${done.length} times instead of ${inBase.length}.`,
    evidence,
  }
}

const hostOf = ({ entry }: Seen): string => entry.request.headers['host'] ?? ''

/** A token is for the server that it is of: its other name is another origin. */
export const isLeaked: Judge = ({ struck, after }) => {
  const away = after.find((seen) => hostOf(seen) !== hostOf(struck) && seen.entry.request.headers['authorization'])
  if (away === undefined) return undefined
  return { harm: `The client sent its token to another origin, ${hostOf(away)}.`, evidence: [struck, away] }
}

/** A new first row moves all others down: what stood last on one page stands first on the next. */
export const isRepeated: Judge = ({ struck, after }) => {
  const next = after.find((seen) => seen.good && pageOf(seen) === 2 && listOf(seen) === listOf(struck))
  const twice = next?.ids.filter((id) => struck.ids.includes(id)) ?? []
  if (next === undefined || twice.length === 0) return undefined
  return {
    harm: `A new build came between two pages, and ${twice.length} came twice (id ${twice[0]}).`,
    evidence: [struck, next],
  }
}

/** A token that was refused is refused again. */
export const isHammered: Judge = ({ struck, after }) => {
  const refused = after.filter(({ entry }) => entry.status === 401 && entry.operation === struck.entry.operation)
  const again = groups(refused, ({ entry }) => `${entry.query} ${entry.request.headers['authorization']}`)
  const worst = [...again.values()].find(({ length }) => length > 2)
  if (worst === undefined) return undefined
  return { harm: `The client asked ${worst.length} times with a token that was refused.`, evidence: worst }
}

const codeOf = ({ entry }: Seen): string => formValue(entry, 'device_code')

/** What an answer of the OAuth endpoints says. */
export const told = ({
  entry,
}: Seen): { readonly device_code?: string; readonly interval?: number; readonly error?: string } => {
  try {
    return JSON.parse(entry.response?.body ?? '') ?? {}
  } catch {
    return {}
  }
}

const finals: ReadonlySet<string> = new Set(['access_denied', 'expired_token', 'invalid_grant'])

/** A final refusal ends a device login. */
export const isPolledOn: Judge = ({ seen }) => {
  const polls = seen.filter(({ target }) => target === 'device')
  for (const [at, end] of polls.entries()) {
    const { error = '' } = told(end)
    const next = finals.has(error) && polls.slice(at + 1).find((poll) => codeOf(poll) === codeOf(end))
    if (next) return { harm: `The login ended with ${error}, and the client polled on.`, evidence: [end, next] }
  }
  return undefined
}

/** Polls keep the interval (RFC 8628 §3.5), on the real clock or on the sandbox's. */
export const keepsInterval: Judge = ({ seen }) => {
  const polls = groups(
    seen.filter(({ target }) => target === 'device'),
    codeOf,
  )
  for (const [code, own] of polls) {
    const start = seen.map(told).find(({ device_code }) => device_code === code)
    let least = (start?.interval ?? 5) * 1000
    for (const [at, poll] of own.slice(1).entries()) {
      const before = own[at] ?? poll
      if (told(before).error === 'slow_down') least += 5_000
      const real = poll.startedAt - before.startedAt
      const gap = Math.max(real, Date.parse(poll.entry.at) - Date.parse(before.entry.at))
      if (gap >= least - slackMs) continue
      const harm = `A poll came ${seconds(gap)} after the one before; the interval was ${seconds(least)} by then.`
      return { harm, evidence: [before, poll] }
    }
  }
  return undefined
}

/** What the server used up must not be sent again: an assertion is refused, a refresh token ends the login. */
export const isSpentAgain =
  (parameter: 'client_assertion' | 'refresh_token'): Judge =>
  ({ struck, after, exit }) => {
    const again = after.find(({ entry }) => formValue(entry, parameter) === formValue(struck.entry, parameter))
    // A client that sends another assertion next has lost nothing.
    if (again === undefined || again.good || (parameter === 'client_assertion' && exit === 'green')) return undefined
    const harm = `The server had used the ${parameter} when its answer was lost; the client sent the same one again.`
    return { harm, evidence: [struck, again] }
  }

const identityOf = ({ entry, place }: Seen): string =>
  [place, ...['client_id', 'subject_token', 'audience', 'scope'].map((name) => formValue(entry, name))].join(' ')

/** Refused for good: the same key will be refused again. */
export const isExchangedOn: Judge = ({ seen, base }) => {
  const refused = groups(
    seen.filter((one) => one.target === 'exchange' && !one.good),
    identityOf,
  )
  const usual = base.filter(({ target }) => target === 'exchange').length
  const worst = [...refused.values()].find(({ length }) => length > 3 && length > usual)
  if (worst === undefined) return undefined
  return { harm: `The key was refused, and the client asked ${worst.length} times with it.`, evidence: worst }
}

/** A token serves until it ends: who asks for one per call meets the limit of the token endpoint. */
export const isMintedPerCall: Judge = ({ base }) => {
  const minted = groups(
    base.filter(({ target, good }) => target === 'exchange' && good),
    identityOf,
  )
  const [worst = []] = [...minted.values()].toSorted((a, b) => b.length - a.length)
  const calls = base.filter(({ entry }) => entry.client_id !== null && entry.accessTokenId !== null)
  const uses = groups(calls, ({ entry }) => entry.accessTokenId ?? '')
  if (worst.length <= 3 || [...uses.values()].some(({ length }) => length > 1)) return undefined
  return {
    harm: `${worst.length} exchanges for one user, and no token was used for more than one call.`,
    evidence: worst,
  }
}

/** An address that is a key by itself needs no token. */
export const isTakenAlong: Judge = ({ base }) => {
  const content = base.find(
    ({ entry }) => /^\/artifacts\/[^/]+\/content$/.test(entry.path) && entry.request.headers['authorization'],
  )
  return content && { harm: 'The client sent its token to the place where the content is.', evidence: [content] }
}
