import { type Field, kindOf } from './field.js'

export interface TextRules {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  /** What the pattern wants, as the end of a sentence: `must be …`. */
  readonly shape?: string
  readonly format?: string
}

const loneSurrogate = /\p{Surrogate}/u

/** Text. A number or boolean in its place is refused with the hint to quote it: YAML reads `5e10` as a number. */
export const text = ({ min = 0, max = 65_536, pattern, shape, format }: TextRules = {}): Field<string> => ({
  schema: {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    ...(pattern && { pattern: pattern.source }),
    ...(format && { format }),
  },
  check(value, at, report) {
    if (typeof value === 'number' || typeof value === 'boolean') {
      report.issue(at, `must be text, not ${kindOf(value)}: put it in quotes`)
    } else if (typeof value !== 'string') report.issue(at, `must be text, not ${kindOf(value)}`)
    else if (loneSurrogate.test(value)) report.issue(at, 'must be well-formed Unicode')
    else if (value.length < min)
      report.issue(at, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    else if (value.length > max) report.issue(at, `must have at most ${max} characters`)
    else if (pattern && !pattern.test(value)) report.issue(at, `must be ${shape ?? `like ${pattern.source}`}`)
  },
})

export const flag: Field<boolean> = {
  schema: { type: 'boolean' },
  check(value, at, report) {
    if (typeof value !== 'boolean') report.issue(at, `must be true or false, not ${kindOf(value)}`)
  },
}

const numeric = (whole: boolean, min: number, max: number): Field<number> => ({
  schema: {
    type: whole ? 'integer' : 'number',
    ...(Number.isFinite(min) && { minimum: min }),
    ...(Number.isFinite(max) && { maximum: max }),
  },
  check(value, at, report) {
    const noun = whole ? 'a whole number' : 'a number'
    if (typeof value !== 'number') report.issue(at, `must be ${noun}, not ${kindOf(value)}`)
    else if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) report.issue(at, `must be ${noun}`)
    else if (value < min) report.issue(at, `must be at least ${min}`)
    else if (value > max) report.issue(at, `must be at most ${max}`)
  },
})

export const integer = (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): Field<number> =>
  numeric(true, min, max)

export const number = (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): Field<number> =>
  numeric(false, min, max)

export const oneOf = <const T extends string>(...words: readonly T[]): Field<T> => ({
  schema: { enum: words },
  check(value, at, report) {
    if (!words.some((word) => word === value)) {
      const given = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : kindOf(value)
      report.issue(at, `must be one of ${words.join(', ')}, not ${given}`)
    }
  },
})

/** Exactly one value: `version: 1`. */
export const exactly = <const T extends string | number | boolean>(only: T): Field<T> => ({
  schema: { const: only },
  check(value, at, report) {
    if (value !== only) report.issue(at, `must be ${JSON.stringify(only)}`)
  },
})

/** Any JSON at all. */
export const anything: Field<unknown> = { schema: {}, check() {} }

export const uuid: Field<string> = text({
  pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  shape: 'a UUID in lower case',
})
