import { systemClock } from '../base/clock.js'
import { optional } from '../fields/composites.js'
import { integer } from '../fields/scalars.js'
import type { RequestEntry } from '../request/log/log-exchange.js'
import type { Expectation, NearMiss } from '../request/log/request-log.js'
import type { MatchDifference } from '../rules/match.js'
import { loggedMatchField } from '../rules/rule.js'
import { type Calls, ControlError, invalidAt } from './host.js'

const match = optional(loggedMatchField)
const times = integer(0, 1_000_000)

function textOf({ count, atLeast, atMost }: Expectation): string {
  if (count !== undefined) return String(count)
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}`
  return atLeast !== undefined ? `at least ${atLeast}` : `at most ${atMost ?? 0}`
}

function valueText(value: unknown): string {
  return value === null || value === undefined ? 'absent' : JSON.stringify(value)
}

function differenceText(
  { expected, actual }: MatchDifference,
  { method, path, at }: RequestEntry,
): string {
  return `expected ${valueText(expected)}, was ${valueText(actual)} in ${method} ${path} at ${at}`
}

function missErrors(nearest: readonly NearMiss[]) {
  return nearest.map(({ entry, difference }) => ({
    path: `match.${difference.path}`,
    message: differenceText(difference, entry),
  }))
}

export function createRequestsControl({ call, plain }: Calls) {
  return {
    list: plain(({ requestLog }) => requestLog.list()),
    /**
     * Requests without route, of a wrong method, or refused by the reader of their query or body.
     */
    unexpected: plain(({ requestLog }) => requestLog.unexpected()),
    find: call({ match }, ({ match: wanted = {} }, { requestLog }) => requestLog.find(wanted)),
    /**
     * Give count, atLeast or atMost. @throws ControlError (422) with the three nearest requests in
     * `details.nearest`
     */
    verify: call(
      { match, count: optional(times), atLeast: optional(times), atMost: optional(times) },
      ({ match: wanted = {}, ...expectation }, { requestLog, rules }) => {
        if (Object.values(expectation).every((value) => value === undefined)) {
          throw invalidAt('count', 'give count, atLeast or atMost')
        }
        const { ok, count, nearest } = requestLog.verify(wanted, expectation)
        const facts = {
          count,
          /** Rules with `times` left, which the code under test did not use up. */
          unusedRules: rules.unused().map(({ id }) => id) as readonly string[],
        }
        if (ok) return facts
        throw new ControlError(
          'invalid',
          `Expected ${textOf(expectation)} matching requests, found ${count}`,
          {
            errors: missErrors(nearest),
            details: { ...facts, nearest },
          },
        )
      },
    ),
    /** Waits for `count` requests (1), on host time. @throws ControlError (408) */
    wait: call(
      { match, count: optional(integer(1, 1_000_000)), timeoutMs: optional(integer(0, 600_000)) },
      async ({ match: wanted = {}, count = 1, timeoutMs = 5000 }, { requestLog }) => {
        const found = await requestLog.wait(wanted, count, timeoutMs, systemClock)
        if (found) return found
        const seen = requestLog.find(wanted).length
        throw new ControlError('timeout', `Waited for ${count} matching requests, found ${seen}`, {
          details: { count: seen },
        })
      },
    ),
    delete: plain(({ requestLog }) => requestLog.clear()),
  }
}

export type Verification = Readonly<
  Awaited<ReturnType<ReturnType<typeof createRequestsControl>['verify']>>
>
