import { Agent, createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export const faults = ['refuse', 'lose', 'reset', 'delay', 'duplicate'] as const
export type ProxyFault = (typeof faults)[number]

export interface ChaosProxy {
  readonly url: string
  readonly counts: Readonly<Record<ProxyFault | 'clean', number>>
  close(): Promise<void>
}

/**
 * A proxy that damages responses. `refuse` closes before the server gets the request. `lose` and
 * `reset` close after the server has acted: without a byte, or in the middle of the body. `delay`
 * waits. `duplicate` sends the whole response twice on the same connection, so that a careless
 * client takes the second one for the response to its next request.
 */
export async function chaosProxy(
  target: string,
  draw: () => ProxyFault | null,
  delay: () => Promise<void>,
): Promise<ChaosProxy> {
  const { hostname, port } = new URL(target)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const counts: Record<ProxyFault | 'clean', number> = {
    refuse: 0,
    lose: 0,
    reset: 0,
    delay: 0,
    duplicate: 0,
    clean: 0,
  }
  const server: Server = createServer((incoming, outgoing) => {
    const fault = draw()
    counts[fault ?? 'clean'] += 1
    const { socket } = incoming
    if (fault === 'refuse') {
      socket.destroy()
      return
    }
    const headers = { ...incoming.headers, host: `${hostname}:${port}` }
    const upstream = httpRequest(
      { agent, host: hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', async () => {
          const body = Buffer.concat(chunks)
          if (fault === 'lose') return socket.destroy()
          if (fault === 'delay') await delay()
          const {
            'transfer-encoding': _chunked,
            connection: _hop,
            'content-length': _length,
            ...rest
          } = answer.headers
          const lines = Object.entries({ ...rest, 'content-length': String(body.length) }).flatMap(
            ([name, value]) =>
              (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${one}`),
          )
          const head = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`
          if (fault === 'reset') {
            socket.write(
              Buffer.concat([
                Buffer.from(head, 'latin1'),
                body.subarray(0, Math.floor(body.length / 2)),
              ]),
            )
            return socket.resetAndDestroy()
          }
          if (fault === 'duplicate') {
            const whole = Buffer.concat([Buffer.from(head, 'latin1'), body])
            return socket.end(Buffer.concat([whole, whole]))
          }
          outgoing.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': body.length })
          outgoing.end(body)
        })
      },
    )
    upstream.on('error', () => socket.destroy())
    incoming.pipe(upstream)
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
