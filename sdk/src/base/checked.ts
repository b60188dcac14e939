import { ConfigError } from '../errors/errors.js'
import { type Clock, systemClock } from './clock.js'

export function must(option: string, what: string): ConfigError {
  return new ConfigError(option, `${option} must ${what}`)
}

/**
 * Parameters or options as an object. @throws ConfigError `config`, naming what it needs: in words,
 * or the names of a table
 */
export function checkedObject<T>(name: string, value: T, needs: string | object): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const what = typeof needs === 'string' ? needs : `{ ${Object.keys(needs).join(', ')} }`
  throw must(name, `be an object: ${what}`)
}

/**
 * The names of `T`, all of them and no other: the compiler says which one a list of options has
 * forgotten.
 */
export type Names<T> = Readonly<Record<keyof T & string, unknown>>

/**
 * Parameters or options with these names and no others: a misspelt one would be ignored without a
 * word. @throws ConfigError
 */
export function checkedNames<T extends object>(
  what: 'options' | 'params' | 'timeouts' | 'source',
  value: T,
  names: Names<T>,
): T {
  checkedObject(what, value, names)
  for (const name in value) {
    if (value[name] === undefined || Object.hasOwn(names, name)) continue
    throw new ConfigError(
      name,
      `${what} must hold no ${name}; there are ${Object.keys(names).join(', ')}`,
    )
  }
  return value
}

export function checkedFunction<T>(option: string, value: T): T {
  if (value === undefined || typeof value === 'function') return value
  throw must(option, 'be a function')
}

/** Whether it is a `Uint8Array`, such as a `Buffer`, also of another realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === '[object Uint8Array]'
}

/** A thing with these methods, or nothing. @throws ConfigError `config`, naming the methods */
export function checkedMethods<T>(
  option: string,
  value: T,
  ...methods: readonly (keyof NonNullable<T> & string)[]
): T {
  const missing =
    value === undefined ? undefined : methods.find((name) => typeof value?.[name] !== 'function')
  if (missing === undefined) return value
  const all = methods.map((name) => `${name}()`).join(', ')
  throw must(option, `have ${all}; ${missing}() is missing`)
}

/** One of the words, or nothing. @throws ConfigError `config`, naming the words */
export function checkedWord<T extends string>(
  option: string,
  value: T | undefined,
  ...words: readonly T[]
): void {
  if (value === undefined || words.includes(value)) return
  throw must(option, `be one of ${words.join(', ')}`)
}

/**
 * `true`, `false` or nothing, which is false: the word "false" of an environment variable is none
 * of them.
 */
export function checkedFlag(option: string, value: boolean | undefined): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false
  throw must(option, 'be true or false')
}

export function checkedClock(clock: Clock | undefined): Clock {
  return checkedMethods('clock', clock, 'now', 'monotonic', 'sleep') ?? systemClock
}

export function checkedRandom(random: (() => number) | undefined): () => number {
  return checkedFunction('random', random) ?? Math.random
}
