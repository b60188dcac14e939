import { type ChildProcess, spawn } from 'node:child_process'

/** The output and the end of a child process. */
export interface ChildResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A running child process: its output so far, and its end. */
export interface Child {
  readonly process: ChildProcess
  /** `text` is both streams in the order in which they came. */
  readonly written: { stdout: string; stderr: string; text: string }
  readonly done: Promise<ChildResult>
  /** Resolves when the output on either stream matches. */
  shows(pattern: RegExp): Promise<RegExpExecArray>
}

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string | undefined
  /** Text for stdin, which is then closed; `open` leaves it open. */
  readonly stdin?: string
  /** Another user id for the process; only root may set it. */
  readonly uid?: number
}

/** Starts a program with an argument list. */
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
 * Runs a program to its end. It is asynchronous because the server of the program may be in this
 * process.
 */
export async function runProgram(program: string, args: readonly string[], options: StartOptions) {
  const { done, written } = start(program, args, options)
  return { ...(await done), text: written.text }
}
