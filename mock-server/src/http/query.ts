import {
  type OperationId,
  type OperationTable,
  operations,
  type QueryName,
  type QueryParameter,
} from '@buildwire/sdk/contract'
import { once } from '../base/once.js'
import { accept, type Decision, refuse } from '../domain/decision.js'

/** Decoded query pairs in the order sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[]

/**
 * The value type of each kind of parameter. An absent parameter is null, or empty if it can have
 * several values.
 */
interface QueryValues {
  readonly string: string | null
  readonly uuid: string | null
  readonly time: string | null
  readonly boolean: boolean
  readonly integer: number
  readonly array: readonly string[]
  readonly map: ReadonlyMap<string, readonly string[]>
}

/** The values of all query parameters of an operation, by name. */
export type Query<Id extends OperationId> = Id extends OperationId
  ? {
      readonly [N in QueryName<Id>]: ValueOf<
        OperationTable[Id]['query'][N & keyof OperationTable[Id]['query']]
      >
    }
  : never
type ValueOf<Row> = Row extends { readonly kind: infer K extends keyof QueryValues }
  ? QueryValues[K]
  : never

type ParameterReader<T> = (
  query: QueryPairs,
  name: string,
  parameter: QueryParameter,
) => Decision<T>

/**
 * The value of a parameter that may occur once; null if it is absent or empty. `x` and `x[]` are
 * the same parameter.
 */
function single(query: QueryPairs, name: string): Decision<string | null> {
  const values = query.filter(([sent]) => sent === name || sent === `${name}[]`)
  if (values.length > 1) return refuse('bad_request', `Repeated parameter: ${name}`)
  return accept(values[0]?.[1] || null)
}

function reading<T>(
  absent: (parameter: QueryParameter) => T,
  parse: (text: string, parameter: QueryParameter) => T | undefined,
  shape: string,
): ParameterReader<T> {
  return (query, name, parameter) => {
    const text = single(query, name)
    if (!text.ok) return text
    const value = text.value === null ? absent(parameter) : parse(text.value, parameter)
    return value === undefined
      ? refuse('bad_request', `${name} must be ${parameter.title ? `a ${parameter.title}` : shape}`)
      : accept(value)
  }
}

function nothing(): null {
  return null
}

const booleans = new Map(Object.entries({ true: true, '1': true, false: false, '0': false }))

function orUndefined<T>(value: T | null): T | undefined {
  return value ?? undefined
}

/**
 * All values of a parameter that may occur several times, without empty ones. If the parameter has
 * a list of words, the refusal names all other values.
 */
const readArray: ParameterReader<readonly string[]> = (query, name, { words }) => {
  const sent = query.flatMap(([key, value]) =>
    (key === name || key === `${name}[]`) && value !== '' ? [value] : [],
  )
  const values = [...new Set(sent)]
  const invalid = words === undefined ? [] : values.filter((value) => !words.includes(value))
  if (invalid.length === 0) return accept(values)
  return refuse(
    'bad_request',
    `Invalid states: ${invalid.join(', ')}. Valid states are ${words?.join(', ')}.`,
  )
}

/** `name[key]=value`: several keys AND, one key repeated OR. */
const readMap: ParameterReader<ReadonlyMap<string, readonly string[]>> = (query, name) => {
  const values = new Map<string, string[]>()
  for (const [sent, value] of query) {
    if (sent !== name && !sent.startsWith(`${name}[`)) continue
    const key = sent.endsWith(']') ? sent.slice(name.length + 1, -1) : ''
    if (key === '') return refuse('bad_request', `${name} must be given as ${name}[key]=value`)
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return accept(values)
}

const readers: { readonly [K in QueryParameter['kind']]: ParameterReader<QueryValues[K]> } = {
  string: single,
  uuid: reading<string | null>(nothing, (text) => orUndefined(parseUuid(text)), 'a UUID'),
  time: reading<string | null>(nothing, (text) => orUndefined(parseTime(text)), 'an ISO 8601 time'),
  boolean: reading(
    (parameter) => parameter.default === true,
    (text) => booleans.get(text.toLowerCase()),
    'true or false',
  ),
  // 0 means the default.
  integer: reading(
    (parameter) => Number(parameter.default),
    (text, parameter) =>
      /^[0-9]+$/.test(text)
        ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) || Number(parameter.default)
        : undefined,
    'a positive integer',
  ),
  array: readArray,
  map: readMap,
}

/** The values of requests without a query, which most requests are. */
const defaultValues = new Map<OperationId, Decision<unknown>>()

/** Reads the query of an operation; refused at the first invalid parameter. */
export function readQuery<Id extends OperationId>(id: Id, pairs: QueryPairs): Decision<Query<Id>> {
  return pairs.length > 0
    ? readAll(id, pairs)
    : (once(defaultValues, id, () => readAll(id, pairs)) as Decision<Query<Id>>)
}

function readAll<Id extends OperationId>(id: Id, pairs: QueryPairs): Decision<Query<Id>> {
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(operations[id].query)) {
    const value = readers[parameter.kind](pairs, name, parameter)
    if (!value.ok) return value
    values[name] = value.value
  }
  return accept(values as Query<Id>)
}

/** The names in a query that the operation does not have, once each. */
export function ignoredNames(id: OperationId, pairs: QueryPairs): readonly string[] {
  const names = pairs.map(([sent]) => sent.split('[', 1)[0] ?? '')
  return [...new Set(names)].filter((name) => !Object.hasOwn(operations[id].query, name))
}

const timeForm =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+ -]\d\d(?::?\d\d)?)?|Z)?$/

/** Converts an ISO 8601 time to the format of the API, cut to ms; null if it is invalid. */
export function parseTime(text: string): string | null {
  const plain = text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?(?:\.\d+)?) UTC$/, '$1T$2Z')
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    timeForm.exec(plain) ?? []
  if (year === undefined) return null
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const at = Date.parse(local)
  // Date.parse accepts some impossible dates (February 30th), so the result is compared.
  if (!Number.isFinite(at) || new Date(at).toISOString() !== local) return null
  const offset = offsetMinutes(zone)
  if (offset === null) return null
  const utc = new Date(at - offset * 60_000)
  return utc.getUTCFullYear() < 0 || utc.getUTCFullYear() > 9999 ? null : utc.toISOString()
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2) || '0')
  if (hours > 23 || minutes > 59) return null
  // An unencoded plus in a URL arrives as a space.
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A UUID in lower case, as in the store; null if the text is not a UUID. */
export function parseUuid(text: string): string | null {
  return uuidForm.test(text) ? text.toLowerCase() : null
}
