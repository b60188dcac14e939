import { type BodyName, type OperationId, operations } from '@buildwire/sdk/contract'
import { budget } from '../domain/budget.js'
import { accept, type Decision, type Failure, type FieldError, refuse } from '../domain/decision.js'
import { isPlainObject } from '../fields/field.js'

type Json = Readonly<Record<string, unknown>>

interface BodyFaults {
  add(field: string, code: FieldError['code'], message?: string): void
  /** Refuses the body with this failure, instead of a list of invalid fields. */
  refuse(failure: Failure): void
}

/** Reads a property. If it reports a fault, its result is not used. */
export type Property<T> = (value: unknown, name: string, faults: BodyFaults) => T

/**
 * Reads a JSON object as the body of an operation. `strict` refuses properties that are not in the
 * contract.
 */
export type BodyReader<T> = (body: Json, options: { readonly strict: boolean }) => Decision<T>

type Properties<Id extends OperationId> = { readonly [N in BodyName<Id>]: Property<unknown> }
type BodyValues<P> = { readonly [N in keyof P]: P[N] extends Property<infer T> ? T : never }

/** Reads all properties of an operation's body in the given order; reports every invalid one. */
export function bodyReader<Id extends OperationId, const P extends Properties<Id>>(
  id: Id,
  properties: P,
): BodyReader<BodyValues<P>> {
  return (body, { strict }) => {
    const errors: FieldError[] = []
    let refused: Failure | undefined
    const faults: BodyFaults = {
      add: (field, code, message) => void errors.push({ field, code, message }),
      refuse: (failure) => {
        refused ??= failure
      },
    }
    const values: Record<string, unknown> = {}
    for (const [name, read] of Object.entries<Property<unknown>>(properties))
      values[name] = read(body[name], name, faults)
    if (refused) return { ok: false, failure: refused }
    const known = operations[id].body?.properties ?? []
    const unknown = Object.keys(body).filter((name) => !known.includes(name))
    if (strict) for (const name of unknown) faults.add(name, 'unknown')
    if (errors.length > 0) return refuse('unprocessable', 'Validation Failed', { errors })
    return accept(values as BodyValues<P>)
  }
}

/**
 * A property that may be absent or null; its value then is `absent`. It is invalid if `parse`
 * returns undefined.
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

/** A property that must be present; `isBlank` values count as absent. `limits` is for the caller. */
export function required<T>(
  parse: (value: unknown) => T | undefined,
  isBlank: (value: unknown) => boolean = () => false,
  limits?: string,
): Property<T> {
  return (value, name, faults) => {
    const parsed = parse(value)
    if (value === undefined || value === null || isBlank(value)) faults.add(name, 'missing', limits)
    else if (parsed === undefined) faults.add(name, 'invalid', limits)
    return parsed as T
  }
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** A string that is not blank. */
export const requiredText = required(asText, isBlank)

export const optionalText = optional(null, asText)

/** A boolean, or the text `true` or `false`; absent and null mean false. */
export const flag = optional(false, (value) => {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 'false' ? value === 'true' : undefined
})

export const texts = optional(null, (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? (value as readonly string[])
    : undefined,
)

/** A whole number from 1, or its digits, as text; absent, null and empty mean null. */
export const digits = optional(null, (value) => {
  if (value === '') return null
  const number = typeof value === 'string' && /^[0-9]{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1
    ? String(number)
    : undefined
})

/** An object whose values are converted by `read`. A value is invalid if `read` gives undefined. */
export function pairs<T>(
  read: (value: unknown, key: string) => T | undefined,
): Property<Readonly<Record<string, T>>> {
  return (value, name, faults) => {
    const object = value ?? {}
    if (!isPlainObject(object) || Object.keys(object).length > budget.pairs) {
      faults.add(name, 'invalid')
      return {}
    }
    // Most values do not change, and copying thousands of them would be slow.
    const changed: [string, T | undefined][] = []
    for (const key of Object.keys(object)) {
      const item = read(object[key], key)
      if (item === undefined) faults.add(`${name}.${key}`, 'invalid')
      if (item !== object[key]) changed.push([key, item])
    }
    if (changed.length === 0) return object as Readonly<Record<string, T>>
    const entries = [...Object.entries(object), ...changed]
    return Object.fromEntries(entries) as Readonly<Record<string, T>>
  }
}
