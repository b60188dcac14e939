import { type Accepted, type Field, isPlainObject, type JsonSchema, kindOf } from './field.js'

/**
 * `required`: always present. `key`: present unless `id` identifies the record. `optional`: absent
 * or null, which both mean the default. `maybe`: may be absent, but is never null.
 */
type Presence = 'required' | 'key' | 'optional' | 'maybe'

export interface TableField<T, P extends Presence = Presence> {
  readonly field: Field<T>
  readonly presence: P
  readonly fallback?: T
  readonly about?: string
}

function tableField<P extends Presence>(presence: P) {
  return <T>(field: Field<T>, about?: string): TableField<T, P> => ({
    field,
    presence,
    ...(about && { about }),
  })
}

export const required = tableField('required')
export const key = tableField('key')
export const maybe = tableField('maybe')

export function optional<T, const F extends T | undefined = undefined>(
  field: Field<T>,
  fallback?: F,
  about?: string,
) {
  return {
    ...tableField('optional')(field, about),
    ...(fallback !== undefined && { fallback }),
  } as TableField<T, 'optional'> & (F extends undefined ? unknown : { readonly fallback: F })
}

/** Marks a key of a document that is not a key of the record. */
export function aside<R extends TableField<unknown>>(entry: R): R & { readonly aside: true } {
  return {
    ...entry,
    aside: true,
  }
}

/** A field without a presence is required. */
type TableEntry = TableField<unknown> | Field<unknown>
export type FieldTable = Readonly<Record<string, TableEntry>>

export function tableFieldOf(entry: TableEntry): TableField<unknown> {
  return 'field' in entry ? entry : required(entry)
}

export type Value<E> = E extends TableField<infer V> ? V : E extends Field<infer V> ? V : never
type With<P, K, E> = (E extends TableField<unknown> ? E['presence'] : 'required') extends P
  ? K
  : never

/** The type of the objects that a table accepts. */
export type InputOf<T extends FieldTable> = {
  readonly [K in keyof T as With<'required', K, T[K]>]: Value<T[K]>
} & {
  readonly [K in keyof T as With<'maybe', K, T[K]>]?: Value<T[K]>
} & {
  readonly [K in keyof T as With<'key' | 'optional', K, T[K]>]?: Value<T[K]> | null | undefined
}

/** The same field under several names. */
export function keys<E extends TableEntry, const K extends string>(
  entry: E,
  ...names: readonly K[]
) {
  return Object.fromEntries(names.map((name) => [name, entry])) as { readonly [N in K]: E }
}

function nullable(schema: JsonSchema): JsonSchema {
  return typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

function rowSchema({ field, presence, fallback, about }: TableField<unknown>): JsonSchema {
  return {
    ...(presence === 'optional' ? nullable(field.schema) : field.schema),
    ...(about && { description: about }),
    ...(fallback !== undefined && { default: fallback }),
  }
}

function suggest(unknown: string, known: readonly string[]): string {
  const bare = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase()
  const twin = known.find((name) => bare(name) === bare(unknown))
  return twin ? `is not known here: did you mean ${twin}?` : 'is not known here'
}

/**
 * An object with the keys of the table. `unknownKeys: 'dropped'` is for records of the API, which
 * may have keys that this server does not know.
 */
export function object<T extends FieldTable>(
  table: T,
  { unknownKeys = 'refused' }: { unknownKeys?: 'refused' | 'dropped' } = {},
): Field<InputOf<T>> {
  const rows = Object.entries(table).map(([name, entry]) => [name, tableFieldOf(entry)] as const)
  const must = rows.filter(([, row]) => row.presence === 'required').map(([name]) => name)
  const kinds = rows.map(([name, { field, presence }]) => ({
    name,
    is: field.is,
    needed: presence === 'required',
  }))
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(rows.map(([name, row]) => [name, rowSchema(row)])),
      ...(must.length > 0 && { required: must }),
      ...(unknownKeys === 'refused' && { additionalProperties: false }),
    },
    /** True if the value has exactly these keys. */
    is(value) {
      if (!isPlainObject(value)) return false
      let left = 0
      for (const _ in value) left++
      for (const { name, is, needed } of kinds) {
        const member = value[name]
        if (member === undefined ? needed : !is(member)) return false
        if (member !== undefined) left--
      }
      return left === 0
    },
    check(value, at, report) {
      if (!isPlainObject(value)) return report.issue(at, `must be an object, not ${kindOf(value)}`)
      for (const name of Object.keys(value)) {
        if (Object.hasOwn(table, name) || value[name] === undefined) continue
        if (unknownKeys === 'refused')
          report.issue([...at, name], suggest(name, Object.keys(table)))
        else report.notice([...at, name], 'is not kept by this server and was dropped')
      }
      const memberOf = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
      for (const [name, { field, presence }] of rows) {
        const member = memberOf(name)
        const mayBeNull = presence === 'key' || presence === 'optional'
        const isAbsent = member === undefined || (member === null && mayBeNull)
        if (!isAbsent) {
          field.check(member, [...at, name], report)
          continue
        }
        const needsKey = presence === 'key' && typeof memberOf('id') !== 'string'
        if (presence === 'required' || needsKey) report.issue([...at, name], 'is required')
      }
    },
  }
}

export function list<T>(
  item: Field<T>,
  { min = 0, max = 100_000, distinct = false } = {},
): Field<readonly T[]> {
  return {
    schema: {
      type: 'array',
      items: item.schema,
      ...(min > 0 && { minItems: min }),
      maxItems: max,
      ...(distinct && { uniqueItems: true }),
    },
    is: (value) => Array.isArray(value) && value.every(item.is),
    check(value, at, report) {
      if (!Array.isArray(value)) return report.issue(at, `must be a list, not ${kindOf(value)}`)
      if (value.length < min)
        report.issue(at, `must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`)
      if (value.length > max) return report.issue(at, `must have at most ${max} entries`)
      const seen = new Set<unknown>()
      for (const [index, entry] of value.entries()) {
        item.check(entry, [...at, index], report)
        if (distinct && seen.has(entry)) report.issue([...at, index], 'is listed twice')
        seen.add(entry)
      }
    },
  }
}

/** An object whose keys are data. */
export function mapOf<T>(
  item: Field<T>,
  name?: { pattern: RegExp; shape: string },
): Field<Readonly<Record<string, T>>> {
  return {
    schema: {
      type: 'object',
      additionalProperties: item.schema,
      ...(name && { propertyNames: { pattern: name.pattern.source } }),
    },
    is: (value) => isPlainObject(value) && Object.values(value).every(item.is),
    check(value, at, report) {
      if (!isPlainObject(value)) return report.issue(at, `must be an object, not ${kindOf(value)}`)
      for (const [entry, member] of Object.entries(value)) {
        if (name && !name.pattern.test(entry))
          report.issue([...at, entry], `must be named by ${name.shape}`)
        item.check(member, [...at, entry], report)
      }
    },
  }
}

/** A text field that also requires `test`. */
export function where(
  field: Field<string>,
  test: (value: string) => boolean,
  message: string,
): Field<string> {
  return {
    ...field,
    check(value, at, report) {
      if (typeof value === 'string' && !test(value)) report.issue(at, message)
      else field.check(value, at, report)
    },
  }
}

/** A value that may be null, where null has a meaning different from absent. */
export function orNull<T>(field: Field<T>): Field<T | null> {
  return {
    schema: nullable(field.schema),
    is: (value) => value === null || field.is(value),
    check(value, at, report) {
      if (value !== null) field.check(value, at, report)
    },
  }
}

export interface Choice<T> {
  /** Tells whether a value belongs to this choice, before it is checked. Default: `field.is`. */
  readonly when?: (value: unknown) => boolean
  readonly field: Field<T>
}

/**
 * One of several shapes. The shape is chosen before the check, so that messages describe the
 * intended shape. `choices` is called at first use.
 */
export function choice<const C extends readonly Choice<unknown>[]>(
  expected: string,
  choices: () => C,
): Field<Accepted<C[number]['field']>> {
  let made: C | undefined
  const all = (): C => {
    made ??= choices()
    return made
  }
  return {
    get schema() {
      return { anyOf: all().map(({ field }) => field.schema) }
    },
    is: (value) => all().some(({ field }) => field.is(value)),
    check(value, at, report) {
      const meant = all().find(({ field, when = field.is }) => when(value))
      if (meant) meant.field.check(value, at, report)
      else report.issue(at, `must be ${expected}`)
    },
  }
}

/** For `choice`: an object that has the first key of the table. */
export function keyed<T extends FieldTable>(table: T): Choice<InputOf<T>> {
  return {
    when: hasKey(Object.keys(table)[0] ?? ''),
    field: object(table),
  }
}

/** For `choice`: tests that a value is an object with this key. */
export function hasKey(name: string) {
  return (value: unknown): boolean => isPlainObject(value) && Object.hasOwn(value, name)
}
