import { accept, type Decision, refuse } from '../domain/decision.js'

/** Decoded query pairs in the order sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[]

/** `x`, `x[]` and every percent-encoding of them name one parameter. */
const names = (pair: QueryPairs[number], name: string): boolean => pair[0] === name || pair[0] === `${name}[]`

/** All values of a multi-value parameter; empty ones are dropped. */
export const readList = (query: QueryPairs, name: string): readonly string[] => [
  ...new Set(query.filter((pair) => names(pair, name) && pair[1] !== '').map(([, value]) => value)),
]

/** The value of a single-value parameter; null when absent or empty. */
export function readSingle(query: QueryPairs, name: string): Decision<string | null> {
  const values = query.filter((pair) => names(pair, name)).map(([, value]) => value)
  if (values.length > 1) return refuse('bad_request', `Repeated parameter: ${name}`)
  return accept(values[0] || null)
}

export function readBoolean(query: QueryPairs, name: string, whenAbsent: boolean): Decision<boolean> {
  const value = readSingle(query, name)
  if (!value.ok) return value
  switch (value.value?.toLowerCase()) {
    case undefined:
      return accept(whenAbsent)
    case 'true':
    case '1':
      return accept(true)
    case 'false':
    case '0':
      return accept(false)
    default:
      return refuse('bad_request', `${name} must be true or false`)
  }
}

const timeForm = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+ -]\d\d(?::?\d\d)?)?|Z)?$/

/** An ISO 8601 time in the wire's one form, cut to ms; null when it is none. */
export function parseTime(text: string): string | null {
  const plain = text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?(?:\.\d+)?) UTC$/, '$1T$2Z')
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    timeForm.exec(plain) ?? []
  if (year === undefined) return null
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const at = Date.parse(local)
  // Date.parse rolls some impossible dates over (February 30th); reading it back tells.
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
  // An unencoded plus arrives as a space.
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

export function readTime(query: QueryPairs, name: string): Decision<string | null> {
  const value = readSingle(query, name)
  if (!value.ok || value.value === null) return value
  const time = parseTime(value.value)
  return time === null ? refuse('bad_request', `${name} must be an ISO 8601 time`) : accept(time)
}

/** Values that must come from a known list; all unknown ones are named. */
export function readStates(query: QueryPairs, name: string, valid: readonly string[]): Decision<readonly string[]> {
  const states = readList(query, name)
  const invalid = states.filter((state) => !valid.includes(state))
  if (invalid.length === 0) return accept(states)
  return refuse('bad_request', `Invalid states: ${invalid.join(', ')}. Valid states are ${valid.join(', ')}.`)
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A UUID in the case that the store has; null when the text is none. */
export const parseUuid = (text: string): string | null => (uuidForm.test(text) ? text.toLowerCase() : null)

/** `meta_data[key]=value`: several keys AND, one key repeated OR. */
export function readMetaData(query: QueryPairs): Decision<ReadonlyMap<string, readonly string[]>> {
  const filters = new Map<string, string[]>()
  for (const [name, value] of query) {
    if (name !== 'meta_data' && !name.startsWith('meta_data[')) continue
    const key = name.endsWith(']') ? name.slice('meta_data['.length, -1) : ''
    if (key === '') return refuse('bad_request', 'meta_data must be given as meta_data[key]=value')
    filters.set(key, [...(filters.get(key) ?? []), value])
  }
  return accept(filters)
}

export interface Paging {
  readonly page: number
  readonly per_page: number
}

const defaultPerPage = 30
const mostPerPage = 100

function readPositive(query: QueryPairs, name: string, whenAbsent: number): Decision<number> {
  const value = readSingle(query, name)
  if (!value.ok) return value
  if (value.value === null) return accept(whenAbsent)
  if (!/^[0-9]+$/.test(value.value)) return refuse('bad_request', `${name} must be a positive integer`)
  return accept(Math.min(Number(value.value), Number.MAX_SAFE_INTEGER) || whenAbsent)
}

/** `page` and `per_page`: 0 counts as absent, more than the most as the most. */
export function readPaging(query: QueryPairs): Decision<Paging> {
  const page = readPositive(query, 'page', 1)
  if (!page.ok) return page
  const per_page = readPositive(query, 'per_page', defaultPerPage)
  if (!per_page.ok) return per_page
  return accept({ page: page.value, per_page: Math.min(per_page.value, mostPerPage) })
}
