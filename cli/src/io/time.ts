const WEEK_MS = 7 * 86_400_000
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** The farthest that a JavaScript date can be from 1970. */
const MAX_MS = 8_640_000_000_000_000

function withinDates(instant: number) {
  return Math.min(Math.max(instant, -MAX_MS), MAX_MS)
}

function parts(
  instant: number,
  utc: boolean,
): { readonly day: string; readonly time: string; readonly weekday: number } {
  const minutes = utc ? 0 : new Date(withinDates(instant)).getTimezoneOffset()
  const shifted = new Date(withinDates(instant - minutes * 60_000))
  const [day = '', time = ''] = shifted.toISOString().split('T')
  return { day, time: time.slice(0, 8), weekday: shifted.getUTCDay() }
}

function two(value: number) {
  return String(value).padStart(2, '0')
}

/** A moment to the second: `2026-11-27 14:02:11`, and in UTC ` UTC` behind it. */
export function moment(instant: number, utc: boolean): string {
  const { day, time } = parts(instant, utc)
  return `${day} ${time}${utc ? ' UTC' : ''}`
}

/**
 * How long ago: `8s ago`, `26m ago`, up to two hours `95m ago`, `2h ago`, under seven days
 * `Fri 14:02`, else `2026-10-26`.
 */
export function age(instant: number, now: number, utc: boolean): string {
  const seconds = Math.max(0, Math.floor((now - instant) / 1000))
  if (seconds < 60) return `${seconds}s ago`
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ago`
  const { day, time, weekday } = parts(instant, utc)
  return now - instant < WEEK_MS ? `${DAYS[weekday]} ${time.slice(0, 5)}` : day
}

/** A length of time: `48s`, `6m 03s`, `1h 05m`, `2d 04h`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  return seconds < 60 ? `${seconds}s` : jobDuration(milliseconds)
}

/** A length of time for a column: as {@link duration}, but `0m 48s` under a minute. */
export function jobDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  if (seconds < 86_400)
    return `${Math.floor(seconds / 3600)}h ${two(Math.floor((seconds % 3600) / 60))}m`
  return `${Math.floor(seconds / 86_400)}d ${two(Math.floor((seconds % 86_400) / 3600))}h`
}

/** A wait, rounded up: `42 s`, `3 min`. */
export function wait(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
