import { parseTimestamp } from '@buildwire/sdk'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** A point in time as typed, resolved only when the command runs. */
export type TimeSpec =
  | { readonly kind: 'instant'; readonly ms: number }
  | { readonly kind: 'ago'; readonly ms: number }
  | { readonly kind: 'midnight'; readonly daysAgo: number }

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const ISO =
  /^(?!0000)(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?(?: ?(Z)|([+-]\d\d:?\d\d))?)?$/u
/** An older time would have no date that the API accepts. */
const CENTURY_MS = 36_525 * 86_400_000

/** Reads a time: ISO 8601 (without an offset: local), `2h`, `3d`, `1w`, `today`, `yesterday`. */
export function parseTime(text: string): TimeSpec {
  if (text === 'today') return { kind: 'midnight', daysAgo: 0 }
  if (text === 'yesterday') return { kind: 'midnight', daysAgo: 1 }
  const ago = /^(\d{1,9})([smhdw])$/u.exec(text)
  if (ago !== null) {
    const ms = Number(ago[1]) * (UNIT_MS[ago[2] ?? ''] ?? 0)
    if (ms > CENTURY_MS) throw usageError(say`${JSON.stringify(text)} is more than a century ago`)
    return { kind: 'ago', ms }
  }
  const iso = ISO.exec(text)
  if (iso !== null) {
    // JavaScript reads a date alone as UTC; people mean midnight of their own time zone.
    const [, date = '', time = '00:00', seconds = ':00', fraction = '', utc, offset] = iso
    const moment = `${date}T${time}${seconds}${fraction.slice(0, 4)}`
    const zone = utc ?? offset
    const ms = parseTimestamp(moment + (zone ?? 'Z'))
    if (ms !== null) return { kind: 'instant', ms: zone === undefined ? Date.parse(moment) : ms }
  }
  throw usageError(say`${JSON.stringify(text)} is not a time`, {
    lines: [
      say`A time is ISO 8601 (2026-03-01T09:05:00Z), an age (2h, 3d, 1w), today or yesterday`,
    ],
  })
}

/** The instant of a time, counted from `now`, as UTC with `Z`. */
export function timeToUtc(time: TimeSpec, now: number): string {
  if (time.kind === 'instant') return new Date(time.ms).toISOString()
  if (time.kind === 'ago') return new Date(now - time.ms).toISOString()
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  midnight.setDate(midnight.getDate() - time.daysAgo)
  return midnight.toISOString()
}
