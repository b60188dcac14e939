import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../mock-server/bin/run.js', import.meta.url))

export interface Ready {
  readonly baseUrl: string
  readonly authUrl: string
  readonly accessTokens: Readonly<Record<string, string>>
  readonly controlUrl: string
  readonly controlToken: string
}

export interface Program {
  readonly ready: Ready
  /** From the spawn to the ready line, in ms. */
  readonly readyMs: number
  stop(): Promise<void>
}

const ended = (child: ChildProcess) => new Promise<void>((resolve) => child.once('close', () => resolve()))

/** The reference server as its own process, as somebody would run it. */
export async function startProgram(args: readonly string[]): Promise<Program> {
  const start = process.hrtime.bigint()
  const child = spawn(process.execPath, [bin, '--port', '0', '--log', 'off', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('close', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  const readyMs = Number(process.hrtime.bigint() - start) / 1e6
  return {
    ready: JSON.parse(line) as Ready,
    readyMs,
    async stop() {
      const end = ended(child)
      child.kill('SIGTERM')
      await end
    },
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/** Any other program that serves on a port; ready when the address answers at all. */
export async function startOther(
  command: string,
  args: readonly string[],
  url: string,
): Promise<{ stop(): Promise<void> }> {
  const child = spawn(command, args, { stdio: 'ignore' })
  const deadline = process.hrtime.bigint() + 60_000_000_000n
  for (;;) {
    try {
      await (await fetch(url)).arrayBuffer()
      break
    } catch {
      if (process.hrtime.bigint() > deadline || child.exitCode !== null) throw new Error(`${command} did not start`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return {
    async stop() {
      const end = ended(child)
      child.kill('SIGTERM')
      await end
    },
  }
}
