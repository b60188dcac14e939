/** Limits for text from clients. They are checked before a parser reads the text. */
export const budget = {
  /** Levels of nesting in JSON, GraphQL, a key set or an assertion. */
  depth: 64,
  pairs: 10_000,
  /** Tokens of a GraphQL document: validation compares all fields of the same name in pairs. */
  graphqlTokens: 500,
  jwksBytes: 65_536,
  /** Keys of a set. An assertion without `kid` is verified with each of them. */
  jwksKeys: 100,
  assertionBytes: 8_192,
} as const

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const u = 'u'.charCodeAt(0)
const openArray = '['.charCodeAt(0)
const closeArray = ']'.charCodeAt(0)
const openObject = '{'.charCodeAt(0)
const closeObject = '}'.charCodeAt(0)

/** True if the escape whose `u` is at `at` is one half of a surrogate pair without the other. */
function isHalfPair(text: string, at: number): boolean {
  const unit = Number.parseInt(text.slice(at + 1, at + 5), 16)
  if (!(unit >= 0xd800 && unit <= 0xdfff)) return false
  return unit >= 0xdc00 || !/^\\u[dD][c-fC-F]/.test(text.slice(at + 5, at + 9))
}

/**
 * The position of the quote that closes the string at `at`, or the end of the text; undefined if
 * the string has half a surrogate pair.
 */
function endOfString(text: string, at: number): number | undefined {
  for (let end = at + 1; end < text.length; end++) {
    const sign = text.charCodeAt(end)
    if (sign === quote) return end
    if (sign !== backslash) continue
    end++
    if (text.charCodeAt(end) !== u) continue
    if (isHalfPair(text, end)) return undefined
    // Skips the second half of a pair.
    if (/^[dD][89abAB]/.test(text.slice(end + 1, end + 3))) end += 6
  }
  return text.length
}

/** True if a JSON text is within the budget and all its escapes are well-formed Unicode. */
export function isTameJson(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === quote) {
      const end = endOfString(text, at)
      if (end === undefined) return false
      at = end
    } else if (sign === openArray || sign === openObject) {
      if (++depth > budget.depth) return false
    } else if (sign === closeArray || sign === closeObject) depth--
  }
  return true
}
