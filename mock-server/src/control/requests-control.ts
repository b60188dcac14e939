import type { Clock } from '../clock.js'
import { object, optional } from '../fields/composites.js'
import type { Field } from '../fields/field.js'
import { integer, text } from '../fields/scalars.js'
import type { RequestEntry } from '../request-log/entry.js'
import type { Expectation, NearMiss } from '../request-log/request-log.js'
import type { Difference, LoggedMatch } from '../rules/match.js'
import { matchTable } from '../rules/rule-fields.js'
import type { Generation } from '../sandbox/sandbox.js'
import { ControlError, invalidAt } from './control-error.js'
import { guarded, readParams } from './host.js'

export interface Verification {
  readonly count: number
  /** Rules with `times` left: the code under test did not get as far as they were meant for. */
  readonly unusedRules: readonly string[]
}

export interface RequestsControl {
  list(): Promise<readonly RequestEntry[]>
  /** Requests without route, of a wrong method, or refused by the reader of their query or body. */
  unexpected(): Promise<readonly RequestEntry[]>
  find(params: { readonly match?: LoggedMatch | undefined }): Promise<readonly RequestEntry[]>
  /** @throws ControlError (422) with the three nearest requests in `details.nearest` */
  verify(params: { readonly match?: LoggedMatch | undefined } & Expectation): Promise<Verification>
  /** Waits for `count` requests (1), on host time. @throws ControlError (408) */
  wait(params: {
    readonly match?: LoggedMatch | undefined
    readonly count?: number
    readonly timeoutMs?: number
  }): Promise<readonly RequestEntry[]>
  delete(): Promise<void>
}

const matchField = object({
  ...matchTable,
  status: optional(integer(100, 599)),
  user: optional(text({ max: 254 })),
  client_id: optional(text({ max: 64 })),
  accessTokenId: optional(text({ max: 64 })),
}) as Field<LoggedMatch>
const match = optional(matchField)
const times = integer(0, 1_000_000)

const findField = object({ match })
const verifyField = object({ match, count: optional(times), atLeast: optional(times), atMost: optional(times) })
const waitField = object({ match, count: optional(integer(1, 1_000_000)), timeoutMs: optional(integer(0, 600_000)) })

const asked = ({ count, atLeast, atMost }: Expectation): string => {
  if (count !== undefined) return String(count)
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost}`
  return atLeast !== undefined ? `at least ${atLeast}` : `at most ${atMost ?? 0}`
}

const shown = (value: unknown): string => (value === null || value === undefined ? 'absent' : JSON.stringify(value))

const differenceText = ({ expected, actual }: Difference, { method, path, at }: RequestEntry): string =>
  `expected ${shown(expected)}, was ${shown(actual)} in ${method} ${path} at ${at}`

const missErrors = (nearest: readonly NearMiss[]) =>
  nearest.map(({ entry, difference }) => ({
    path: `match.${difference.path}`,
    message: differenceText(difference, entry),
  }))

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined

export const createRequestsControl = (ground: () => Generation, hostClock: Clock): RequestsControl => ({
  list: () => guarded(() => ground().requestLog.list()),
  unexpected: () => guarded(() => ground().requestLog.unexpected()),
  find: (params) => guarded(() => ground().requestLog.find(readParams(findField, params).match ?? {})),
  verify: (params) =>
    guarded(() => {
      const read = readParams(verifyField, params)
      const expectation: Expectation = {
        count: given(read.count),
        atLeast: given(read.atLeast),
        atMost: given(read.atMost),
      }
      if (Object.values(expectation).every((value) => value === undefined)) {
        throw invalidAt('count', 'give count, atLeast or atMost')
      }
      const { requestLog: log, rules } = ground()
      const { ok, count, nearest } = log.verify(read.match ?? {}, expectation)
      const unusedRules = rules.unused().map(({ id }) => id)
      if (ok) return { count, unusedRules }
      throw new ControlError('invalid', `Expected ${asked(expectation)} matching requests, found ${count}`, {
        errors: missErrors(nearest),
        details: { count, nearest, unusedRules },
      })
    }),
  wait: (params) =>
    guarded(async () => {
      const { match: wanted, count, timeoutMs } = readParams(waitField, params)
      const { requestLog: log } = ground()
      const found = await log.wait(wanted ?? {}, count ?? 1, timeoutMs ?? 5000, hostClock)
      if (found) return found
      const seen = log.find(wanted ?? {}).length
      throw new ControlError('timeout', `Waited for ${count ?? 1} matching requests, found ${seen}`, {
        details: { count: seen },
      })
    }),
  delete: () => guarded(() => ground().requestLog.clear()),
})
