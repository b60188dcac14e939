import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import type { Manifest } from '../help/manifest.js'
import { candidates, type DynamicValues } from './protocol.js'

/** Answers `ci __complete SHELL WORDS…`: one candidate a line. Never fails aloud: a shell is waiting. */
export async function complete(
  argv: readonly string[],
  manifestPath: string,
  write: (text: string) => void,
): Promise<void> {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
    const found = await candidates(argv.slice(1), manifest, dynamicValues())
    write(found.map((line) => `${line}\n`).join(''))
  } catch {
    process.exitCode = 1
  }
}

function dynamicValues(): DynamicValues {
  const { env, platform } = process
  return {
    async contexts() {
      const { readContexts } = await import('../config/contexts.js')
      const file = await readContexts({ env, home: env.HOME || homedir(), platform })
      return [...file.contexts.keys()]
    },
    async branches() {
      const { gitOf } = await import('../context/git/git.js')
      const refs = await gitOf({ env, platform, cwd: process.cwd() })(
        'for-each-ref',
        '--format=%(refname:short)',
        '--',
        'refs/heads',
      )
      return refs?.split('\n').filter((name) => name !== '') ?? []
    },
  }
}
