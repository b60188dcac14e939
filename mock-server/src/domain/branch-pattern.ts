/**
 * Matches the whole branch name; case matters. `*` stands for any characters, also `/`. The time is
 * linear for each `*` of the pattern.
 */
export function matchesBranch(pattern: string, branch: string): boolean {
  return branchMatcher(pattern)(branch)
}

export function branchMatcher(pattern: string): (branch: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return (branch) => branch === pattern
  const last = rest.pop() ?? ''
  return (branch) => {
    const end = branch.length - last.length
    if (end < first.length || !branch.startsWith(first) || !branch.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = branch.indexOf(part, at)
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
  if (excluding.some((pattern) => matchesBranch(pattern, branch))) return false
  return including.length === 0 || including.some((pattern) => matchesBranch(pattern, branch))
}
