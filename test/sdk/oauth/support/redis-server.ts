import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'

/** Why tests that need Redis cannot run here; undefined when they can. */
export function redisIsMissing(): string | undefined {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'skipped: redis-server is not installed'
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

function open(port: number) {
  const socket = { host: '127.0.0.1', port, reconnectStrategy: false as const }
  return createClient({ socket, disableOfflineQueue: true }).on('error', () => {})
}

/** A Redis of this test's own, in memory, on a free port. */
export class RedisServer implements AsyncDisposable {
  readonly port: number
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #clients: ReturnType<typeof open>[] = []

  private constructor(port: number, process: ChildProcess, folder: string) {
    this.port = port
    this.#process = process
    this.#folder = folder
  }

  static async start(): Promise<RedisServer> {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'buildwire-redis-'))
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
      child.stdout.on('data', (text: Buffer) => {
        if (text.toString().includes('Ready to accept connections')) resolve()
      })
    })
    return new RedisServer(port, child, folder)
  }

  async connect() {
    const client = open(this.port)
    this.#clients.push(client)
    return client.connect()
  }

  /** As a crash: no good-bye. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    this.#process.kill('SIGKILL')
    await once(this.#process, 'exit')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) if (client.isOpen) client.destroy()
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
