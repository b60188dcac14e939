/** `4 minutes ago`, or the day when it is longer than a week: as of `now`, in words of one form. */
export function ago(time: string | number, now: number): string {
  const at = typeof time === 'number' ? time : Date.parse(time)
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  const units: readonly (readonly [seconds: number, word: string])[] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ]
  if (seconds > 7 * 86_400) return new Date(at).toISOString().slice(0, 10)
  for (const [size, word] of units) {
    const count = Math.floor(seconds / size)
    if (count > 0) return `${count} ${word}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}

const two = (count: number): string => String(Math.floor(count)).padStart(2, '0')

/** `41s`, `6m 41s`, `2h 05m`, `1d 14h` */
export function tookMs(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${two((seconds % 3600) / 60)}m`
  return `${Math.floor(seconds / 86_400)}d ${two((seconds % 86_400) / 3600)}h`
}

/** {@link tookMs} between two wire times; null when the first is missing. */
export const took = (from: string | null, to: string | null, now: number): string | null =>
  from === null ? null : tookMs((to === null ? now : Date.parse(to)) - Date.parse(from))

/** `2026-03-01 09:05 UTC` */
export const moment = (time: string | number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** `2026-03-01 09:05 UTC, 4 minutes ago`: what is older than a week is told by its moment alone. */
export function momentAgo(time: string | number, now: number): string {
  const [at, since] = [moment(time), ago(time, now)]
  return at.startsWith(since) ? at : `${at}, ${since}`
}
