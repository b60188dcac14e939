import {
  type FieldTable,
  type InputOf,
  type TableField,
  tableFieldOf,
  type Value,
} from './composites.js'
import { isPlainObject } from './field.js'

/** What a key is that nobody gave; it may follow from the keys before it. */
export type Defaults<T extends FieldTable> = {
  readonly [K in keyof T]?: (made: Readonly<Record<string, unknown>>) => unknown
}

type Default<R, F> = F extends (made: never) => infer V
  ? V
  : R extends { readonly fallback: unknown }
    ? never
    : null

/**
 * A whole object of a table: each key given, stored or default; null where a row has no default.
 */
export type Merged<T extends FieldTable, D> = {
  readonly [K in keyof T as T[K] extends { readonly aside: true } ? never : K]:
    | Value<T[K]>
    | Default<T[K], K extends keyof D ? D[K] : undefined>
}

/**
 * Given keys replace, absent ones keep what is stored, null restores the default: the row's own, or
 * the one of `defaults` where it follows from other values. `now` is what spans of time count back
 * from.
 */
export function merge<T extends FieldTable, const D extends Defaults<T>>(
  table: T,
  given: InputOf<T>,
  stored: object | undefined,
  defaults: D,
  now: number,
): Merged<T, D> {
  const read = (name: string, { field, fallback }: TableField<unknown>): unknown => {
    const value: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined
    if (value !== undefined && value !== null) return field.read ? field.read(value, now) : value
    const kept: unknown = value === undefined && stored ? Reflect.get(stored, name) : undefined
    return kept !== undefined ? kept : defaults[name] ? defaults[name](made) : (fallback ?? null)
  }
  const made: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(table))
    if (!('aside' in entry)) made[name] = read(name, tableFieldOf(entry))
  return made as Merged<T, D>
}

/** What was given less its nulls, which mean the default as absent keys do. */
export type WithoutNullKeys<G> = { readonly [K in keyof G]: Exclude<G[K], null> }

export function withoutNullKeys<G extends object>(given: G): WithoutNullKeys<G> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  ) as WithoutNullKeys<G>
}

/** A value as records keep it: at any depth, a key that is null is absent. */
export type WithoutNulls<T> = T extends object
  ? { readonly [K in keyof T]: WithoutNulls<Exclude<T[K], null | undefined>> }
  : T

export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutNulls(item)) as T
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)])) as T
}
