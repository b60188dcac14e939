import { InvalidResponseError } from '../errors/errors.js'

/**
 * One link of a `Link` header (RFC 8288): `target` as it stands there, perhaps relative to the page's URL.
 *
 * @example
 * ```ts
 * const isLast = (links: readonly Link[]) => !links.some(({ rel }) => rel.includes('next'))
 * ```
 */
export interface Link {
  readonly target: string
  /** Relation types in lower case. */
  readonly rel: readonly string[]
}

/**
 * Reads a `Link` header: parameters quoted or not and in any order, several relations in one `rel`, commas and
 * semicolons inside `<>` and quotes, repeated headers joined by commas, empty list members.
 *
 * @throws InvalidResponseError `invalid_response` for anything else: a list whose links cannot be read must not look
 * complete.
 * @example
 * ```ts
 * const { response } = await ci.request({ method: 'GET', path: '/v2/builds' })
 * const links = parseLinkHeader(response.headers.get('link') ?? '')
 * ```
 */
export function parseLinkHeader(text: string): Link[] {
  const links: Link[] = []
  const reader = new Reader(text)
  for (;;) {
    reader.skip(/[\s,]*/y)
    if (reader.ended) return links
    const target = reader.expect(/<([^>]*)>/y)
    let rel: readonly string[] | undefined
    while (reader.skip(/\s*;\s*/y)) {
      const parameter = reader.parameter()
      // RFC 8288 §3.3: occurrences after the first rel are ignored.
      if (parameter?.name === 'rel') rel ??= relations(parameter.value)
    }
    links.push({ target, rel: rel ?? [] })
    if (!reader.skip(/\s*(?=,|$)/y) && !reader.ended) reader.fail()
  }
}

/**
 * The target of the first link with this relation, whose name has no case (RFC 8288 §2.1); undefined when there is none.
 *
 * @example
 * ```ts
 * const next = findLink(parseLinkHeader('<?page=2>; rel="next"'), 'next')
 * const url = next === undefined ? undefined : new URL(next, 'https://api.ci.example/v2/builds')
 * ```
 */
export function findLink(links: readonly Link[], rel: string): string | undefined {
  const wanted = rel.toLowerCase()
  return links.find((link) => link.rel.includes(wanted))?.target
}

/** Single quotes are no quotes there, but who writes them means them: taken as part of the word, they would end a list early. */
function relations(value: string): string[] {
  return value
    .replace(/^'(.*)'$/, '$1')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
}

/** A position in a text, moved on by sticky expressions. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get ended(): boolean {
    return this.#at >= this.#text.length
  }

  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match !== null) this.#at += match[0].length
    return match
  }

  skip(pattern: RegExp): boolean {
    return this.match(pattern) !== null
  }

  expect(pattern: RegExp): string {
    return this.match(pattern)?.[1] ?? this.fail()
  }

  /** `name`, `name=token` or `name="quoted \" text"`; undefined for an empty one, as in `;;`. */
  parameter(): { name: string; value: string } | undefined {
    const name = this.match(/([!#$%&'*+.^_`|~\w-]+)\*?\s*/y)?.[1]?.toLowerCase()
    if (name === undefined) return undefined
    if (!this.skip(/=\s*/y)) return { name, value: '' }
    const quoted = this.match(/"((?:[^"\\]|\\.)*)"/y)?.[1]
    if (quoted !== undefined) return { name, value: quoted.replace(/\\(.)/g, '$1') }
    return { name, value: this.expect(/([^\s";,]+)/y) }
  }

  fail(): never {
    const got = `no link at character ${this.#at + 1}`
    throw new InvalidResponseError(`The Link header cannot be read: ${got}`, { expected: 'links (RFC 8288)', got })
  }
}
