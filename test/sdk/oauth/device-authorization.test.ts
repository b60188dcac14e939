import { requestDeviceAuthorization } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { deviceAnswer, pending, startLogin, token } from './support/device.js'
import { failure } from './support/failure.js'
import { HandClock } from './support/hand-clock.js'
import { type Step, scripted } from './support/scripted-transport.js'

const authUrl = 'https://auth.ci.example'
const ask = (...steps: Step[]) => {
  const { transport, asked } = scripted(...steps)
  const clock = new HandClock()
  const params = { client_id: 'cli', scope: 'read_builds write_builds' }
  return {
    asked,
    clock,
    device: () => requestDeviceAuthorization(params, { authUrl, transport, clock, random: () => 0.5 }),
  }
}

describe('device authorization request', () => {
  test('asks as RFC 8628 says and shows what a person needs', async () => {
    const { asked, clock, device } = ask({ json: deviceAnswer })
    const { user_code, verification_uri, expires_in, interval, expiresAt } = await device()
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({ client_id: 'cli', scope: 'read_builds write_builds' })
    expect(asked[0]?.url).toBe('https://auth.ci.example/oauth/device_authorization')
    expect({ user_code, verification_uri, expires_in, interval }).toEqual({
      user_code: 'WDJB-MJHT',
      verification_uri: 'https://ci.example/oauth/device',
      expires_in: 600,
      interval: 5,
    })
    expect(expiresAt).toBe(clock.now() + 600_000)
  })

  test.each([
    ['javascript:alert(1)'],
    ['file:///etc/passwd'],
    ['data:text/html,x'],
    ['https://user:pass@ci.example/device'],
    ['http://ci.example/device'],
    ['/oauth/device'],
    [''],
    [7],
  ])('D13 verification_uri %j is an InvalidResponseError that names the field', async (verification_uri) => {
    const error = await failure(ask({ json: { ...deviceAnswer, verification_uri } }).device())
    expect(error).toMatchObject({ code: 'invalid_response', expected: expect.stringContaining('verification_uri') })
    expect(String(error)).not.toContain(String(verification_uri) || 'nothing of it')
  })

  test('D13 a bad verification_uri_complete is dropped, escapes in a good one are encoded', async () => {
    const bad = await ask({ json: { ...deviceAnswer, verification_uri_complete: 'javascript:x' } }).device()
    expect('verification_uri_complete' in bad).toBe(false)
    const sly = { ...deviceAnswer, verification_uri: 'https://ci.example/\u001b[2Jdevice' }
    expect((await ask({ json: sly }).device()).verification_uri).toBe('https://ci.example/%1B[2Jdevice')
  })

  test('expires_in as text counts, and is cut to a day', async () => {
    expect((await ask({ json: { ...deviceAnswer, expires_in: '900' } }).device()).expires_in).toBe(900)
    expect((await ask({ json: { ...deviceAnswer, expires_in: 1e7 } }).device()).expires_in).toBe(86_400)
  })

  test('the listeners of the options and of the poll both see the polls', async () => {
    const { device, events } = await startLogin([pending, token])
    const seen: string[] = []
    await device.poll({ onEvent: (event) => seen.push(event.type) })
    expect(seen).toContain('device')
    expect(events.filter(({ type }) => type === 'device')).toHaveLength(2)
  })
})
