import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { generateSigningKey, requestDeviceAuthorization, TokenExchange } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { deviceAnswer } from './support/device.js'
import { ada, subject_token_type } from './support/exchange.js'
import { failure } from './support/failure.js'

/** A server on a port of this machine that counts its connections. */
class Origin implements AsyncDisposable {
  readonly url: string
  readonly sockets = new Set<Socket>()
  connections = 0
  requests = 0
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('connection', (socket) => {
      this.connections++
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    server.on('request', () => this.requests++)
  }

  static async start(listener: RequestListener): Promise<Origin> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Origin(server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

async function exchangeAt(url: string): Promise<TokenExchange> {
  const { signer } = await generateSigningKey({ alg: 'ES256' })
  return new TokenExchange({ client_id: 'release-bot', subject_token_type }, { authUrl: url, signer, random: () => 0 })
}

test('D7 a server that accepts and never answers ends each poll, and the login at expires_in', async () => {
  await using origin = await Origin.start((request, response) => {
    if (request.url !== '/oauth/device_authorization') return
    const answer = { ...deviceAnswer, verification_uri: 'http://localhost/device', expires_in: 3, interval: 1 }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const started = process.hrtime.bigint()
  const params = { client_id: 'cli', scope: 'read_builds' }
  const device = await requestDeviceAuthorization(params, { authUrl: origin.url, timeoutMs: 2_000 })
  const error = await failure(device.poll())
  expect(error).toMatchObject({ code: 'device_authorization', local: true, maybeApproved: true })
  expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(10_000)
  expect(origin.requests).toBeGreaterThan(1)
})

test('S2 a token endpoint that answers 307 to another origin is an error, with no request there', async () => {
  await using other = await Origin.start((_, response) => response.end())
  await using origin = await Origin.start((_, response) => {
    response.writeHead(307, { location: `${other.url}/oauth/token` }).end()
  })
  const exchange = await exchangeAt(origin.url)
  const error = await failure(exchange.exchange(ada))
  expect(error).toMatchObject({ code: 'redirect_refused' })
  expect(String(error)).toContain(other.url)
  expect([origin.requests, other.requests]).toEqual([1, 0])
})

test('an answer above 64 KiB is cut off: a success is invalid, a failure is judged by its status', async () => {
  let status = 200
  await using origin = await Origin.start((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'x'.repeat(200_000) }))
    })
  })
  const exchange = await exchangeAt(origin.url)
  expect(await failure(exchange.exchange(ada))).toMatchObject({ code: 'invalid_response' })
  status = 403
  expect(await failure(exchange.exchange(ada))).toMatchObject({ code: 'forbidden', status: 403 })
})

test('nobody listens: unsent, and said so', async () => {
  const origin = await Origin.start(() => {})
  const { url } = origin
  await origin[Symbol.asyncDispose]()
  const exchange = await exchangeAt(url)
  expect(await failure(exchange.exchange(ada))).toMatchObject({ code: 'connection', sent: 'no', attempts: 3 })
})
