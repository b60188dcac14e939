import { ConfigError, type OAuthError, requestDeviceAuthorization } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { deviceAnswer, pending, startLogin, token } from './support/device.js'
import { failure } from './support/failure.js'
import { HandClock } from './support/hand-clock.js'
import { fails, refusal, type Step, scripted } from './support/scripted-transport.js'

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

  test.each([
    ['device_code', { device_code: '' }],
    ['device_code', { device_code: 5 }],
    ['user_code', { user_code: 'WDJB\nMJHT' }],
    ['user_code', { user_code: 'x'.repeat(65) }],
    ['expires_in', { expires_in: 0 }],
    ['expires_in', { expires_in: '-3' }],
    ['expires_in', { expires_in: null }],
  ])('a bad %s names the field', async (field, change) => {
    const error = await failure(ask({ json: { ...deviceAnswer, ...change } }).device())
    expect(error).toMatchObject({ code: 'invalid_response', expected: expect.stringContaining(field) })
  })

  test('expires_in as text counts, and is cut to a day', async () => {
    expect((await ask({ json: { ...deviceAnswer, expires_in: '900' } }).device()).expires_in).toBe(900)
    expect((await ask({ json: { ...deviceAnswer, expires_in: 1e7 } }).device()).expires_in).toBe(86_400)
  })

  test('is replayed after what may pass, twice at most, and never before the server allows', async () => {
    const busy = { status: 503, headers: { 'retry-after': '4' }, json: { error: 'server_error' } }
    const passing = ask(fails('ECONNRESET', 'read'), busy, { json: deviceAnswer })
    await passing.device()
    expect(passing.asked).toHaveLength(3)
    expect(passing.clock.trueMs).toBeGreaterThanOrEqual(4000)

    const lasting = ask({ status: 500, text: 'no' })
    expect(await failure(lasting.device())).toMatchObject({ code: 'server_error', status: 500, attempts: 3 })
    expect(lasting.asked).toHaveLength(3)

    const long = ask({ status: 429, headers: { 'retry-after': '31' }, json: { error: 'temporarily_unavailable' } })
    expect(await failure(long.device())).toMatchObject({ code: 'oauth_error', retryAfterMs: 31_000 })
    expect(long.asked).toHaveLength(1)
  })

  test('a refusal carries the server’s word, its sentence and a hint', async () => {
    const error = await failure(ask(refusal('invalid_client', 'Client authentication failed', 401)).device())
    expect(error).toMatchObject({ code: 'oauth_error', error: 'invalid_client', status: 401 })
    expect((error as OAuthError).message).toContain('Client authentication failed')
    expect((error as OAuthError).advice).toContain('client_secret')
  })

  test('a redirect is refused and names the other origin', async () => {
    const { device, asked } = ask({ status: 307, headers: { location: 'https://evil.example/oauth?x=1' } })
    const error = await failure(device())
    expect(error).toMatchObject({ code: 'redirect_refused', status: 307 })
    expect(String(error)).toContain('https://evil.example')
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['client_id', { client_id: '' }],
    ['scope', { scope: [] }],
    ['scope', { scope: ' ' }],
    ['scope', { scope: ['read builds'] }],
    ['client_secret', { client_secret: '' }],
  ])('refuses an unusable %s before anything is sent', async (option, change) => {
    const { transport, asked } = scripted({ json: deviceAnswer })
    const params = { client_id: 'cli', scope: 'read_builds', ...change }
    const error = await failure(requestDeviceAuthorization(params, { authUrl, transport }))
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({ option })
    expect(asked).toHaveLength(0)
  })

  test('an aborted signal sends nothing', async () => {
    const { transport, asked } = scripted({ json: deviceAnswer })
    const signal = AbortSignal.abort('no')
    const params = { client_id: 'cli', scope: 'read_builds' }
    expect(await failure(requestDeviceAuthorization(params, { authUrl, transport, signal }))).toBe('no')
    expect(asked).toHaveLength(0)
  })

  test('the listeners of the options and of the poll both see the polls', async () => {
    const { device, events } = await startLogin([pending, token])
    const seen: string[] = []
    await device.poll({ onEvent: (event) => seen.push(event.type) })
    expect(seen).toContain('device')
    expect(events.filter(({ type }) => type === 'device')).toHaveLength(2)
  })
})
