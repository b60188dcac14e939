import type { Git } from './git.js'

/** Where git remotes point, reduced to `host/path`, and the first of them that points there. */
export interface Remote {
  readonly name: string
  readonly location: string
}

/**
 * Reduces a repository URL to `host/path`: scheme, user, port and `.git` off, host in lower case; null for a local
 * path and for what is no URL.
 */
export function reduceRemote(url: string): string | null {
  const text = url.trim()
  const scp = /^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)(.+)$/u.exec(text)
  const parsed = URL.canParse(text) && /^[a-z+]+:\/\//iu.test(text) ? new URL(text) : null
  const host = parsed?.hostname ?? scp?.[1]
  const path = parsed?.pathname ?? scp?.[2]
  if (!host || !path) return null
  const clean = path
    .replace(/^\/+/u, '')
    .replace(/\/+$/u, '')
    .replace(/\.git$/u, '')
  return clean === '' ? null : `${host.toLowerCase()}/${clean}`
}

/** Every place that the remotes of this repository are fetched from, once each. */
export async function findRemotes(git: Git): Promise<Remote[]> {
  const listed = (await git('remote', '--verbose')) ?? ''
  const found = new Map<string, Remote>()
  for (const line of listed.split('\n')) {
    const [, name = '', url = ''] = /^(\S+)\t(.+?) \(fetch\)/u.exec(line) ?? []
    const location = reduceRemote(url)
    if (location !== null && !found.has(location)) found.set(location, { name, location })
  }
  return [...found.values()]
}
