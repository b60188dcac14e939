/** Whether a value that was read is of a shape. */
export type Check = (value: unknown) => boolean

/** A check of a key that may be absent. */
export interface Optional {
  readonly optional: Check
}

/** One row per key: a key that a record gains does not compile until its shape is told. */
export type Shape<R> = { readonly [K in keyof R]-?: Record<never, never> extends Pick<R, K> ? Optional : Check }

type Row = Check | Optional

export const text: Check = (value) => typeof value === 'string'
export const flag: Check = (value) => typeof value === 'boolean'
export const number: Check = (value) => typeof value === 'number'
export const whole: Check = Number.isSafeInteger
export const anything: Check = () => true
export const plain: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

export const optional = (check: Check): Optional => ({ optional: check })

export const oneOf = (...values: readonly unknown[]): Check => {
  const known = new Set(values)
  return (value) => known.has(value)
}

export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value))

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((item) => check(item))

export const mapOf =
  (check: Check): Check =>
  (value) => {
    if (!plain(value)) return false
    for (const key in value as object) if (!check((value as Record<string, unknown>)[key])) return false
    return true
  }

const checkOf = (row: Row): Check => (typeof row === 'function' ? row : row.optional)

/** Exactly these keys. */
export function object<R>(shape: Shape<R>): Check {
  const rows = Object.entries(shape as Record<string, Row>).map(([key, row]) => ({
    key,
    check: checkOf(row),
    required: typeof row === 'function',
  }))
  return (value) => {
    if (!plain(value)) return false
    const given = value as Record<string, unknown>
    let left = 0
    for (const _ in given) left++
    for (const { key, check, required } of rows) {
      const own = given[key]
      if (own === undefined) {
        if (required) return false
      } else if (check(own)) left--
      else return false
    }
    return left === 0
  }
}

/** Some of these keys, and no others. */
export function partOf<R>(shape: Shape<R>): Check {
  const rows = new Map(Object.entries(shape as Record<string, Row>))
  return (value) =>
    plain(value) &&
    Object.entries(value as object).every(([key, own]) => {
      const row = rows.get(key)
      return row !== undefined && checkOf(row)(own)
    })
}
