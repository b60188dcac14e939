import { currentBranch, type Git } from './git.js'

/** A git remote: its name and where it points, reduced to `host/path`. */
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

/** The remote that says where this repository is built: that of the branch, else `origin`, else the only one. */
export async function findRemote(git: Git): Promise<Remote | null> {
  const names = (await git('remote'))?.split('\n').filter((name) => name !== '') ?? []
  if (names.length === 0) return null
  const branch = await currentBranch(git)
  const ofBranch = branch === null ? null : await git('config', '--get', `branch.${branch}.remote`)
  const name = [ofBranch, 'origin', names.length === 1 ? names[0] : null].find(
    (candidate): candidate is string => typeof candidate === 'string' && names.includes(candidate),
  )
  if (name === undefined) return null
  const url = await git('remote', 'get-url', '--', name)
  const location = url === null ? null : reduceRemote(url)
  return location === null ? null : { name, location }
}
