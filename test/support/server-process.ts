import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ReadyInfo } from '../../mock-server/src/index.js'
import { type Child, type StartOptions, start } from './run-program.js'

const entry = fileURLToPath(new URL('./run-mock-server.ts', import.meta.url))
const built = fileURLToPath(new URL('../../mock-server/bin/run.js', import.meta.url))
const tsconfig = fileURLToPath(new URL('./program.tsconfig.json', import.meta.url))

export interface ServerProcess {
  readonly child: ChildProcess
  /** The ready line. Rejects with the text of stderr if the program ends before it. */
  readonly ready: Promise<ReadyInfo>
  /** Resolves when the process ends. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  readonly output: Child['written']
}

/** Runs the program `ci-mock-server`, from its sources or as built, in its own process. */
export function startServerProcess(
  args: readonly string[],
  { built: isBuilt = false, env, ...options }: StartOptions & { readonly built?: boolean } = {},
): ServerProcess {
  const program = isBuilt ? [built] : ['--import', 'tsx', entry]
  const whole = { ...process.env, TSX_TSCONFIG_PATH: tsconfig, ...env }
  const child = start(process.execPath, [...program, ...args], { ...options, env: whole })
  const ready = child
    .shows(/^(\{"event":"ready".*)\n/mu)
    .then(([, line = '']) => JSON.parse(line) as ReadyInfo)
  ready.catch(() => undefined)
  const ended = child.done.then(({ code, signal }) => ({ code, signal }))
  return { child: child.process, ready, ended, output: child.written }
}
