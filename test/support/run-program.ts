import { spawn } from 'node:child_process'

export interface ProgramRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Both streams as they came. */
  readonly text: string
}

/** Runs a program to its end; asynchronously, as the server that it asks may live in this very process. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const out = { stdout: '', stderr: '', text: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (part: string) => {
        out[name] += part
        out.text += part
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...out }))
  })
}
