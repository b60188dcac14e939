import { outputOf, type ProgramIo } from '@buildwire/mock-server/programs'

export type Git = (...args: readonly string[]) => Promise<string | null>

const LIMIT_MS = 2000
const SSH_LIMIT_MS = 1000

/** Runs git in the current directory, without a shell and without taking locks. */
export function gitOf({ env, cwd, platform }: ProgramIo): Git {
  const io = { cwd, platform, env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } }
  return async (...args) =>
    (await outputOf(io, ['git', '-C', cwd, ...args], LIMIT_MS))?.trimEnd() ?? null
}

/** The checked-out branch; null on a detached HEAD or outside a repository. */
export async function currentBranch(git: Git): Promise<string | null> {
  return (await git('symbolic-ref', '--quiet', '--short', 'HEAD')) || null
}

/** The full SHA that a ref or short SHA names; null if git does not know it. */
export async function fullSha(git: Git, ref: string): Promise<string | null> {
  return (
    (await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)) || null
  )
}

/** Whether a remote branch contains the commit, so that agents can fetch it; null if unknown. */
export async function isPushed(git: Git, sha: string): Promise<boolean | null> {
  const branches = await git('branch', '--remotes', '--format=%(refname)', `--contains=${sha}`)
  return branches === null ? null : branches !== ''
}

/** The location of git remotes as `host/path`, and the first remote that has it. */
export interface Remote {
  readonly name: string
  readonly location: string
  /** The host as the URL writes it, if git reaches it by SSH: it may be an alias. */
  readonly sshHost: string | null
}

interface RemoteUrl {
  readonly host: string
  readonly path: string
  readonly isSsh: boolean
}

/** Reads `scheme://host/path` and `user@host:path`; null for a local path. */
function parseRemote(url: string): RemoteUrl | null {
  const text = url.trim()
  const scp = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)(.+)$/u.exec(text)
  const parsed = URL.canParse(text) && /^[a-z+]+:\/\//iu.test(text) ? new URL(text) : null
  const host = parsed?.hostname ?? scp?.[1]
  const path = parsed?.pathname ?? scp?.[2]
  if (!host || !path) return null
  const clean = path.replace(/^\/+|(?<!\/)\/+$/gu, '').replace(/\.git$/u, '')
  return clean === '' ? null : { host, path: clean, isSsh: !parsed || /ssh/u.test(parsed.protocol) }
}

/**
 * Reduces a repository URL to `host/path`: without scheme, user, port and `.git`, the host in lower
 * case. Null for a local path and for a text that is not a URL.
 */
export function reduceRemote(url: string): string | null {
  const remote = parseRemote(url)
  return remote && `${remote.host.toLowerCase()}/${remote.path}`
}

/** The locations that this repository is fetched from, each once. */
export async function findRemotes(git: Git): Promise<Remote[]> {
  const listed = (await git('remote', '--verbose')) ?? ''
  const remotes = new Map<string, Remote>()
  for (const line of listed.split('\n')) {
    const [, name = '', url = ''] = /^(\S+)\t(.+?) \(fetch\)/u.exec(line) ?? []
    const parsed = parseRemote(url)
    if (parsed === null) continue
    const location = `${parsed.host.toLowerCase()}/${parsed.path}`
    const sshHost = parsed.isSsh ? parsed.host : null
    if (!remotes.has(location)) remotes.set(location, { name, location, sshHost })
  }
  return [...remotes.values()]
}

/**
 * The location of a remote whose host is an alias in the SSH configuration of the user (`Host
 * work`); null where ssh knows no other name of the host.
 */
export async function locationBySsh(
  { env, cwd, platform }: ProgramIo,
  { location, sshHost }: Remote,
): Promise<string | null> {
  if (sshHost === null || sshHost.startsWith('-')) return null
  const words = ['ssh', '-G', sshHost]
  const configuration = await outputOf({ env, cwd, platform }, words, SSH_LIMIT_MS)
  const host = /^hostname (.+)$/mu
    .exec(configuration ?? '')?.[1]
    ?.trim()
    .toLowerCase()
  if (host === undefined || host === sshHost.toLowerCase()) return null
  return host + location.slice(location.indexOf('/'))
}
