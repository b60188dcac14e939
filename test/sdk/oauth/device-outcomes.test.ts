import {
  ApiError,
  DeviceAuthorizationError,
  type OAuthError,
  requestDeviceAuthorization,
  type Transport,
} from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { deviceAnswer, gaps, pending, startLogin, token } from './support/device.js'
import { failure } from './support/failure.js'
import {
  fails,
  never,
  type Reply,
  refusal,
  type Step,
  scripted,
} from './support/scripted-transport.js'

const startAgain =
  'The user may have approved and the answer was lost; start a new login, and revoke the unused authorization on the account page'

async function ends(steps: readonly Step[], options: Parameters<typeof startLogin>[1] = {}) {
  const login = await startLogin(steps, options)
  return { ...login, error: (await failure(login.device.poll())) as DeviceAuthorizationError }
}

describe('a login that ends without a token says why, and what to do', () => {
  test.each([
    ['access_denied', 'The user said no'],
    ['expired_token', 'Start a new login'],
    ['invalid_grant', 'The code is unknown or already used; start a new login'],
    ['invalid_client', 'Check client_id; a confidential application also sends its client_secret'],
  ])('%s', async (word, hint) => {
    const { error } = await ends([pending, refusal(word, 'Sorry')])
    expect(error).toBeInstanceOf(DeviceAuthorizationError)
    expect(error.message).toBe(`POST /oauth/token answered 400: ${word}; Sorry. ${hint}`)
    expect(error).toMatchObject({
      error: word,
      serverMessage: 'Sorry',
      status: 400,
      advice: hint,
      local: false,
    })
    expect(error.maybeApproved).toBe(false)
  })

  test('the end of the code’s life', async () => {
    const { error } = await ends([pending], { answer: { expires_in: 89.6 } })
    expect(error.message).toBe('The code expired after 90 s without an approval. Start a new login')
    expect(error).toMatchObject({
      error: 'expired_token',
      status: 0,
      advice: 'Start a new login',
      local: true,
    })
    expect(error.maybeApproved).toBe(false)
  })

  test('the end of the code’s life after a loss', async () => {
    const { error } = await ends([fails('ECONNRESET', 'read')])
    expect(error.message).toBe(`The code expired after 600 s without an approval. ${startAgain}`)
    expect(error).toMatchObject({ status: 0, advice: startAgain, local: true, maybeApproved: true })
  })

  test('invalid_grant after a loss; any other word after a loss is what it says', async () => {
    const lost = fails('ECONNRESET', 'read')
    const { error } = await ends([lost, refusal('invalid_grant')])
    expect(error).toMatchObject({ advice: startAgain, maybeApproved: true })
    const { error: denied } = await ends([lost, refusal('access_denied')])
    expect(denied).toMatchObject({ advice: 'The user said no', maybeApproved: false })
  })

  test.each([
    ['a 500', { status: 500, text: '' }],
    ['a server_error', refusal('server_error')],
    ['a temporarily_unavailable', refusal('temporarily_unavailable')],
    ['a captive portal', { text: '<html>' }],
    ['a captive portal with pictures', { text: 'x'.repeat(65_537) }],
  ])('%s may have hidden an approval', async (_, step) => {
    const { error } = await ends([step, refusal('invalid_grant')])
    expect(error).toMatchObject({ error: 'invalid_grant', maybeApproved: true })
  })

  test('a refusal without a word counts its attempts', async () => {
    const { error } = await ends([pending, pending, { status: 403, json: { message: 'no' } }])
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      code: 'forbidden',
      attempts: 3,
      operationId: 'oauth.token',
      path: '/oauth/token',
    })
    const { error: broken } = await ends([pending, fails('CERT_HAS_EXPIRED')])
    expect(broken).toMatchObject({ code: 'connection', attempts: 2, sent: 'no' })
  })

  test('a success that is JSON and no token names what was expected', async () => {
    for (const step of [{ json: [] }, { text: 'null' }]) {
      const { error } = await ends([{ ...step, headers: { 'x-request-id': 'r-7' } }])
      expect(error).toMatchObject({ code: 'invalid_response', expected: 'a token or an `error`' })
      expect(error).toMatchObject({ status: 200, requestId: 'r-7', callId: expect.any(String) })
    }
  })
})

test('a transport that answers nothing is told so', async () => {
  const { transport: first } = scripted({ json: deviceAnswer })
  let calls = 0
  const transport: Transport = async (...given) =>
    calls++ === 0 ? first(...given) : (undefined as never)
  const params = { client_id: 'cli', scope: 'read_builds' }
  const options = { authUrl: 'https://auth.ci.example', transport, clock: new HandClock() }
  const device = await requestDeviceAuthorization(params, options)
  expect(await failure(device.poll())).toMatchObject({ code: 'config', option: 'transport' })
})

describe('which answers are waited out', () => {
  test.each([408, 425, 429, 500, 501, 505, 599])('a status of %d is', async (status) => {
    const { device, asked } = await startLogin([{ status, text: '' }, token])
    expect((await device.poll()).access_token).toBe('bwua_token1')
    expect(asked).toHaveLength(3)
  })

  test.each([199, 300, 400, 401, 499])('a status of %d is not', async (status) => {
    const { error, asked } = await ends([{ status, text: '' }, token])
    expect(error).toMatchObject({ status })
    expect(asked).toHaveLength(2)
  })

  test('three pages of a captive portal in a row are not; a lost connection between them ends the row', async () => {
    const portal = { text: '<html>' }
    const lost = fails('ECONNRESET', 'read')
    for (const between of [lost, pending, refusal('server_error'), { status: 500, text: '' }]) {
      const { device, asked } = await startLogin([portal, portal, between, portal, portal, token])
      expect((await device.poll()).access_token).toBe('bwua_token1')
      expect(asked).toHaveLength(7)
    }
  })

  test('a page that is too large to read is one of them', async () => {
    const portal = { text: 'x'.repeat(65_537) }
    const passing = await startLogin([portal, portal, token])
    expect((await passing.device.poll()).access_token).toBe('bwua_token1')
    const { error, asked } = await ends([portal])
    expect(error).toMatchObject({ code: 'invalid_response' })
    expect(asked).toHaveLength(4)
  })

  test('after three of them a later poll begins to count anew', async () => {
    const portal = { text: '<html>' }
    const { device, asked } = await startLogin([portal, portal, portal, portal, portal, token])
    expect(await failure(device.poll())).toMatchObject({ code: 'invalid_response' })
    expect((await device.poll()).access_token).toBe('bwua_token1')
    expect(asked).toHaveLength(7)
  })
})

describe('a poll’s own time', () => {
  test.each([
    ['30 s at most', 600, 60_000, 30_000],
    ['the limit of the options', 600, 7000, 7000],
    ['what is left of the code’s life', 20, 60_000, 14_750],
    ['5 s at least', 8, 60_000, 5000],
  ])('is %s', async (_, expires_in, timeoutMs, limitMs) => {
    const { device, asked } = await startLogin([token], {
      timeoutMs,
      answer: { expires_in, interval: 5 },
    })
    await device.poll()
    expect(asked[1]?.request.headersTimeoutMs).toBe(limitMs)
  })

  test('that is over is a loss of this poll alone', async () => {
    const { device, times, events } = await startLogin([never, token], { timeoutMs: 250 })
    expect((await device.poll()).access_token).toBe('bwua_token1')
    expect(gaps(times)).toEqual([5250, 10_000])
    const kinds = events.flatMap((event) =>
      event.type === 'device' ? [[event.kind, event.delayMs]] : [],
    )
    expect(kinds).toEqual([
      ['polling', 5250],
      ['retrying', 10_000],
    ])
  })

  test('counts from its end: a slow answer does not bring the next poll closer', async () => {
    const clock = new HandClock()
    const slow =
      (step: () => Step): Step =>
      async (asked) => {
        clock.trueMs += 3000
        const reply = step()
        return typeof reply === 'function' ? reply(asked) : reply
      }
    const steps = [slow(() => pending), slow(() => fails('ECONNREFUSED', 'connect')), token]
    const { device, times } = await startLogin(steps, { clock })
    await device.poll()
    expect(gaps(times)).toEqual([5250, 8250, 13_000])
  })

  test('a poll that comes late is made at once', async () => {
    const clock = new HandClock()
    const { device, times, events } = await startLogin([token], { clock })
    clock.trueMs += 100_000
    await device.poll()
    expect(times).toEqual([100_000])
    expect(events).toContainEqual({ type: 'device', kind: 'polling', delayMs: 0 })
  })

  test('the token’s life counts from when its poll began', async () => {
    const clock = new HandClock()
    const slow: Step = () => {
      clock.trueMs += 3000
      return { json: { access_token: 'bwua_a', token_type: 'Bearer', expires_in: 60 } }
    }
    const start = clock.now()
    const { device } = await startLogin([slow], { clock })
    expect((await device.poll()).expiresAt).toBe(start + 5250 + 60_000)
  })
})

test('woken up past the end without a network, the login ends at its very end and not before', async () => {
  for (const [early, requests] of [
    [1, 3],
    [0, 2],
  ] as const) {
    const clock = new HandClock()
    const { device, asked } = await startLogin([fails('ENETUNREACH', 'connect'), token], { clock })
    clock.stepWall(600_000 - 5250 - early)
    const polling = device.poll()
    if (early > 0) await polling
    else expect(await failure(polling)).toMatchObject({ error: 'expired_token', local: true })
    expect(asked).toHaveLength(requests)
  }
})

const tooMany = (more: Partial<Reply> = {}): Reply => ({ status: 429, json: {}, ...more })

describe('a 429 to a poll is a refusal that consumed nothing', () => {
  test.each<[string, Reply]>([
    ['without a word', tooMany()],
    [
      'with the word temporarily_unavailable',
      tooMany({ json: { error: 'temporarily_unavailable' } }),
    ],
    ['with the word server_error', tooMany({ json: { error: 'server_error' } })],
  ])('%s: the code that is invalid after it was not spent by us', async (_, step) => {
    const { device } = await startLogin([step, refusal('invalid_grant')])
    expect(await failure(device.poll())).toMatchObject({
      error: 'invalid_grant',
      maybeApproved: false,
    })
  })

  test('that asks to wait beyond the end ends the login without a token that may be lost', async () => {
    const { device, asked } = await startLogin([
      tooMany({ headers: { 'retry-after': '700' } }),
      token,
    ])
    const error = (await failure(device.poll())) as OAuthError
    expect(error).toMatchObject({ error: 'expired_token', local: true, maybeApproved: false })
    expect(asked).toHaveLength(2)
  })

  test('and a 429 after a loss does not unsay it', async () => {
    const { device } = await startLogin([
      { status: 503, json: {} },
      tooMany(),
      refusal('invalid_grant'),
    ])
    expect(await failure(device.poll())).toMatchObject({ maybeApproved: true })
  })
})
