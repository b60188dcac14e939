/**
 * `*` stands for any characters, `/` too; anchored; case matters. Takes linear time for each `*`,
 * whatever the pattern.
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
 * Whether a list of patterns lets a branch through: a leading `!` excludes; with only such patterns
 * all others pass.
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
