import { generateSigningKey, requestDeviceAuthorization, TokenExchange } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { closedPort, json, serve } from '../support/server.js'
import { deviceAnswer } from './support/device.js'
import { ada, subject_token_type } from './support/exchange.js'
import { failure } from './support/failure.js'

async function exchangeAt(url: string): Promise<TokenExchange> {
  const { signer } = await generateSigningKey({ alg: 'ES256' })
  return new TokenExchange(
    { client_id: 'release-bot', subject_token_type },
    { authUrl: url, signer, random: () => 0 },
  )
}

test('S2 a token endpoint that answers 307 to another origin is an error, with no request there', async () => {
  const other = await serve((response) => void response.end())
  const server = await serve((response) =>
    json(response, 307, {}, { location: `${other.url}/oauth/token` }),
  )
  const error = await failure((await exchangeAt(server.url)).exchange(ada))
  expect(error).toMatchObject({ code: 'redirect_refused' })
  expect(String(error)).toContain(other.url)
  expect([server.requests.length, other.requests.length]).toEqual([1, 0])
})

test('D7 a server that accepts and never answers ends each poll, and the login at expires_in', async () => {
  const server = await serve((response, { url }) => {
    if (url !== '/oauth/device_authorization') return
    json(response, 200, {
      ...deviceAnswer,
      verification_uri: 'http://localhost/device',
      expires_in: 3,
      interval: 1,
    })
  })
  const started = process.hrtime.bigint()
  const params = { client_id: 'cli', scope: 'read_builds' }
  const device = await requestDeviceAuthorization(params, { authUrl: server.url, timeoutMs: 2_000 })
  const error = await failure(device.poll())
  expect(error).toMatchObject({ code: 'device_authorization', local: true, maybeApproved: true })
  expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(10_000)
  expect(server.requests.length).toBeGreaterThan(1)
})

test('an answer above 64 KiB is cut off: a success is invalid, a failure is judged by its status', async () => {
  const server = await serve((response, _, index) =>
    json(response, index === 0 ? 200 : 403, { error: 'x'.repeat(200_000) }),
  )
  const exchange = await exchangeAt(server.url)
  expect(await failure(exchange.exchange(ada))).toMatchObject({ code: 'invalid_response' })
  expect(await failure(exchange.exchange(ada))).toMatchObject({ code: 'forbidden', status: 403 })
})

test('a refused connection is an error with sent: no', async () => {
  const exchange = await exchangeAt(await closedPort())
  expect(await failure(exchange.exchange(ada))).toMatchObject({
    code: 'connection',
    sent: 'no',
    attempts: 3,
  })
})
