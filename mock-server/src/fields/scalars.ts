import { type Field, kindOf } from './field.js'

export interface TextRules {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  /** Describes the pattern, after the words `must be`. */
  readonly shape?: string
}

const loneSurrogate = /\p{Surrogate}/u

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/**
 * Text. A number or boolean is refused with the hint to quote it, because YAML reads `5e10` as a
 * number.
 */
export function text({ min = 0, max = 65_536, pattern, shape }: TextRules = {}): Field<string> {
  return {
    schema: {
      type: 'string',
      ...(min > 0 && { minLength: min }),
      maxLength: max,
      ...(pattern && { pattern: pattern.source }),
    },
    is: isText,
    check(value, at, report) {
      if (!isText(value)) {
        const hint =
          typeof value === 'number' || typeof value === 'boolean' ? ': put it in quotes' : ''
        report.issue(at, `must be text, not ${kindOf(value)}${hint}`)
      } else if (loneSurrogate.test(value)) report.issue(at, 'must be well-formed Unicode')
      else if (value.length < min)
        report.issue(at, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
      else if (value.length > max) report.issue(at, `must have at most ${max} characters`)
      else if (pattern && !pattern.test(value))
        report.issue(at, `must be ${shape ?? `like ${pattern.source}`}`)
    },
  }
}

export const flag: Field<boolean> = {
  schema: { type: 'boolean' },
  is: (value) => typeof value === 'boolean',
  check(value, at, report) {
    if (!flag.is(value)) report.issue(at, `must be true or false, not ${kindOf(value)}`)
  },
}

function numeric(whole: boolean) {
  return (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): Field<number> => ({
    schema: {
      type: whole ? 'integer' : 'number',
      ...(Number.isFinite(min) && { minimum: min }),
      ...(Number.isFinite(max) && { maximum: max }),
    },
    is: whole ? Number.isSafeInteger : (value) => typeof value === 'number',
    check(value, at, report) {
      const noun = whole ? 'a whole number' : 'a number'
      if (typeof value !== 'number') report.issue(at, `must be ${noun}, not ${kindOf(value)}`)
      else if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value)))
        report.issue(at, `must be ${noun}`)
      else if (value < min) report.issue(at, `must be at least ${min}`)
      else if (value > max) report.issue(at, `must be at most ${max}`)
    },
  })
}

export const integer = numeric(true)
export const number = numeric(false)

export function oneOf<const T extends string>(...words: readonly T[]): Field<T> {
  const known: ReadonlySet<unknown> = new Set(words)
  return {
    schema: { enum: words },
    is: (value) => known.has(value),
    check(value, at, report) {
      if (known.has(value)) return
      const given = isText(value) ? JSON.stringify(value.slice(0, 60)) : kindOf(value)
      report.issue(at, `must be one of ${words.join(', ')}, not ${given}`)
    },
  }
}

/** Exactly one value: `version: 1`. */
export function exactly<const T extends string | number | boolean>(only: T): Field<T> {
  return {
    schema: { const: only },
    is: (value) => value === only,
    check(value, at, report) {
      if (value !== only) report.issue(at, `must be ${JSON.stringify(only)}`)
    },
  }
}

/** Any JSON value. */
export const anything: Field<unknown> = { schema: {}, is: () => true, check() {} }

export const uuid: Field<string> = text({
  pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  shape: 'a UUID in lower case',
})
