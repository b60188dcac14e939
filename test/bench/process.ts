import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { ReadyInfo } from '../../mock-server/src/index.js'
import { startServerProcess } from '../support/server-process.js'

export interface Program {
  readonly ready: ReadyInfo
  /** The time from the spawn to the ready line, in ms. */
  readonly readyMs: number
  stop(): Promise<void>
}

/** The reference server in its own process, as users run it. */
export async function startProgram(args: readonly string[]): Promise<Program> {
  const start = process.hrtime.bigint()
  const { child, ready, ended } = startServerProcess(['--port', '0', '--log', 'off', ...args], {
    built: true,
    // With more certificates every Node program starts later.
    env: { NODE_EXTRA_CA_CERTS: undefined },
  })
  return {
    ready: await ready,
    readyMs: Number(process.hrtime.bigint() - start) / 1e6,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A server of this folder in a worker thread, which first sends its port. */
export async function startWorker(file: string, workerData: object) {
  const worker = new Worker(new URL(file, import.meta.url), { workerData })
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }]
  return { worker, url: `http://127.0.0.1:${port}`, close: () => worker.terminate() }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Any other program that serves a port. It is ready when the address sends any response. */
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
      if (process.hrtime.bigint() > deadline || child.exitCode !== null)
        throw new Error(`${command} did not start`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return {
    async stop() {
      const end = once(child, 'close')
      child.kill('SIGTERM')
      await end
    },
  }
}
