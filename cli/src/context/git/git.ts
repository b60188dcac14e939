import { outputOf, type ProgramIo } from '@buildwire/mock-server/programs'

/** Runs git in a directory; null when git is missing, fails, or takes longer than two seconds. */
export type Git = (...args: readonly string[]) => Promise<string | null>

const LIMIT_MS = 2000

/** git in the current directory: by argv, without a shell, without taking locks. */
export function gitOf({ env, cwd, platform }: ProgramIo): Git {
  const io = { cwd, platform, env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } }
  return async (...args) => (await outputOf(io, ['git', '-C', cwd, ...args], LIMIT_MS))?.trimEnd() ?? null
}

/** The checked-out branch; null on a detached HEAD or outside a repository. */
export async function currentBranch(git: Git): Promise<string | null> {
  return (await git('symbolic-ref', '--quiet', '--short', 'HEAD')) || null
}

/** The full SHA that a ref or short SHA names; null when git cannot tell. */
export async function fullSha(git: Git, ref: string): Promise<string | null> {
  return (await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)) || null
}

/** Whether a remote branch holds the commit, so that agents can fetch it; null when git cannot tell. */
export async function isPushed(git: Git, sha: string): Promise<boolean | null> {
  const branches = await git('branch', '--remotes', '--format=%(refname)', `--contains=${sha}`)
  return branches === null ? null : branches !== ''
}
