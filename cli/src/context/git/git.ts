import { outputOf, type ProgramIo } from '@buildwire/mock-server/programs'

export type Git = (...args: readonly string[]) => Promise<string | null>

const LIMIT_MS = 2000

/** git in the current directory: by argv, without a shell, without taking locks. */
export function gitOf({ env, cwd, platform }: ProgramIo): Git {
  const io = { cwd, platform, env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } }
  return async (...args) =>
    (await outputOf(io, ['git', '-C', cwd, ...args], LIMIT_MS))?.trimEnd() ?? null
}

/** The checked-out branch; null on a detached HEAD or outside a repository. */
export async function currentBranch(git: Git): Promise<string | null> {
  return (await git('symbolic-ref', '--quiet', '--short', 'HEAD')) || null
}

/** The full SHA that a ref or short SHA names; null when git cannot tell. */
export async function fullSha(git: Git, ref: string): Promise<string | null> {
  return (
    (await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)) || null
  )
}

/**
 * Whether a remote branch holds the commit, so that agents can fetch it; null when git cannot tell.
 */
export async function isPushed(git: Git, sha: string): Promise<boolean | null> {
  const branches = await git('branch', '--remotes', '--format=%(refname)', `--contains=${sha}`)
  return branches === null ? null : branches !== ''
}

/** Where git remotes point, reduced to `host/path`, and the first of them that points there. */
export interface Remote {
  readonly name: string
  readonly location: string
}

/**
 * Reduces a repository URL to `host/path`: scheme, user, port and `.git` off, host in lower case;
 * null for a local path and for what is no URL.
 */
export function reduceRemote(url: string): string | null {
  const text = url.trim()
  const scp = /^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)(.+)$/u.exec(text)
  const parsed = URL.canParse(text) && /^[a-z+]+:\/\//iu.test(text) ? new URL(text) : null
  const host = parsed?.hostname ?? scp?.[1]
  const path = parsed?.pathname ?? scp?.[2]
  if (!host || !path) return null
  const clean = path.replace(/^\/+|(?<!\/)\/+$/gu, '').replace(/\.git$/u, '')
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
