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

/** `6m 41s` between two wire times; null when either is missing. */
export function took(from: string | null, to: string | null, now: number): string | null {
  if (from === null) return null
  const seconds = Math.max(0, Math.round(((to === null ? now : Date.parse(to)) - Date.parse(from)) / 1000))
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds}s` : `${minutes}m ${String(seconds % 60).padStart(2, '0')}s`
}

/** `2026-03-01 09:05 UTC` */
export const moment = (time: string | number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
