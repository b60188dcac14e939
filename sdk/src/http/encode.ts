import { must } from '../base/checked.js'
import { tried } from '../base/tried.js'
import type { Operation, QueryParameter } from '../contract/operations.gen.js'
import { ConfigError } from '../errors/errors.js'

type Params = Readonly<Record<string, unknown>>

/**
 * Documented with its brackets, so even one value goes in brackets; other filters take a bare
 * string.
 */
const namedWithBrackets = new Set(['job_states'])

/**
 * Spells flat params by their row: `path` begins with `/v2`, `query` is empty or begins with its
 * question mark, `organization` is whose request window counts. @throws ConfigError for what would
 * ask another endpoint or question.
 */
export function encode(operation: Operation, params: Params) {
  refuseUnknown(operation, params)
  const organization = params['org_slug']
  return {
    path: encodePath(operation, params),
    query: encodeQuery(operation, params),
    body: encodeBody(operation, params),
    organization: typeof organization === 'string' ? organization : undefined,
  }
}

/** `?a=b&c=d` out of a plain object, for requests without a row in the table. */
export function encodeFreeQuery(query: Params): string {
  return join(
    Object.entries(query).flatMap(([name, value]) =>
      isPlainObject(value) ? mapPairs(name, value) : anyPairs(name, value),
    ),
  )
}

/** The URL with this one parameter set or taken out; the spelling of all others stays as it is. */
export function setParameter(url: string, name: string, value: string | undefined): string {
  const at = url.indexOf('?')
  const pairs = at === -1 ? [] : url.slice(at + 1).split('&')
  const others = pairs.filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name))
  const all = value === undefined ? others : [...others, `${name}=${encodeURIComponent(value)}`]
  return (at === -1 ? url : url.slice(0, at)) + join(all)
}

function refuseUnknown(operation: Operation, params: Params): void {
  for (const name in params) {
    if (params[name] === undefined || Object.hasOwn(operation.query, name)) continue
    if (operation.pathParameters.includes(name) || operation.body?.properties.includes(name))
      continue
    const known = [
      ...operation.pathParameters,
      ...Object.keys(operation.query),
      ...(operation.body?.properties ?? []),
    ]
    throw new ConfigError(
      name,
      `${operation.id} takes no ${name}; it takes ${known.join(', ') || 'no parameters'}`,
    )
  }
}

function encodePath(operation: Operation, params: Params): string {
  let path = operation.path
  // An encoded segment holds neither braces nor dollar signs, so nothing in it is replaced or
  // expanded.
  for (const name of operation.pathParameters)
    path = path.replace(`{${name}}`, pathSegment(name, params[name]))
  return path
}

function pathSegment(name: string, value: unknown): string {
  if (name === 'number') return buildNumber(value)
  if (typeof value !== 'string' || value === '') throw must(name, 'be a non-empty string')
  // encodeURIComponent leaves dots alone, and a URL would resolve them to another endpoint.
  if (value === '.' || value === '..') throw must(name, `not be "${value}"`)
  return percent(name, value)
}

function buildNumber(value: unknown): string {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value)
  const uuid = typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value)
  const why = uuid ? 'builds are addressed by number, not id' : 'number must be a positive integer'
  throw new ConfigError('number', why)
}

function encodeQuery(operation: Operation, params: Params): string {
  const pairs: string[] = []
  for (const name in operation.query) {
    const value = params[name]
    const parameter = operation.query[name]
    if (
      value === undefined ||
      parameter === undefined ||
      (parameter.kind === 'boolean' && value === parameter.default)
    )
      continue
    pairs.push(...queryPairs(name, parameter, value))
  }
  return join(pairs)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The values that each kind of parameter takes, and the words for them in an error. */
const kinds: Readonly<
  Record<QueryParameter['kind'], readonly [takes: (value: unknown) => boolean, what: string]>
> = {
  array: [(value) => isText(value) || Array.isArray(value), 'be a string or a list of strings'],
  map: [isPlainObject, 'be an object, such as { key: value }'],
  time: [(value) => isText(value) || value instanceof Date, 'be a Date or an ISO 8601 string'],
  integer: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'be a whole number'],
  boolean: [(value) => typeof value === 'boolean', 'be true or false'],
  string: [isText, 'be a string'],
  uuid: [isText, 'be a string'],
}

function queryPairs(name: string, { kind }: QueryParameter, value: unknown): string[] {
  const [takes, what] = kinds[kind]
  if (!takes(value)) throw must(name, what)
  if (isPlainObject(value)) return mapPairs(name, value)
  return filterPairs(name, isText(value) && namedWithBrackets.has(name) ? [value] : value)
}

/** Servers drop an empty value, so it would be no filter at all. */
function filterPairs(name: string, value: unknown): string[] {
  if (value === '' || (Array.isArray(value) && value.includes(''))) throw emptyList(name)
  return anyPairs(name, value)
}

function anyPairs(name: string, value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [`${name}=${percent(name, scalar(name, value))}`]
  if (value.length === 0) throw emptyList(name)
  return value.map((item) => `${name}[]=${percent(name, scalar(name, item))}`)
}

function mapPairs(name: string, map: object): string[] {
  const pairs = Object.entries(map).flatMap(([key, value]) => {
    if (key === '') throw must(name, 'not hold an empty key')
    if (value === undefined) return []
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (values.length === 0) throw emptyList(`${name}.${key}`)
    return values.map(
      (item) => `${name}[${percent(name, key)}]=${percent(name, scalar(name, item))}`,
    )
  })
  if (pairs.length === 0) throw emptyList(name)
  return pairs
}

function scalar(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value)
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  throw must(
    name,
    `be ${value instanceof Date ? 'a valid date' : 'made of strings, numbers, booleans and dates'}`,
  )
}

function encodeBody(operation: Operation, params: Params): string | undefined {
  if (operation.body === null) return undefined
  const present = operation.body.properties.filter((name) => params[name] !== undefined)
  if (present.length === 0 && operation.method !== 'POST') return undefined
  return toJson(
    Object.fromEntries(present.map((name) => [name, bodyValue(operation, name, params[name])])),
  )
}

function bodyValue(operation: Operation, name: string, value: unknown): unknown {
  // JSON would leave these out without a word.
  if (typeof value === 'function' || typeof value === 'symbol')
    throw must(name, 'be what JSON can hold')
  const separator = operation.body?.joined[name]
  if (separator === undefined || !Array.isArray(value)) return value
  if (value.length === 0) throw emptyList(name)
  return value.map((item) => scalar(name, item)).join(separator)
}

/** JSON for a request. @throws ConfigError for what JSON cannot hold. */
export function toJson(value: unknown): string {
  const text = tried(() => JSON.stringify(value))
  if (text !== undefined) return text
  throw new ConfigError(
    'body',
    'the body must be made of what JSON can hold: no cycles, no bigint, no function',
  )
}

function percent(name: string, text: string): string {
  const encoded = tried(() => encodeURIComponent(text))
  if (encoded === undefined) throw must(name, 'be well-formed Unicode')
  return encoded
}

function join(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function isPlainObject(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  )
}

/** An empty filter would turn "match nothing" into "match everything". */
function emptyList(name: string): ConfigError {
  return must(name, 'not be empty: leave it out to match everything')
}
