import { type BodyName, type OperationId, operations } from '@buildwire/sdk/contract'
import { budget } from '../domain/budget.js'
import { accept, type Decision, type Failure, type FieldError, refuse } from '../domain/decision.js'
import { isPlainObject } from '../fields/field.js'

type Json = Readonly<Record<string, unknown>>

interface BodyFaults {
  add(field: string, code: FieldError['code']): void
  /** Refuses the body in words of its own, before any list of faults. */
  refuse(failure: Failure): void
}

/** Reads one property; what it returns beside a fault is never used. */
export type Property<T> = (value: unknown, name: string, faults: BodyFaults) => T

/**
 * Reads a JSON object as the body of an operation; `strict` refuses properties that the contract
 * does not name.
 */
export type BodyReader<T> = (body: Json, options: { readonly strict: boolean }) => Decision<T>

type Properties<Id extends OperationId> = { readonly [N in BodyName<Id>]: Property<unknown> }
type BodyValues<P> = { readonly [N in keyof P]: P[N] extends Property<infer T> ? T : never }

/**
 * Reads every property that the contract names of the operation's body, in the order given; all
 * faults are told.
 */
export function bodyReader<Id extends OperationId, const P extends Properties<Id>>(
  id: Id,
  properties: P,
): BodyReader<BodyValues<P>> {
  return (body, { strict }) => {
    const errors: FieldError[] = []
    let refused: Failure | undefined
    const faults: BodyFaults = {
      add: (field, code) => void errors.push({ field, code }),
      refuse: (failure) => {
        refused ??= failure
      },
    }
    const values: Record<string, unknown> = {}
    for (const [name, read] of Object.entries<Property<unknown>>(properties))
      values[name] = read(body[name], name, faults)
    if (refused) return { ok: false, failure: refused }
    const known = operations[id].body?.properties ?? []
    if (strict)
      for (const name of Object.keys(body)) if (!known.includes(name)) faults.add(name, 'unknown')
    if (errors.length > 0) return refuse('unprocessable', 'Validation Failed', { errors })
    return accept(values as BodyValues<P>)
  }
}

/**
 * A property that may be absent or null, and then is `absent`; undefined from `parse` makes it
 * invalid.
 */
export function optional<T, A>(
  absent: A,
  parse: (value: unknown) => T | undefined,
): Property<T | A> {
  return (value, name, faults) => {
    if (value === undefined || value === null) return absent
    const parsed = parse(value)
    if (parsed === undefined) faults.add(name, 'invalid')
    return parsed ?? absent
  }
}

/** A property that must be there; `isBlank` values count as absent. */
export function required<T>(
  parse: (value: unknown) => T | undefined,
  isBlank: (value: unknown) => boolean = () => false,
): Property<T> {
  return (value, name, faults) => {
    const parsed = parse(value)
    if (value === undefined || value === null || isBlank(value)) faults.add(name, 'missing')
    else if (parsed === undefined) faults.add(name, 'invalid')
    return parsed as T
  }
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** A string with something in it; absent, null and blank are missing. */
export const requiredText = required(asText, isBlank)

export const optionalText = optional(null, asText)

/** A boolean, or its word; absent and null are false. */
export const flag = optional(false, (value) =>
  typeof value === 'boolean'
    ? value
    : value === 'true'
      ? true
      : value === 'false'
        ? false
        : undefined,
)

export const texts = optional(null, (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? (value as readonly string[])
    : undefined,
)

/**
 * A number from 1, or its digits, in the text that the wire shows; absent, null and empty are null.
 */
export const digits = optional(null, (value) => {
  if (value === '') return null
  const number = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1
    ? String(number)
    : undefined
})

/** An object's values, each coerced by `read`; undefined refuses that one. */
export function pairs<T>(
  read: (value: unknown, key: string) => T | undefined,
): Property<Readonly<Record<string, T>>> {
  return (value, name, faults) => {
    const given = value ?? {}
    if (!isPlainObject(given) || Object.keys(given).length > budget.pairs) {
      faults.add(name, 'invalid')
      return {}
    }
    // Most stand as they came: a copy of thousands would be the slowest part of a request.
    const changed: [string, T | undefined][] = []
    for (const key of Object.keys(given)) {
      const item = read(given[key], key)
      if (item === undefined) faults.add(`${name}.${key}`, 'invalid')
      if (item !== given[key]) changed.push([key, item])
    }
    if (changed.length === 0) return given as Readonly<Record<string, T>>
    return Object.fromEntries([...Object.entries(given), ...changed]) as Readonly<Record<string, T>>
  }
}
