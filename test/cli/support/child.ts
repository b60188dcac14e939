import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Child,
  type ChildResult,
  type StartOptions,
  start,
} from '../../support/run-program.js'

export { type Child, type ChildResult, start }

/** The built program. */
export const BIN = fileURLToPath(new URL('../../../cli/bin/run.js', import.meta.url))

export interface ChildOptions extends StartOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Options of Node, before the program. */
  readonly node?: readonly string[]
  readonly onSpawn?: (child: ChildProcess) => void
}

/** The output on a terminal without progress lines, which appear only on a slow machine. */
export function withoutProgress(text: string): string {
  return text.replace(/(?:\r\u001b\[K[^\r\n]*)*\r\u001b\[K/gu, '')
}

/** An environment with only the variables that programs need to start. */
export function emptyEnv(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  }
}

/** As {@link emptyEnv}, in a new home. */
export async function bareEnv(
  extra: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  return { ...emptyEnv(await mkdtemp(join(tmpdir(), 'ci-child-'))), ...extra }
}

/** Runs the built program as a child process to its end, in a new home. */
export async function runChild(
  argv: readonly string[],
  options: ChildOptions = {},
): Promise<ChildResult> {
  const { node = [], onSpawn, ...rest } = options
  const env = await bareEnv(options.env)
  const child = start(process.execPath, [...node, BIN, ...argv], { cwd: env.HOME, ...rest, env })
  onSpawn?.(child.process)
  return child.done
}

/** Runs a shell line in which `ci` is the built program. */
export function shell(line: string, options: ChildOptions = {}): Child {
  return start('bash', ['-c', `ci() { "${process.execPath}" "${BIN}" "$@"; }\n${line}`], options)
}

/** As {@link shell}, on a pseudo terminal of that size; its output is the child's stdout. */
export function terminal(
  line: string,
  size: { columns: number; rows: number },
  options: ChildOptions = {},
): Child {
  const body = `stty cols ${size.columns} rows ${size.rows}\nci() { "${process.execPath}" "${BIN}" "$@"; }\n${line}`
  const words = ['-qefc', `bash -c '${body.replaceAll("'", `'\\''`)}'`, '/dev/null']
  return start('script', words, { stdin: 'open', ...options })
}

/** Whether a program is installed; tests that need it are skipped with its name. */
export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
