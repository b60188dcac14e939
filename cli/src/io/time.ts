const WEEK_MS = 7 * 86_400_000
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

// Both forms of the wire: `2026-03-01T09:05:00.120Z` with any offset, and `2026-03-01 09:05:00 UTC`.
const WIRE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)$/u

/** Epoch milliseconds of a time on the wire, null when it cannot be read. */
export function wireTime(text: string | null | undefined): number | null {
  const match = typeof text === 'string' ? WIRE_TIME.exec(text) : null
  if (match === null) return null
  const [, date, time, fraction = '', zone = 'Z'] = match
  return instantOf(`${date}T${time}`, fraction.slice(0, 4), zone === 'UTC' ? 'Z' : zone)
}

/** Epoch milliseconds of a moment that the calendar has: no 30 February, no 24:00; without a zone a local one. */
export function instantOf(moment: string, fraction: string, zone: string): number | null {
  const utc = Date.parse(`${moment}Z`)
  if (Number.isNaN(utc) || !new Date(utc).toISOString().startsWith(moment)) return null
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  const milliseconds = Date.parse(`${moment}${fraction}${offset}`)
  return Number.isNaN(milliseconds) ? null : milliseconds
}

/** The longest that a date can be, either way. */
const MAX_MS = 8_640_000_000_000_000

const withinDates = (instant: number) => Math.min(Math.max(instant, -MAX_MS), MAX_MS)

function parts(
  instant: number,
  utc: boolean,
): { readonly day: string; readonly time: string; readonly weekday: number } {
  const minutes = utc ? 0 : new Date(withinDates(instant)).getTimezoneOffset()
  const shifted = new Date(withinDates(instant - minutes * 60_000))
  const [day = '', time = ''] = shifted.toISOString().split('T')
  return { day, time: time.slice(0, 8), weekday: shifted.getUTCDay() }
}

const two = (value: number) => String(value).padStart(2, '0')

/** The time of day, `14:02:11`. */
export function clockTime(instant: number, utc: boolean): string {
  return parts(instant, utc).time
}

/** A moment to the second: `2026-11-27 14:02:11`, and in UTC ` UTC` behind it. */
export function moment(instant: number, utc: boolean): string {
  const { day, time } = parts(instant, utc)
  return `${day} ${time}${utc ? ' UTC' : ''}`
}

/** How long ago: `8s ago`, `26m ago`, `2h ago`, under seven days `Fri 14:02`, else `2026-10-26`. */
export function age(instant: number, now: number, utc: boolean): string {
  const seconds = Math.max(0, Math.floor((now - instant) / 1000))
  if (seconds < 60) return `${seconds}s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`
  const { day, time, weekday } = parts(instant, utc)
  return now - instant < WEEK_MS ? `${DAYS[weekday]} ${time.slice(0, 5)}` : day
}

/** A length of time: `48s`, `6m 03s`, `1h 05m`, `2d 04h`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  return seconds < 60 ? `${seconds}s` : jobDuration(milliseconds)
}

/** A length of time that stands in a column of such: as {@link duration}, but `0m 48s` under a minute. */
export function jobDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${two(Math.floor((seconds % 3600) / 60))}m`
  return `${Math.floor(seconds / 86_400)}d ${two(Math.floor((seconds % 86_400) / 3600))}h`
}

/** A wait as a person counts it: `42 s`, `3 min`. */
export function wait(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
