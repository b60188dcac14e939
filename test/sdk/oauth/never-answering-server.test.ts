import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { requestDeviceAuthorization } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { deviceAnswer } from './support/device.js'
import { failure } from './support/failure.js'

test('D7 on real sockets: a server that accepts and never answers ends each poll, and the login at expires_in', async () => {
  const sockets = new Set<Socket>()
  let open = 0
  let most = 0
  const server = createHttpServer((request, response) => {
    if (request.url === '/oauth/device_authorization') {
      const { port } = server.address() as AddressInfo
      const answer = { ...deviceAnswer, verification_uri: `http://127.0.0.1:${port}/`, expires_in: 1.5, interval: 1 }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    }
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    most = Math.max(most, ++open)
    socket.on('close', () => open--)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = { authUrl: `http://127.0.0.1:${port}`, timeoutMs: 100 }
  const started = process.hrtime.bigint()
  const device = await requestDeviceAuthorization({ client_id: 'cli', scope: 'read_builds' }, options)
  const error = await failure(device.poll())
  const seconds = Number(process.hrtime.bigint() - started) / 1e9
  expect(error).toMatchObject({ code: 'device_authorization', local: true, maybeApproved: true })
  expect(seconds).toBeLessThan(3)
  expect(most).toBeLessThanOrEqual(2)
  server.close()
  for (const socket of sockets) socket.destroy()
})
