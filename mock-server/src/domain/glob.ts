/**
 * Matches the whole text, such as the name of a branch; case matters. `*` stands for any characters,
 * also `/`. The time is linear for each `*` of the pattern.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  return globMatcher(pattern)(text)
}

export function globMatcher(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return (text) => text === pattern
  const last = rest.pop() ?? ''
  return (text) => {
    const end = text.length - last.length
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}

/**
 * True if a list of patterns allows a branch. A leading `!` excludes; if all patterns exclude, all
 * other branches are allowed.
 */
export function allowsBranch(configuration: string | null | undefined, branch: string): boolean {
  const patterns = (configuration ?? '').split(/\s/).filter((pattern) => pattern !== '')
  const excluding = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => pattern.slice(1))
  const including = patterns.filter((pattern) => !pattern.startsWith('!'))
  if (excluding.some((pattern) => matchesGlob(pattern, branch))) return false
  return including.length === 0 || including.some((pattern) => matchesGlob(pattern, branch))
}
