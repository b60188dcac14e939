import {
  type FieldTable,
  type InputOf,
  type TableField,
  tableFieldOf,
  type Value,
} from './composites.js'
import { isPlainObject } from './field.js'

/** The default of a key, which may depend on the keys before it. */
export type Defaults<T extends FieldTable> = {
  readonly [K in keyof T]?: (made: Readonly<Record<string, unknown>>) => unknown
}

type Default<R, F> = F extends (made: never) => infer V
  ? V
  : R extends { readonly fallback: unknown }
    ? never
    : null

/** A complete object of a table: each value is given, stored or the default; else null. */
export type Merged<T extends FieldTable, D> = {
  readonly [K in keyof T as T[K] extends { readonly aside: true } ? never : K]:
    | Value<T[K]>
    | Default<T[K], K extends keyof D ? D[K] : undefined>
}

/**
 * Merges a document into a stored record. A given key replaces the stored value, an absent key
 * keeps it, and null restores the default: from `defaults`, else the fallback of the table. Time
 * spans count back from `now`.
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
    if (kept !== undefined) return kept
    return defaults[name] ? defaults[name](made) : (fallback ?? null)
  }
  const made: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(table))
    if (!('aside' in entry)) made[name] = read(name, tableFieldOf(entry))
  return made as Merged<T, D>
}

/** An input without its null keys: null means the default, as an absent key does. */
export type WithoutNullKeys<G> = { readonly [K in keyof G]: Exclude<G[K], null> }

export function withoutNullKeys<G extends object>(given: G): WithoutNullKeys<G> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  ) as WithoutNullKeys<G>
}

/** A value as records keep it: without null keys, at any depth. */
export type WithoutNulls<T> = T extends object
  ? { readonly [K in keyof T]: WithoutNulls<Exclude<T[K], null | undefined>> }
  : T

export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutNulls(item)) as T
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)])) as T
}
