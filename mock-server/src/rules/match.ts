import { matchesBranch as matchesGlob } from '../domain/branch-pattern.js'
import { isPlainObject } from '../fields/field.js'
import type { LoggedMatch, Match, Matcher, Matchers } from './rule.js'

export type NameValuePairs = readonly (readonly [name: string, value: string])[]

/**
 * What can be matched of a request; `json` and `form` are undefined when the body is none or was
 * not read.
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

/**
 * Whether a text of the request is the expected one; the request log compares stand-ins of secrets.
 */
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

/** The member of a JSON value at a dotted path; a key that holds dots itself is found first. */
function at(value: unknown, path: string): unknown {
  if (isPlainObject(value) && Object.hasOwn(value, path)) return value[path]
  const dot = path.indexOf('.')
  const head = dot < 0 ? path : path.slice(0, dot)
  const member =
    Array.isArray(value) && /^\d+$/.test(head)
      ? value[Number(head)]
      : isPlainObject(value) && Object.hasOwn(value, head)
        ? value[head]
        : undefined
  return dot < 0 || member === undefined ? member : at(member, path.slice(dot + 1))
}

function jsonMatches(matcher: Matcher, value: unknown): boolean {
  if (typeof matcher !== 'object') return value === matcher
  if ('present' in matcher) return (value !== undefined) === matcher.present
  return textMatches(
    matcher,
    typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.filter((item) => typeof item === 'string')
        : [],
    exact,
  )
}

/** What is not compared as a whole. */
const inParts: readonly string[] = ['path', 'query', 'headers', 'form', 'json']

/**
 * Everything in which a request differs from a match, the cheap and telling first; none: it
 * matches.
 */
export function* differences(
  match: LoggedMatch,
  subject: MatchableRequest | MatchableEntry,
  same: SameText = exact,
): Generator<MatchDifference> {
  for (const [name, expected] of Object.entries(match)) {
    const actual: unknown = Reflect.get(subject, name) ?? null
    if ((expected ?? actual) !== actual && !inParts.includes(name))
      yield { path: name, expected, actual }
  }
  if (match.path && !matchesGlob(match.path, subject.path))
    yield { path: 'path', expected: match.path, actual: subject.path }
  for (const kind of ['query', 'headers', 'form'] as const)
    yield* pairDifferences(kind, match[kind] ?? {}, subject[kind] ?? [], same)
  for (const [path, matcher] of Object.entries(match.json ?? {})) {
    const actual = at(subject.json, path)
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
