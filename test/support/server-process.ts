import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ReadyInfo } from '../../mock-server/src/index.js'

const entry = fileURLToPath(new URL('./run-mock-server.ts', import.meta.url))
const built = fileURLToPath(new URL('../../mock-server/bin/run.js', import.meta.url))
const tsconfig = fileURLToPath(new URL('./program.tsconfig.json', import.meta.url))

export interface ServerProcess {
  readonly child: ChildProcess
  /** The ready line; rejects with what stood on stderr when the program ends before. */
  readonly ready: Promise<ReadyInfo>
  /** Resolves at the end. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  readonly output: { stdout: string; stderr: string }
}

/** Runs the program `ci-mock-server` from its sources, or as built, as a process of its own. */
export function startServerProcess(
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly stdin?: 'pipe' | 'ignore'
    readonly built?: boolean
    /** Another user than this one; only root may say so. */
    readonly uid?: number
  } = {},
): ServerProcess {
  const child = spawn(process.execPath, [...(options.built === true ? [built] : ['--import', 'tsx', entry]), ...args], {
    stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, TSX_TSCONFIG_PATH: tsconfig, ...options.env },
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
  const output = { stdout: '', stderr: '' }
  child.stderr?.on('data', (data) => {
    output.stderr += String(data)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  const ready = new Promise<ReadyInfo>((resolve, reject) => {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        output.stdout += `${line}\n`
        if (line.startsWith('{"event":"ready"')) resolve(JSON.parse(line) as ReadyInfo)
      })
    }
    void ended.then(({ code, signal }) => reject(new Error(`ended with ${code ?? signal}: ${output.stderr}`)))
  })
  ready.catch(() => undefined)
  return { child, ready, ended, output }
}
