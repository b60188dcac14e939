import { checkedNames, must } from '../base/checked.js'

/**
 * The time limits of a call and of each of its phases, in milliseconds; `Infinity` turns one off.
 */
export interface Timeouts {
  readonly connectMs: number
  readonly headersMs: number
  readonly bodyIdleMs: number
  /** One attempt from first byte to last: a body that drips one byte a second is never idle. */
  readonly attemptMs: number
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyIdleMs: 30_000,
  attemptMs: 60_000,
}

/** Failures and OAuth answers are read this far; the rest is thrown away. */
export const smallBodyBytes = 65_536

/** A time limit as given, or the default. @throws ConfigError unless it is a positive number. */
export function timeLimit(option: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value === 'number' && value > 0) return value
  throw must(option, 'be a positive number of milliseconds, or Infinity for no limit')
}

/**
 * A count as given, or the default. @throws ConfigError unless it is a whole number from `least`.
 */
export function countLimit(
  option: string,
  value: number | undefined,
  fallback: number,
  least = 0,
): number {
  if (value === undefined) return fallback
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= least)
    return value
  throw must(option, `be a whole number from ${least}`)
}

/**
 * The longest wait that a server may ask for, as given, or the default. @throws ConfigError unless
 * it is a number from 0.
 */
export function retryAfterLimit(value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value === 'number' && value >= 0) return value
  throw must('maxRetryAfterMs', 'be a number of milliseconds from 0')
}

export function timeouts(given: { [K in keyof Timeouts]?: number | undefined } = {}): Timeouts {
  checkedNames('timeouts', given, defaultTimeouts)
  const limits = Object.entries(defaultTimeouts).map(([name, usual]) => {
    return [name, timeLimit(`timeouts.${name}`, given[name as keyof Timeouts], usual)] as const
  })
  return { ...defaultTimeouts, ...Object.fromEntries(limits) }
}
