import { connect, type Socket } from 'node:net'
import { createMockServer } from '@buildwire/mock-server'
import type { StressTask } from './task.js'

const open = (port: number, bytes: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes)
      resolve(socket)
    })
    socket.on('error', reject)
  })

/**
 * Starts and stops a server with idle, half-sent and slow connections open. Each stop must take
 * less than a second and leave no handle.
 */
export const run: StressTask = async ({ within, requests = 200, log }) => {
  const handles = () =>
    process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Immediate/.test(name)).length
  const before = handles()
  let cycles = 0
  let slowest = 0
  let failure: string | undefined
  while (cycles < requests && failure === undefined && within()) {
    const server = createMockServer({ seed: 'demo', lifecycle: { policy: 'timed' } })
    const { port } = await server.listen({ port: 0 })
    const sockets = await Promise.all([
      open(port, ''),
      open(port, 'GET /v2/builds HTTP/1.1\r\nHost: 127.0.0.1\r\n'),
      open(
        port,
        'POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n\r\ngrant',
      ),
      open(port, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'),
    ])
    for (const socket of sockets) socket.on('error', () => undefined)
    const closed = sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve)))
    const start = process.hrtime.bigint()
    await server.close()
    const tookMs = Number(process.hrtime.bigint() - start) / 1e6
    slowest = Math.max(slowest, tookMs)
    if (tookMs > 1000) failure = `cycle ${cycles} took ${Math.round(tookMs)} ms to stop`
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
    cycles += 1
    if (cycles % 50 === 0) log(`${cycles} cycles`)
  }
  await new Promise((resolve) => setImmediate(resolve))
  const left = handles() - before
  if (left > 0) failure ??= `${left} handles left: ${process.getActiveResourcesInfo().join(', ')}`
  return {
    figures: { cycles, 'slowest stop ms': Math.round(slowest), 'handles left': left },
    failure,
  }
}
