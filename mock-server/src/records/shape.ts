import { isPlainObject } from '../fields/field.js'

/** Whether a value that was read is of a kind, with the type of what passes; that is never set. */
export interface Check<T = unknown> {
  (value: unknown): boolean
  readonly accepts?: T
}

export interface Optional<T = unknown> {
  readonly optional: Check<T>
}

type Shape = Readonly<Record<string, Check | Optional>>

export type Of<C> = C extends Check<infer T> ? T : never

type Plain<T> = { readonly [K in keyof T]: T[K] }
type OfShape<S extends Shape> = Plain<
  { readonly [K in keyof S as S[K] extends Check ? K : never]: Of<S[K]> } & {
    readonly [K in keyof S as S[K] extends Optional ? K : never]?: S[K] extends Optional<infer T> ? T : never
  }
>

export const text: Check<string> = (value) => typeof value === 'string'
export const flag: Check<boolean> = (value) => typeof value === 'boolean'
export const number: Check<number> = (value) => typeof value === 'number'
export const whole: Check<number> = Number.isSafeInteger
export const anything: Check = () => true
export const plain: Check<Readonly<Record<string, unknown>>> = isPlainObject

export const optional = <T>(check: Check<T>): Optional<T> => ({ optional: check })

export const oneOf = <const T>(...values: readonly T[]): Check<T> => {
  const known: ReadonlySet<unknown> = new Set(values)
  return (value) => known.has(value)
}

export const either =
  <T extends readonly unknown[]>(...checks: { readonly [K in keyof T]: Check<T[K]> }): Check<T[number]> =>
  (value) =>
    checks.some((check) => check(value))

export const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value) =>
    value === null || check(value)

export const listOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value) =>
    Array.isArray(value) && value.every((item) => check(item))

export const mapOf =
  <T>(check: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value) => {
    if (!plain(value)) return false
    for (const key in value as object) if (!check((value as Record<string, unknown>)[key])) return false
    return true
  }

export const keys = <R extends Check | Optional, const K extends string>(check: R, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, check])) as { readonly [N in K]: R }

/** Exactly these keys, and what else is asked of them together. */
export function object<S extends Shape>(shape: S, together: Check = anything): Check<OfShape<S>> {
  const rows = Object.entries(shape).map(([key, row]) => {
    const required = typeof row === 'function'
    return { key, check: required ? row : row.optional, required }
  })
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
    return left === 0 && together(value)
  }
}
