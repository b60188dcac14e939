import { timestamp } from '../domain/timestamp.js'
import { list, object, where } from '../fields/composites.js'
import { type Field, kindOf } from '../fields/field.js'
import { integer, isText, text } from '../fields/scalars.js'
import { isNetwork } from '../http/address.js'
import { parseTime } from '../http/query.js'

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }
const ago = /^-(?=\d)(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?$/

/**
 * Epoch milliseconds of `2026-03-01`, `2026-03-01T09:05:00.120Z`, `…+11:00`, or `-2h30m` before
 * `now`; null for any other text.
 */
export function readTime(given: string, now: number): number | null {
  const parts = ago.exec(given)
  if (parts) {
    return ['d', 'h', 'm', 's'].reduce(
      (time, unit, n) => time - Number(parts[n + 1] ?? 0) * (unitMs[unit] ?? 0),
      now,
    )
  }
  const time = parseTime(given)
  return time === null ? null : Date.parse(time)
}

export const slug = text({
  max: 100,
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
  shape: 'a slug: letters, digits, . _ -',
})

/** IP addresses and CIDR blocks, for lists of allowed or trusted addresses. */
export const networks = list(
  where(text({ max: 100 }), isNetwork, 'must be an IPv4 or IPv6 address or CIDR block'),
  {
    max: 100,
    distinct: true,
  },
)

export const email = text({
  max: 254,
  pattern: /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/,
  shape: 'one e-mail address',
})

/** A time of a seed: ISO 8601, or a span before the sandbox clock's now. */
export const time: Field<string> = {
  schema: {
    type: 'string',
    description: 'ISO 8601, or a span before now: -3d, -2h30m, -45s',
    examples: ['2026-03-01T09:05:00Z', '-2h30m'],
  },
  is: isText,
  read: (value, now) => timestamp(readTime(value, now) ?? now),
  check(value, at, report) {
    if (!isText(value))
      report.issue(at, `must be a time such as 2026-03-01T09:05:00Z or -2h, not ${kindOf(value)}`)
    else if (readTime(value, 0) === null)
      report.issue(at, 'must be a time such as 2026-03-01T09:05:00Z or -2h30m')
  },
}

export const shortText = text({ max: 1000 })
export const line = text({ min: 1, max: 255 })
export const buildNumber = integer(1, 999_999_999_999_999)
export const buildReference = object({ pipeline: slug, number: buildNumber })

export const scopes = list(text({ pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/, shape: 'a scope' }), {
  max: 100,
  distinct: true,
})
