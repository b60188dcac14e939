import type { OAuthError } from '@buildwire/sdk'
import { requestDeviceAuthorization } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { deviceAnswer, pending, startLogin, token } from './support/device.js'
import { failure } from './support/failure.js'
import { HandClock } from './support/hand-clock.js'
import { type Reply, refusal, scripted } from './support/scripted-transport.js'

const tooMany = (more: Partial<Reply> = {}): Reply => ({ status: 429, json: {}, ...more })

describe('a 429 to a poll is a refusal that consumed nothing', () => {
  test.each<[string, Reply]>([
    ['without a word', tooMany()],
    ['with the word temporarily_unavailable', tooMany({ json: { error: 'temporarily_unavailable' } })],
    ['with the word server_error', tooMany({ json: { error: 'server_error' } })],
  ])('%s: the code that is invalid after it was not spent by us', async (_, step) => {
    const { device } = await startLogin([step, refusal('invalid_grant')])
    expect(await failure(device.poll())).toMatchObject({ error: 'invalid_grant', maybeApproved: false })
  })

  test('that asks to wait beyond the end ends the login without a token that may be lost', async () => {
    const { device, asked } = await startLogin([tooMany({ headers: { 'retry-after': '700' } }), token])
    const error = (await failure(device.poll())) as OAuthError
    expect(error).toMatchObject({ error: 'expired_token', local: true, maybeApproved: false })
    expect(asked).toHaveLength(2)
  })

  test('and a 429 after a loss does not unsay it', async () => {
    const { device } = await startLogin([{ status: 503, json: {} }, tooMany(), refusal('invalid_grant')])
    expect(await failure(device.poll())).toMatchObject({ maybeApproved: true })
  })
})

test('a short secret that is part of the error word does not change the word a caller decides by', async () => {
  const { transport } = scripted(
    { json: { ...deviceAnswer, device_code: 'd' } },
    pending,
    refusal('access_denied', 'd!'),
  )
  const options = { authUrl: 'https://auth.ci.example', transport, clock: new HandClock() }
  const device = await requestDeviceAuthorization({ client_id: 'cli', client_secret: 'access', scope: 'a' }, options)
  const error = await failure(device.poll())
  expect(error).toMatchObject({ error: 'access_denied', serverMessage: '[redacted]!' })
})

test('a word that no specification knows is still cleaned of secrets', async () => {
  const { device } = await startLogin([refusal('leak-client-secret-canary-77')])
  expect(await failure(device.poll())).toMatchObject({ error: 'leak-[redacted]' })
})
