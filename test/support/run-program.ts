import { type ChildProcess, spawn } from 'node:child_process'

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
  /** `text` is both streams as they came. */
  readonly written: { stdout: string; stderr: string; text: string }
  readonly done: Promise<ChildResult>
  /** Resolves when what was written on either stream matches. */
  shows(pattern: RegExp): Promise<RegExpExecArray>
}

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string | undefined
  /** Text on stdin, then its end; `open` leaves it open. */
  readonly stdin?: string
  /** Another user than this one; only root may say so. */
  readonly uid?: number
}

/** Starts a program by argv. */
export function start(program: string, args: readonly string[], options: StartOptions = {}): Child {
  const { env = {}, cwd, stdin = '', uid } = options
  const owner = uid === undefined ? {} : { uid, gid: uid }
  const child = spawn(program, args, { env, cwd, stdio: 'pipe', ...owner })
  const written = { stdout: '', stderr: '', text: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      written.text += text
      for (const listener of listeners) listener()
    })
  }
  child.stdin.on('error', () => undefined)
  if (stdin !== 'open') child.stdin.end(stdin)
  const done = new Promise<ChildResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: written.stdout, stderr: written.stderr }),
    )
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
      done.then(({ code, signal, stdout, stderr }) => {
        reject(
          new Error(
            `ended with ${code ?? signal}, without ${String(pattern)}:\n${stdout}\n${stderr}`,
          ),
        )
      }, reject)
    })
  return { process: child, written, done, shows }
}

/**
 * Runs a program to its end; asynchronously, as the server that it asks may live in this very
 * process.
 */
export async function runProgram(program: string, args: readonly string[], options: StartOptions) {
  const { done, written } = start(program, args, options)
  return { ...(await done), text: written.text }
}
