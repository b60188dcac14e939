import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built program. */
export const BIN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url))

/** What a child left behind. */
export interface ChildResult {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string
  /** Node options in front of the program. */
  readonly node?: readonly string[]
  readonly onSpawn?: (child: ChildProcess) => void
}

/** What a terminal shows without the progress that a slow machine sees for a moment. */
export function withoutProgress(text: string): string {
  return text.replace(/(?:\r\u001b\[K[^\r\n]*)*\r\u001b\[K/gu, '')
}

/** An environment with nothing of the machine's own in it: an empty home, no XDG directories. */
export async function bareEnv(extra: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'ci-child-'))
  return { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', ...extra }
}

/** Runs the built program as a child to its end. */
export async function runChild(argv: readonly string[], options: ChildOptions = {}): Promise<ChildResult> {
  const env = await bareEnv(options.env)
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(options.node ?? []), BIN, ...argv], {
      env,
      cwd: options.cwd ?? env.HOME,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.stdin ?? '')
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    options.onSpawn?.(child)
  })
}
