import { matchesGlob } from '../domain/glob.js'
import { isPlainObject } from '../fields/field.js'
import type { LoggedMatch, Match, Matcher, Matchers } from './rule.js'

export type NameValuePairs = readonly (readonly [name: string, value: string])[]

/**
 * The parts of a request that rules can match. `json` and `form` are undefined if the body has
 * another format or was not read.
 */
export interface MatchableRequest {
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly query: NameValuePairs
  /** Names in lower case. */
  readonly headers: NameValuePairs
  readonly json?: unknown
  readonly form?: NameValuePairs | undefined
  readonly org_slug?: string | undefined
  readonly pipeline_slug?: string | undefined
  readonly number?: number | undefined
}

export interface MatchableEntry extends MatchableRequest {
  readonly status: number | null
  readonly outcome: string
  readonly user: string | null
  readonly client_id: string | null
  readonly accessTokenId: string | null
}

export interface MatchDifference {
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Compares a text with the expected one. The request log compares the stand-ins of secrets. */
export type SameText = (actual: string, expected: string) => boolean

const exact: SameText = (actual, expected) => actual === expected

function textMatches(matcher: Matcher, values: readonly string[], same: SameText): boolean {
  if (typeof matcher !== 'object') return values.some((value) => same(value, String(matcher)))
  if ('glob' in matcher) return values.some((value) => matchesGlob(matcher.glob, value))
  if ('contains' in matcher) return values.some((value) => value.includes(matcher.contains))
  return values.length > 0 === matcher.present
}

type PairKind = 'query' | 'headers' | 'form'

function* pairDifferences(
  kind: PairKind,
  matchers: Matchers,
  pairs: NameValuePairs,
  same: SameText,
): Generator<MatchDifference> {
  for (const [name, matcher] of Object.entries(matchers)) {
    const wanted = kind === 'headers' ? name.toLowerCase() : name
    const values = pairs.filter(([other]) => other === wanted).map(([, value]) => value)
    if (!textMatches(matcher, values, same)) {
      yield {
        path: `${kind}.${name}`,
        expected: matcher,
        actual: values.length > 1 ? values : (values[0] ?? null),
      }
    }
  }
}

/** The member of a JSON value at a dotted path. A key that contains the dots is preferred. */
function memberAt(value: unknown, path: string): unknown {
  if (isPlainObject(value) && Object.hasOwn(value, path)) return value[path]
  const dot = path.indexOf('.')
  const head = dot < 0 ? path : path.slice(0, dot)
  const member = childOf(value, head)
  return dot < 0 || member === undefined ? member : memberAt(member, path.slice(dot + 1))
}

function childOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function jsonMatches(matcher: Matcher, value: unknown): boolean {
  if (typeof matcher !== 'object') return value === matcher
  if ('present' in matcher) return (value !== undefined) === matcher.present
  const values = Array.isArray(value) ? value : [value]
  const texts = values.filter((item) => typeof item === 'string')
  return textMatches(matcher, texts, exact)
}

/** The parts of a request that have their own comparison below. */
const comparedApart: readonly string[] = ['path', 'query', 'headers', 'form', 'json']

/** Yields all differences between a request and a match, the simple ones first. */
export function* differences(
  match: LoggedMatch,
  subject: MatchableRequest | MatchableEntry,
  same: SameText = exact,
): Generator<MatchDifference> {
  for (const [name, expected] of Object.entries(match)) {
    const actual: unknown = Reflect.get(subject, name) ?? null
    if ((expected ?? actual) !== actual && !comparedApart.includes(name))
      yield { path: name, expected, actual }
  }
  if (match.path && !matchesGlob(match.path, subject.path))
    yield { path: 'path', expected: match.path, actual: subject.path }
  for (const kind of ['query', 'headers', 'form'] as const)
    yield* pairDifferences(kind, match[kind] ?? {}, subject[kind] ?? [], same)
  for (const [path, matcher] of Object.entries(match.json ?? {})) {
    const actual = memberAt(subject.json, path)
    if (!jsonMatches(matcher, actual))
      yield { path: `json.${path}`, expected: matcher, actual: actual ?? null }
  }
}

export function firstDifference(
  match: LoggedMatch,
  subject: MatchableRequest | MatchableEntry,
  same?: SameText,
): MatchDifference | null {
  return differences(match, subject, same).next().value ?? null
}

export function readsBody(match: Match | null | undefined): boolean {
  return Boolean(match?.json ?? match?.form)
}

export function withoutBody({ json: _json, form: _form, ...match }: Match): Match {
  return match
}
