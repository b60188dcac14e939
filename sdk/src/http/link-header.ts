import { InvalidResponseError } from '../errors/errors.js'

/**
 * One link of a `Link` header (RFC 8288): `target` as it stands there, perhaps relative to the
 * page's URL.
 */
export interface Link {
  readonly target: string
  /** Relation types in lower case. */
  readonly rel: readonly string[]
}

/**
 * Reads a `Link` header: parameters quoted or not and in any order, several relations in one `rel`,
 * commas and semicolons inside `<>` and quotes, repeated headers joined by commas, empty list
 * members.
 *
 * @throws InvalidResponseError `invalid_response` for anything else: a list whose links cannot be
 * read must not look complete.
 * @example
 * ```ts
 * const { response } = await ci.request({ method: 'GET', path: '/v2/builds' })
 * const links = parseLinkHeader(response.headers.get('link') ?? '')
 * ```
 */
export function parseLinkHeader(text: string): Link[] {
  const links: Link[] = []
  let at = 0
  /** Moves on behind what the sticky expression finds here. */
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at += found[0].length
    return found
  }
  const refuse = (): never => {
    const got = `no link at character ${at + 1}`
    throw new InvalidResponseError(`The Link header cannot be read: ${got}`, {
      expected: 'links (RFC 8288)',
      got,
    })
  }
  for (;;) {
    match(/[\s,]*/y)
    if (at >= text.length) return links
    const target = match(/<([^>]*)>/y)?.[1] ?? refuse()
    let rel: readonly string[] | undefined
    while (match(/\s*;\s*/y) !== null) {
      // `name`, `name=token` or `name="quoted \" text"`; none at all in `;;`.
      const name = match(/([!#$%&'*+.^_`|~\w-]+)\*?\s*/y)?.[1]?.toLowerCase()
      if (name === undefined) continue
      const given = match(/=\s*/y) !== null
      const quoted = given ? match(/"((?:[^"\\]|\\.)*)"/y)?.[1] : ''
      const value = quoted?.replace(/\\(.)/g, '$1') ?? match(/([^\s";,]+)/y)?.[1] ?? refuse()
      // RFC 8288 §3.3: occurrences after the first rel are ignored.
      if (name === 'rel') rel ??= relations(value)
    }
    links.push({ target, rel: rel ?? [] })
    if (match(/\s*(?=,|$)/y) === null && at < text.length) refuse()
  }
}

/**
 * The target of the first link with this relation, whose name has no case (RFC 8288 §2.1);
 * undefined when there is none.
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

/**
 * The words of a `rel`. Some servers write single quotes, which are not quotes in a header: as part
 * of the word they would hide the next page.
 */
function relations(value: string): string[] {
  return value
    .replace(/^'(.*)'$/, '$1')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
}
