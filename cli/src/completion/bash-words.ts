type Quote = '"' | "'" | null

/** The words of a command line up to the cursor, of which the last one may be unfinished. */
interface BashWords {
  /** Without their quotes and backslashes. */
  readonly words: readonly string[]
  /** The last word as it is on the line. */
  readonly last: string
  /** The quote that is still open in the last word. */
  readonly quote: Quote
}

/** Splits a line at blanks and removes quotes as Bash does; nothing is expanded. */
export function readBashWords(line: string): BashWords {
  const words: string[] = []
  let quote: Quote = null
  let word = ''
  let start = 0
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at)
    const next = line.charAt(at + 1)
    if (quote === null && /\s/u.test(char)) {
      if (at > start) words.push(word)
      word = ''
      start = at + 1
    } else if (char === quote) {
      quote = null
    } else if (quote === null && (char === '"' || char === "'")) {
      quote = char
    } else if (char === '\\' && isEscape(quote, next)) {
      if (next !== '\n') word += next
      at += 1
    } else {
      word += char
    }
  }
  words.push(word)
  return { words, last: line.slice(start), quote }
}

/** Whether a backslash before `next` is removed. `next` is empty at the cursor. */
function isEscape(quote: Quote, next: string): boolean {
  if (quote === "'") return false
  return quote === null || next === '' || '$`"\\\n'.includes(next)
}

/**
 * Writes candidates as Bash inserts them: in place of `replaced`, the end of the last word that
 * readline replaces. Readline keeps what is before it, an open quote too.
 */
export function quoteForBash(
  candidates: readonly string[],
  last: string,
  replaced: string,
): string[] {
  const kept = last.slice(0, last.length - replaced.length)
  const { words, quote } = readBashWords(kept)
  const known = words.at(-1)?.length
  return candidates.map((candidate) => quoted(candidate.slice(known), quote))
}

function quoted(text: string, quote: Quote): string {
  if (quote === null) return text.replace(/[^\w@%+=:,./\u0080-\u{10ffff}-]/gu, '\\$&')
  const inside =
    quote === "'"
      ? text.replaceAll("'", "'\\''")
      : // A `!` means the history between double quotes too, where a backslash would stay.
        text.replace(/[$`"\\]/gu, '\\$&').replaceAll('!', '"\\!"')
  // Readline closes the quote of the only candidate, except after a character like it.
  return inside.endsWith(quote) ? inside + quote : inside
}
