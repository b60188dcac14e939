/** What a text from outside may cost, whoever sends it; counted before a parser follows it. */
export const budget = {
  /** Levels of nesting in JSON, GraphQL, a key set or an assertion. */
  depth: 64,
  pairs: 10_000,
  /** Tokens of a GraphQL document: validation compares every pair of equal fields. */
  graphqlTokens: 500,
  jwksBytes: 65_536,
  /** Keys of one set, so also the signatures that an assertion without `kid` is tried against. */
  jwksKeys: 100,
  assertionBytes: 8_192,
} as const

const [quote, backslash, u, openArray, closeArray, openObject, closeObject] = [...'"\\u[]{}'].map(
  (sign) => sign.charCodeAt(0),
)

/**
 * Whether the `u` at `at` begins `\uD83D` without `\uDE00` behind it, or such a second half alone.
 */
function isHalfPair(text: string, at: number): boolean {
  const unit = Number.parseInt(text.slice(at + 1, at + 5), 16)
  if (!(unit >= 0xd800 && unit <= 0xdfff)) return false
  return unit >= 0xdc00 || !/^\\u[dD][c-fC-F]/.test(text.slice(at + 5, at + 9))
}

/**
 * The closing quote of the string that begins at `at`, or the end of the text; undefined: half a
 * surrogate pair.
 */
function endOfString(text: string, at: number): number | undefined {
  for (let end = at + 1; end < text.length; end++) {
    const sign = text.charCodeAt(end)
    if (sign === quote) return end
    if (sign !== backslash) continue
    end++
    if (text.charCodeAt(end) !== u) continue
    if (isHalfPair(text, end)) return undefined
    // The second half of a pair belongs to the first.
    if (/^[dD][89abAB]/.test(text.slice(end + 1, end + 3))) end += 6
  }
  return text.length
}

/** Whether a JSON text keeps to the budget, and every escape in it is well-formed Unicode. */
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
