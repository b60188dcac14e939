import { timestamp } from '../domain/timestamp.js'
import { object, optional, required } from '../fields/composites.js'
import { integer, oneOf, text } from '../fields/scalars.js'
import { parseTime } from '../http/query.js'
import type { Generation } from '../sandbox/sandbox.js'
import { type Calls, invalidAt } from './host.js'

const time = text({ max: 40 })
const clockTable = {
  mode: required(oneOf('real', 'offset', 'frozen')),
  now: optional(time),
  offsetMs: optional(integer(-1_000_000_000_000, 3_153_600_000_000)),
}

export const clockField = object(clockTable)

const firstMoment = Date.parse('0001-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T00:00:00Z')

/** @throws ControlError (422) for a time outside the years 1 to 9999 */
function checkMoment(path: string, moment: number): void {
  if (!(moment >= firstMoment && moment <= lastMoment))
    throw invalidAt(path, 'must stay in the years 1 to 9999')
}

/** Epoch ms of an ISO 8601 time. @throws ControlError (422) */
export function readMoment(path: string, given: string): number {
  const parsed = parseTime(given)
  if (parsed === null) throw invalidAt(path, 'must be an ISO 8601 time')
  return Date.parse(parsed)
}

export function viewClock({ clock }: Pick<Generation, 'clock'>) {
  return {
    mode: clock.mode,
    /** The sandbox's wall time, ISO 8601. */
    now: timestamp(clock.now()),
    /** How far the clock is ahead of the host's. */
    offsetMs: clock.offsetMs,
    /** When the next move of the lifecycle is due; null if no move is planned. */
    nextDueAt: clock.nextDueAt === null ? null : timestamp(clock.nextDueAt),
  }
}

export type ClockView = Readonly<ReturnType<typeof viewClock>>

/** Stores the clock's mode and time, so that a restart does not move the time. */
function remember({ store, clock }: Generation): Promise<void> {
  return store.update((tx) => tx.put('meta', { id: 'clock', value: clock.setting }))
}

export function createClockControl({ call, plain }: Calls) {
  return {
    get: plain(viewClock),
    set: call(clockTable, async ({ mode, now, offsetMs }, generation) => {
      const { clock } = generation
      const before = clock.now()
      if (now && mode !== 'frozen') throw invalidAt('now', 'belongs to the mode frozen')
      if (offsetMs && mode !== 'offset') throw invalidAt('offsetMs', 'belongs to the mode offset')
      const target = now ? readMoment('now', now) : null
      const host = before - clock.offsetMs
      const times = { real: host, offset: host + (offsetMs ?? clock.offsetMs), frozen: before }
      const after = target ?? times[mode]
      checkMoment(now ? 'now' : 'offsetMs', after)

      // The host's clock advances between two reads of it.
      const isBackward = after < before - 1000
      if (isBackward) {
        const path = mode === 'frozen' ? 'now' : 'mode'
        throw invalidAt(path, 'a clock goes forward only; reset sets it back')
      }
      clock.set({ mode, now: target ?? undefined, offsetMs })
      await remember(generation)
      return viewClock(generation)
    }),
    /** Advances the clock, and runs all moves that become due before it answers. */
    advance: call(
      { ms: optional(integer(0, 3_153_600_000_000)), to: optional(time) },
      async ({ ms, to }, generation) => {
        if ((ms === undefined) === (to === undefined)) throw invalidAt('', 'give either ms or to')
        const { clock } = generation
        const span = to ? readMoment('to', to) - clock.now() : (ms ?? 0)
        if (span < 0) throw invalidAt('to', 'a clock goes forward only; reset sets it back')
        checkMoment(to ? 'to' : 'ms', clock.now() + span)
        const { fired, firedCount, stoppedAt } = await clock.advance(span)
        await remember(generation)
        return {
          ...viewClock(generation),
          /** The first 1 000 moves, each with its due time. */
          fired: fired.map((move) => ({ ...move, at: timestamp(move.at) })),
          firedCount,
          ...(stoppedAt !== undefined && {
            /** Present if the call stopped early at the limit of moves per call. */
            stoppedAt: timestamp(stoppedAt),
          }),
        }
      },
    ),
  }
}

export type AdvanceView = Readonly<
  Awaited<ReturnType<ReturnType<typeof createClockControl>['advance']>>
>
