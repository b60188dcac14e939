import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { BIN } from './child.js'

/** What a child left behind. */
export interface ChildResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A child that runs: what it wrote so far, and how it ends. */
export interface Child {
  readonly process: ChildProcess
  readonly written: { stdout: string; stderr: string }
  readonly done: Promise<ChildResult>
  /** Resolves when what was written on either stream matches. */
  shows(pattern: RegExp): Promise<RegExpExecArray>
}

/** How a child is started. */
export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Text on stdin, then its end; `open` leaves it open. */
  readonly stdin?: string | 'open'
}

/** An environment with nothing of this machine but what programs need to start. */
export function emptyEnv(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, TZ: 'UTC', LANG: 'C.UTF-8', TERM: 'xterm-256color' }
}

/** Starts a program by argv. */
export function start(program: string, args: readonly string[], options: ChildOptions = {}): Child {
  const child = spawn(program, [...args], { env: options.env ?? {}, cwd: options.cwd, stdio: 'pipe' })
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      for (const listener of listeners) listener()
    })
  }
  child.stdin.on('error', () => undefined)
  if (options.stdin !== 'open') child.stdin.end(options.stdin ?? '')
  const done = new Promise<ChildResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...written }))
  })
  const shows = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(written.stdout) ?? pattern.exec(written.stderr)
        if (found === null) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      look()
      done.then(
        () => reject(new Error(`ended without ${String(pattern)}:\n${written.stdout}\n${written.stderr}`)),
        reject,
      )
    })
  return { process: child, written, done, shows }
}

/** Runs a shell line in which `ci` is the built program. */
export function shell(line: string, options: ChildOptions = {}): Child {
  return start('bash', ['-c', `ci() { "${process.execPath}" "${BIN}" "$@"; }\n${line}`], options)
}

/** The same on a pseudo terminal of that size; what it shows is the child's stdout. */
export function terminal(line: string, size: { columns: number; rows: number }, options: ChildOptions = {}): Child {
  const body = `stty cols ${size.columns} rows ${size.rows}\nci() { "${process.execPath}" "${BIN}" "$@"; }\n${line}`
  return start('script', ['-qefc', `bash -c '${body.replaceAll("'", `'\\''`)}'`, '/dev/null'], {
    stdin: 'open',
    ...options,
  })
}

/** Whether a program is there; tests that need it say so when it is not. */
export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
