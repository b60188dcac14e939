import { groups } from '../../../base/groups.js'
import {
  harm,
  hasLanes,
  isAfter,
  isBad,
  isSame,
  type Judge,
  longest,
  seconds,
  slackMs,
} from '../judge.js'
import { answerOf, formOf, keyOf, likenessOf, type SeenRequest } from '../requests.js'
import { isOnce } from '../uses.js'

/** How long a response asks the client to wait (RFC 9110 §10.2.3), ms; 0 where it does not. */
function waitOf({ response, at }: SeenRequest): number {
  const value = response?.headers['retry-after'] ?? ''
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.parse(at)
  return Number.isNaN(ms) ? 0 : ms
}

function within(
  requests: readonly SeenRequest[],
  first: SeenRequest,
  ms: number,
): readonly SeenRequest[] {
  return requests.filter(
    (one) => isAfter(one, first) && one.startedAt < first.answeredAt + ms - slackMs,
  )
}

/**
 * Nothing may be sent again before the wait is over that the server asked for. Where several parts
 * of the client ask for the same, only one of them knows of the wait: then it counts when the
 * client asks no less than without a fault.
 */
export const findEarly: Judge = ({ seen, base }) => {
  for (const refused of seen) {
    const wait = waitOf(refused)
    if (wait <= 0 || refused.good) continue
    const usual = base.seen.filter((one) => isSame(one, refused))
    const alike = base.seen.filter((one) => likenessOf(one) === likenessOf(refused))
    const isOnly = alike.length === 1 && isOnce(refused.target ?? '')
    const again = seen.filter((one) =>
      isOnly ? likenessOf(one) === likenessOf(refused) : isSame(one, refused),
    )
    const early = within(again, refused, wait)
    const [next] = early
    const most = longest(usual.map((one) => within(usual, one, wait))).length
    const least = hasLanes(usual) ? Math.max(most, 2) : 1
    if (next === undefined || early.length < least) continue
    const gap = Math.round(next.startedAt - refused.answeredAt)
    const value = refused.response?.headers['retry-after']
    return harm(
      `The answer said Retry-After: ${value}; the client asked again after ${gap} ms.`,
      refused,
      next,
    )
  }
  return undefined
}

/** More than the retries of any library by default. */
const mostAttempts = 12
/** A request that is refused for good (4xx, but 408 and 429) is not sent so often again. */
const mostRefused = 3

function isForGood({ status }: SeenRequest): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429
}

export const findTooManyAttempts: Judge = ({ seen }) => {
  for (const requests of groups(seen, keyOf).values()) {
    const lastGood = requests.findLastIndex(({ good }) => good)
    const failed = requests.slice(lastGood + 1).filter(isBad)
    const refusedForGood = failed.filter(isForGood)
    if (refusedForGood.length > mostRefused)
      return harm(
        `The client sent one request ${refusedForGood.length} times that was refused for good.`,
        ...refusedForGood,
      )
    if (failed.length > mostAttempts)
      return harm(
        `The client sent one request ${failed.length} times, and each attempt failed.`,
        ...failed,
      )
  }
  return undefined
}

function pollsOf(seen: readonly SeenRequest[]): ReadonlyMap<string, readonly SeenRequest[]> {
  const polls = seen.filter(({ target }) => target === 'device')
  return groups(polls, (poll) => formOf(poll, 'device_code'))
}

const finals: readonly unknown[] = ['access_denied', 'expired_token', 'invalid_grant']

export const findPolledOn: Judge = ({ seen }) => {
  for (const polls of pollsOf(seen).values()) {
    const at = polls.findIndex((poll) => finals.includes(answerOf(poll).error))
    const [end, next] = at < 0 ? [] : polls.slice(at)
    if (end && next)
      return harm(
        `The login ended with ${answerOf(end).error}, and the client polled on.`,
        end,
        next,
      )
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
      if (gap >= least - slackMs) continue
      return harm(
        `A poll came ${seconds(gap)} after the one before; the interval was ${seconds(least)} by then.`,
        before,
        poll,
      )
    }
  }
  return undefined
}
