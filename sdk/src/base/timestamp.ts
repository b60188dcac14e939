const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

/**
 * Epoch milliseconds of a timestamp as services write it, `2026-03-01T09:05:00.120Z` or `2026-03-01
 * 09:05:00 UTC`, with any number of decimals (cut to milliseconds) and any offset; without an
 * offset it is UTC. Null when it is absent or no such time: records keep their timestamps as text,
 * and an unreadable one never throws.
 *
 * @example
 * ```ts
 * const startedAt = parseTimestamp(build.started_at)
 * if (startedAt !== null) console.log(new Date(startedAt).toLocaleString())
 * ```
 */
export function parseTimestamp(text: string | null | undefined): number | null {
  const match = typeof text === 'string' ? iso.exec(text.trim()) : null
  if (match === null) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] =
    match
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), ms)
  // A day or an hour that does not exist rolls over into another one.
  const real = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  if (!real || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const offset = offsetMs(zone)
  return offset === null ? null : date.getTime() - offset
}

/**
 * Whether the text tells parts of a second: without them it may stand for any moment of its second.
 */
export function hasFraction(text: string): boolean {
  return /:\d\d[.,]\d/.test(text)
}

function offsetMs(zone: string): number | null {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  if (match === null) return 0
  const [, sign, hours, minutes = '0'] = match
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
