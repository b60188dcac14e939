/** The units of ages, each from so many seconds on: `1 hour ago` could mean nearly two hours. */
const units = [
  { from: 2 * 86_400, size: 86_400, word: 'day' },
  { from: 2 * 3_600, size: 3_600, word: 'hour' },
  { from: 60, size: 60, word: 'minute' },
  { from: 1, size: 1, word: 'second' },
] as const

/** `4 minutes ago`, `95 minutes ago`, `2 hours ago`, or the date after more than a week. */
export function ago(time: string | number, now: number): string {
  const at = new Date(time)
  const seconds = Math.max(0, Math.floor((now - at.getTime()) / 1000))
  if (seconds > 7 * 86_400) return at.toISOString().slice(0, 10)
  const unit = units.find(({ from }) => seconds >= from)
  if (unit === undefined) return 'just now'
  const count = Math.floor(seconds / unit.size)
  return `${count} ${unit.word}${count === 1 ? '' : 's'} ago`
}

function two(count: number): string {
  return String(Math.floor(count)).padStart(2, '0')
}

/** `41s`, `6m 41s`, `2h 05m`, `1d 14h` */
export function tookMs(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${two((seconds % 3600) / 60)}m`
  return `${Math.floor(seconds / 86_400)}d ${two((seconds % 86_400) / 3600)}h`
}

/** {@link tookMs} between two wire times; null when the first is missing. */
export function took(from: string | null, to: string | null, now: number): string | null {
  return from === null ? null : tookMs((to === null ? now : Date.parse(to)) - Date.parse(from))
}

/** `2026-03-01 09:05 UTC` */
export function moment(time: string | number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** `2026-03-01 09:05 UTC, 4 minutes ago`; only the first part after more than a week. */
export function momentAgo(time: string | number, now: number): string {
  const at = moment(time)
  const since = ago(time, now)
  return at.startsWith(since) ? at : `${at}, ${since}`
}
