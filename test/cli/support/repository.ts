import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** An environment for git, without the configuration of the person who runs the tests. */
export const gitEnv = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null' }

/** Runs git in a directory. */
export function git(cwd: string, ...args: string[]) {
  const author = ['-c', 'user.name=Robin', '-c', 'user.email=robin@acme.example']
  return promisify(execFile)('git', ['-C', cwd, ...author, ...args])
}

/** A new repository with one commit on `feat/uploads`, and a remote. */
export async function repository(url: string): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'ci-repository-'))
  await git(cwd, 'init', '-q', '-b', 'feat/uploads')
  await git(cwd, 'remote', 'add', 'origin', url)
  await git(cwd, 'commit', '-q', '--allow-empty', '-m', 'first')
  return cwd
}
