/** One link of a `Link` header (RFC 8288). */
export interface Link {
  readonly target: string
  /** Relation types in lower case. */
  readonly rel: readonly string[]
}

/** The header is no list of links. */
export class LinkSyntaxError extends Error {
  override readonly name = 'LinkSyntaxError'
}

/**
 * Reads a `Link` header: parameters quoted or not and in any order, several relations in one `rel`, commas and
 * semicolons inside `<>` and quotes, repeated headers joined by commas, empty list members.
 *
 * @throws LinkSyntaxError for anything else: a list whose links cannot be read must not look complete.
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
      if (parameter?.name === 'rel') rel ??= parameter.value.toLowerCase().split(/\s+/).filter(Boolean)
    }
    links.push({ target, rel: rel ?? [] })
    if (!reader.skip(/\s*(?=,|$)/y) && !reader.ended) reader.fail()
  }
}

/** The target of the first link with this relation. */
export function findLink(links: readonly Link[], rel: string): string | undefined {
  return links.find((link) => link.rel.includes(rel))?.target
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
    throw new LinkSyntaxError(`not a link at character ${this.#at + 1}`)
  }
}
