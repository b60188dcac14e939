import { getEventListeners } from 'node:events'
import { type OAuthOptions, requestDeviceAuthorization } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from '../support/hand-clock.js'
import { deviceAnswer, pending, startLogin, token } from './support/device.js'
import { failure } from './support/failure.js'
import { fails, refusal, scripted } from './support/scripted-transport.js'

/** The authorization that the changed answer leads to, or its refusal. */
function answered(
  change: Record<string, unknown>,
  params: object = {},
  options: Partial<OAuthOptions> = {},
) {
  const { transport, asked } = scripted({ json: { ...deviceAnswer, ...change } })
  const clock = new HandClock()
  const device = requestDeviceAuthorization(
    { client_id: 'cli', scope: 'read_builds', ...params },
    { authUrl: 'https://auth.ci.example', transport, clock, ...options },
  )
  return { device, asked, clock }
}

describe('the answer to a device authorization request', () => {
  const text = '1 to 64 printable ASCII characters'
  const link = 'an https URL without user name or password'
  const noLinks = [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'http://ci.example/device',
    '/oauth/device',
  ]
  type Row = [field: string, value: unknown, expected: string]
  test.each<Row>([
    ['device_code', '', 'a non-empty string, got an empty string'],
    ['device_code', undefined, 'a non-empty string, got nothing'],
    ['user_code', '', `${text}, got an empty string`],
    ['user_code', 7, `${text}, got a number`],
    ...['x'.repeat(65), 'a\u007f', 'a\u001f'].map(
      (code): Row => ['user_code', code, `${text}, got a string`],
    ),
    ['verification_uri', undefined, `${link}, got nothing`],
    ['verification_uri', '', `${link}, got an empty string`],
    ['verification_uri', 7, `${link}, got a number`],
    ['verification_uri', ['https://ci.example/'], `${link}, got an array`],
    ...[...noLinks, 'https://ada@ci.example/', 'https://:pw@ci.example/', 'ftp://localhost/'].map(
      (uri): Row => ['verification_uri', uri, `${link}, got a string`],
    ),
    ['expires_in', '', 'a positive number of seconds, got an empty string'],
  ])('D13 without a usable %s (%j) says so', async (field, value, expected) => {
    expect(await failure(answered({ [field]: value }).device)).toMatchObject({
      code: 'invalid_response',
      message: `The device authorization answer is invalid: \`${field}\` must be ${expected}`,
    })
  })

  test('D13 a bad verification_uri_complete is dropped, escapes in a good one are encoded', async () => {
    const bad = await answered({ verification_uri_complete: 'javascript:x' }).device
    expect('verification_uri_complete' in bad).toBe(false)
    const sly = await answered({ verification_uri: 'https://ci.example/\u001b[2Jdevice' }).device
    expect(sly.verification_uri).toBe('https://ci.example/%1B[2Jdevice')
  })

  test('shows what a person needs; expires_in as text counts, and is cut to a day', async () => {
    const { device, clock } = answered({})
    const expiresAt = clock.now() + 600_000
    const { device_code: _, ...shown } = deviceAnswer
    expect(await device).toMatchObject({ ...shown, expiresAt })
    expect((await answered({ expires_in: '900' }).device).expires_in).toBe(900)
    expect((await answered({ expires_in: 1e7 }).device).expires_in).toBe(86_400)
  })

  test.each([' ', '~', 'x'.repeat(64), 'WDJB MJHT'])(
    'may hold the user code "%s"',
    async (user_code) => {
      expect((await answered({ user_code }).device).user_code).toBe(user_code)
    },
  )

  test('may point to plain http on this machine', async () => {
    const links = {
      verification_uri: 'http://localhost/a',
      verification_uri_complete: 'http://127.0.0.1/b',
    }
    expect(await answered(links).device).toMatchObject(links)
    const elsewhere = await answered({ verification_uri_complete: 'http://ci.example/b' }).device
    expect('verification_uri_complete' in elsewhere).toBe(false)
  })

  test('counts from its arrival', async () => {
    const clock = new HandClock()
    const { transport } = scripted(() => {
      clock.trueMs += 5000
      return { json: deviceAnswer }
    }, token)
    const params = { client_id: 'cli', scope: 'read_builds' }
    const device = await requestDeviceAuthorization(params, {
      authUrl: 'https://auth.ci.example',
      transport,
      clock,
    })
    expect(device.expiresAt).toBe(clock.now() + 600_000)
    await device.poll()
    expect(clock.trueMs).toBe(5000 + 5250)
  })

  test.each([
    ['invalid_client', 'Check client_id; a confidential application also sends its client_secret'],
    ['invalid_scope', 'Ask for scopes that the application may grant'],
    ['unauthorized_client', 'The application is not registered for device logins'],
  ])('that is %s comes with a hint', async (word, hint) => {
    const { transport } = scripted(refusal(word, 'client-secret-canary'))
    const params = { client_id: 'cli', client_secret: 'client-secret-canary', scope: 'read_builds' }
    const options = { authUrl: 'https://auth.ci.example', transport }
    expect(await failure(requestDeviceAuthorization(params, options))).toMatchObject({
      error: word,
      advice: hint,
      message: `POST /oauth/device_authorization answered 400: ${word}; [redacted]. ${hint}`,
    })
  })
})

describe('what is asked for', () => {
  test.each([
    ['a b  c', 'a b c'],
    [['a', 'b'], 'a b'],
  ])('scope %j is sent as %j', async (scope, sent) => {
    const { device, asked } = answered({}, { scope })
    await device
    expect(asked[0]?.form.get('scope')).toBe(sent)
  })

  test.each<[unknown, string]>([
    [undefined, 'scope must be a non-empty string'],
    ['', 'scope must name at least one scope, such as "read_builds" or ["read_builds"]'],
    ...[' ', [], ['a', 7], 7, new Set(['a']), ['a"'], ['a\\'], ['éa'], ['a b'], ['']].map(
      (scope) =>
        [scope, 'scope must name at least one scope, such as "read_builds" or ["read_builds"]'] as [
          unknown,
          string,
        ],
    ),
  ])('scope %j is refused', async (scope, message) => {
    const { device, asked } = answered({}, { scope })
    expect(await failure(device)).toMatchObject({ code: 'config', option: 'scope', message })
    expect(asked).toHaveLength(0)
  })

  test('every character of RFC 6749 §3.3 may stand in a scope', async () => {
    const { device, asked } = answered({}, { scope: ['!#[]~', 'read:builds'] })
    await device
    expect(asked[0]?.form.get('scope')).toBe('!#[]~ read:builds')
  })

  test.each(['client_id', 'client_secret'])('an empty %s is refused', async (name) => {
    expect(await failure(answered({}, { [name]: '' }).device)).toMatchObject({
      option: name,
      message: `${name} must be a non-empty string`,
    })
  })

  test('the request leaves nothing at the signal of its caller', async () => {
    const { signal } = new AbortController()
    const { transport } = scripted({ json: deviceAnswer })
    const options = { authUrl: 'https://auth.ci.example', transport, signal }
    await requestDeviceAuthorization({ client_id: 'cli', scope: 'a' }, options)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

describe('a login that is polled', () => {
  test('by two calls at once sends events to both, until a call leaves', async () => {
    const clock = new HandClock({ jump: false })
    const { device, events } = await startLogin([pending, pending, token], { clock })
    const seen: string[][] = [[], []]
    const listen = (index: number) => ({
      onEvent: ({ type }: { type: string }) => seen[index]?.push(type),
    })
    const controller = new AbortController()
    const leaving = failure(device.poll({ signal: controller.signal, ...listen(0) }))
    const staying = device.poll(listen(1))
    await clock.advance(6000)
    controller.abort('left')
    await leaving
    await clock.advance(20_000)
    await staying
    const login = events.slice(2).map(({ type }) => type)
    expect(seen[1]).toEqual(login)
    expect(seen[0]).toEqual(login.slice(0, seen[0]?.length))
    expect(seen[0]?.length).toBe(4)
  })

  test('by someone who has left already is left alone', async () => {
    const { device, asked } = await startLogin([token])
    expect(await failure(device.poll({ signal: AbortSignal.abort('left') }))).toBe('left')
    expect(asked).toHaveLength(1)
  })

  test('again after its refusal is refused again, without a request; after another failure it goes on', async () => {
    const denied = await startLogin([refusal('access_denied'), token])
    const error = await failure(denied.device.poll())
    expect(await failure(denied.device.poll())).toBe(error)
    expect(denied.asked).toHaveLength(2)
    const broken = await startLogin([fails('CERT_HAS_EXPIRED'), token])
    expect(await failure(broken.device.poll())).toMatchObject({ code: 'connection' })
    expect((await broken.device.poll()).access_token).toBe('bwua_token1')
    expect(broken.asked).toHaveLength(3)
  })

  test('by two calls that fail is polled again once when both ask again at once', async () => {
    const clock = new HandClock({ jump: false })
    const { device, asked } = await startLogin([fails('CERT_HAS_EXPIRED'), pending, token], {
      clock,
    })
    const eager = device.poll().catch(() => device.poll())
    const patient = failure(device.poll())
    await clock.advance(6000)
    expect(await patient).toMatchObject({ code: 'connection' })
    const third = device.poll()
    await clock.advance(20_000)
    expect(await eager).toBe(await third)
    expect(asked).toHaveLength(4)
  })

  test('anew while the last run still ends has one stream of requests', async () => {
    const clock = new HandClock({ jump: false })
    const { device, asked } = await startLogin([pending, token], { clock })
    const controller = new AbortController()
    const left = failure(device.poll({ signal: controller.signal }))
    await settle()
    controller.abort('left')
    await left
    const second = device.poll()
    await settle()
    const third = device.poll()
    await clock.advance(20_000)
    expect(await second).toBe(await third)
    expect(asked).toHaveLength(3)
  })

  test('again and again by those who leave has one request under way at most', async () => {
    const clock = new HandClock({ jump: false })
    const { device, asked } = await startLogin([pending, token], { clock })
    for (let caller = 0; caller < 3; caller++) {
      const controller = new AbortController()
      const left = failure(device.poll({ signal: controller.signal }))
      await settle()
      expect(clock.sleeping).toBe(1)
      controller.abort(caller)
      expect(await left).toBe(caller)
      await settle()
      expect(clock.sleeping).toBe(0)
    }
    const last = device.poll()
    await clock.advance(60_000)
    expect((await last).access_token).toBe('bwua_token1')
    expect(asked).toHaveLength(3)
  })
})
