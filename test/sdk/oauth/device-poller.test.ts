import { getEventListeners } from 'node:events'
import { DeviceAuthorizationError, systemClock } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from '../support/hand-clock.js'
import { gaps, pending, slowDown, startLogin, token } from './support/device.js'
import { failure } from './support/failure.js'
import { fails, never, refusal } from './support/scripted-transport.js'

describe('device poller', () => {
  test('D1 after two slow_down later gaps are at least 10 s, then 15 s for the rest of the login', async () => {
    const { device, times } = await startLogin([
      slowDown,
      pending,
      slowDown,
      pending,
      pending,
      token,
    ])
    await device.poll()
    const [first = 0, afterOne = 0, stillOne = 0, ...afterTwo] = gaps(times)
    expect(first).toBeGreaterThanOrEqual(5000)
    expect(Math.min(afterOne, stillOne)).toBeGreaterThanOrEqual(10_000)
    expect(Math.min(...afterTwo)).toBeGreaterThanOrEqual(15_000)
  })

  test('D3 a lost connection, a DNS failure and a 502 with HTML end in a token; waits grow and return to the interval', async () => {
    const html = {
      status: 502,
      headers: { 'content-type': 'text/html' },
      text: '<h1>Bad gateway</h1>',
    }
    const steps = [fails('ECONNRESET', 'read'), fails('ENOTFOUND'), html, pending, token]
    const { device, times, events } = await startLogin(steps)
    const tokens = await device.poll()
    expect(tokens.access_token).toBe('bwua_token1')
    expect(gaps(times)).toEqual([5250, 10_000, 20_000, 30_000, 5250])
    const kinds = events.flatMap((event) => (event.type === 'device' ? [event.kind] : []))
    expect(kinds).toEqual(['polling', 'retrying', 'retrying', 'retrying', 'polling'])
  })

  test('D4 HTTP 200 with an error keeps polling; an error beside an access_token wins', async () => {
    const both = { json: { error: 'access_denied', access_token: 'bwua_no', token_type: 'Bearer' } }
    const { device, asked } = await startLogin([{ json: { error: 'authorization_pending' } }, both])
    const error = await failure(device.poll())
    expect(error).toBeInstanceOf(DeviceAuthorizationError)
    expect(error).toMatchObject({ error: 'access_denied', local: false, maybeApproved: false })
    expect(asked).toHaveLength(3)
  })

  test.each([
    ['absent', undefined, 5000],
    ['0.01', 0.01, 1000],
    ['2147484', 2_147_484, 480_000],
  ])(
    'D5 interval %s: 5 s, or at most 80 %% of the lifetime; never two requests within a second',
    async (_, interval, ms) => {
      const { device, times } = await startLogin([pending, pending, token], {
        answer: { interval },
      })
      expect(device.interval).toBe(ms / 1000)
      const end = device.poll().catch((error: unknown) => error)
      const result = await end
      const first = times[0] ?? 0
      expect(first).toBeGreaterThanOrEqual(ms)
      expect(first).toBeLessThanOrEqual(600_000)
      for (const gap of gaps(times)) expect(gap).toBeGreaterThanOrEqual(1000)
      if (ms > 100_000) expect(result).toMatchObject({ error: 'expired_token', local: true })
    },
  )

  test.each([5, 7, 60, 250])(
    'D6 an approval 3 s before the end gives a token, with an interval of %d s',
    async (interval) => {
      const clock = new HandClock()
      const steps = [() => (clock.trueMs >= 597_000 ? token : pending)]
      const { device, times } = await startLogin(steps, { clock, answer: { interval } })
      expect((await device.poll()).access_token).toBe('bwua_token1')
      expect(times.at(-1)).toBe(598_000)
    },
  )

  test('D6 a server that says pending for ever: expired_token, local, no later than expires_in', async () => {
    const { device, clock } = await startLogin([pending])
    const error = await failure(device.poll())
    expect(error).toMatchObject({
      code: 'device_authorization',
      error: 'expired_token',
      local: true,
      maybeApproved: false,
    })
    expect(clock.trueMs).toBeLessThanOrEqual(600_000)
  })

  test('D7 a token endpoint that never answers: each poll ends by its limit, the login at expires_in', async () => {
    const clock = new HandClock()
    const { device, asked } = await startLogin([never], {
      clock,
      timeoutMs: 100,
      answer: { expires_in: 120 },
    })
    const error = await failure(device.poll())
    expect(error).toMatchObject({
      code: 'device_authorization',
      error: 'expired_token',
      local: true,
      maybeApproved: true,
    })
    expect(clock.trueMs).toBeLessThanOrEqual(120_000)
    expect(asked.length).toBeGreaterThan(3)
    expect(asked.slice(1).every(({ options }) => options.signal.aborted)).toBe(true)
  })

  test('D8 an abort 300 ms into a wait rejects at once with the reason; no listener, no timer', async () => {
    const clock = new HandClock({ jump: false })
    const { device, asked } = await startLogin([pending], { clock })
    const controller = new AbortController()
    const reason = new Error('the user closed the lid')
    const polling = failure(device.poll({ signal: controller.signal }))
    await clock.advance(300)
    expect(clock.sleeping).toBe(1)
    controller.abort(reason)
    expect(await polling).toBe(reason)
    await settle()
    expect(clock.sleeping).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    expect(asked).toHaveLength(1)
  })

  test('D8 the same on the real clock, and no timer is left (each test of the package looks)', async () => {
    const { device } = await startLogin([pending], {
      clock: Object.assign(new HandClock(), systemClock),
    })
    const controller = new AbortController()
    const polling = failure(device.poll({ signal: controller.signal }))
    await settle()
    controller.abort()
    expect(await polling).toBe(controller.signal.reason)
    await settle()
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  test('D9 after a sleep across the end: one poll on wake, then expired_token', async () => {
    const clock = new HandClock()
    clock.onSleep = () => 3_600_000
    const { device, asked } = await startLogin([refusal('expired_token')], { clock })
    expect(await failure(device.poll())).toMatchObject({ error: 'expired_token', local: false })
    expect(asked).toHaveLength(2)
  })

  test('D10 slow_down for ever: at most 16 requests in 600 s, gaps never shrink, typed end', async () => {
    const { device, times } = await startLogin([slowDown])
    expect(await failure(device.poll())).toMatchObject({
      code: 'device_authorization',
      error: 'expired_token',
    })
    expect(times.length).toBeLessThanOrEqual(16)
    const all = gaps(times)
    for (const [index, gap] of all.entries())
      expect(gap).toBeGreaterThanOrEqual(all[index - 1] ?? 0)
  })

  test('D11 a loss that a later pending has disproved does not count', async () => {
    const { device } = await startLogin([
      fails('ECONNRESET', 'read'),
      pending,
      refusal('invalid_grant'),
    ])
    expect(await failure(device.poll())).toMatchObject({
      error: 'invalid_grant',
      maybeApproved: false,
    })
  })

  test('D11 an unsent poll does not count as lost', async () => {
    const { device } = await startLogin([
      fails('ECONNREFUSED', 'connect'),
      refusal('invalid_grant'),
    ])
    expect(await failure(device.poll())).toMatchObject({
      error: 'invalid_grant',
      maybeApproved: false,
    })
  })

  test('D12 two polls at once are one stream of requests; when one caller aborts the other gets the token', async () => {
    const clock = new HandClock({ jump: false })
    const { device, asked } = await startLogin([pending, pending, token], { clock })
    const controller = new AbortController()
    const leaving = failure(device.poll({ signal: controller.signal }))
    const staying = device.poll()
    await clock.advance(6000)
    controller.abort('enough')
    expect(await leaving).toBe('enough')
    await clock.advance(20_000)
    expect((await staying).access_token).toBe('bwua_token1')
    expect(asked).toHaveLength(4)
  })

  test('D12 the last caller to leave stops the stream; a later poll goes on without being early', async () => {
    const clock = new HandClock({ jump: false })
    const { device, asked, times } = await startLogin([slowDown, token], { clock })
    const controller = new AbortController()
    const first = failure(device.poll({ signal: controller.signal }))
    await clock.advance(6000)
    controller.abort()
    await first
    await clock.advance(1000)
    expect(asked).toHaveLength(2)
    const second = device.poll()
    await clock.advance(60_000)
    expect((await second).access_token).toBe('bwua_token1')
    expect(gaps(times)[1]).toBeGreaterThanOrEqual(10_000)
    expect((await device.poll()).access_token).toBe('bwua_token1')
    expect(asked).toHaveLength(3)
  })

  test('an abort in the middle of a call counts as a lost answer', async () => {
    const clock = new HandClock({ jump: false })
    const { device } = await startLogin([never, refusal('invalid_grant')], { clock })
    const controller = new AbortController()
    const first = failure(device.poll({ signal: controller.signal }))
    await clock.advance(6000)
    controller.abort()
    await first
    const second = failure(device.poll())
    await clock.advance(60_000)
    expect(await second).toMatchObject({ error: 'invalid_grant', maybeApproved: true })
  })

  test('the server’s wait is kept, and no wait goes beyond the end', async () => {
    const limited = {
      status: 429,
      headers: { 'retry-after': '42' },
      json: { error: 'temporarily_unavailable' },
    }
    const { device, times } = await startLogin([limited, token])
    await device.poll()
    expect(gaps(times)[1]).toBeGreaterThanOrEqual(42_000)

    const tooLong = {
      status: 503,
      headers: { 'retry-after': '700' },
      json: { error: 'server_error' },
    }
    const late = await startLogin([tooLong, token])
    expect(await failure(late.device.poll())).toMatchObject({ error: 'expired_token', local: true })
    expect(late.clock.trueMs).toBeLessThan(10_000)
  })

  test('a gateway that puts a sentence into `error` is judged by its status', async () => {
    const gateway = {
      status: 429,
      headers: { 'retry-after': '9' },
      json: { error: 'Too Many Requests' },
    }
    const { device, times } = await startLogin([gateway, token])
    await device.poll()
    expect(gaps(times)[1]).toBeGreaterThanOrEqual(9000)
    const lasting = await startLogin([{ status: 403, json: { error: 'No entry for you' } }])
    expect(await failure(lasting.device.poll())).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('No entry for you'),
    })
  })

  test('an approved answer whose token cannot be used has spent the code', async () => {
    const { device } = await startLogin([
      { json: { access_token: 'a b', token_type: 'Bearer' } },
      refusal('invalid_grant'),
    ])
    expect(await failure(device.poll())).toMatchObject({ code: 'invalid_response' })
    expect(await failure(device.poll())).toMatchObject({
      error: 'invalid_grant',
      maybeApproved: true,
    })
  })

  test.each([
    ['a certificate error', fails('CERT_HAS_EXPIRED'), 'connection'],
    [
      'a redirect',
      { status: 307, headers: { location: 'https://evil.example/x' } },
      'redirect_refused',
    ],
    ['a 404', { status: 404, text: 'not here' }, 'not_found'],
    ['a 2xx that is JSON but no token', { json: { ok: true } }, 'invalid_response'],
    ['another error word', refusal('invalid_client', undefined, 401), 'device_authorization'],
  ])('%s ends the login at once', async (_, step, code) => {
    const { device, asked } = await startLogin([step])
    expect(await failure(device.poll())).toMatchObject({ code })
    expect(asked).toHaveLength(2)
  })

  test('each poll is a fresh connection and repeats the client’s credentials', async () => {
    const { device, asked } = await startLogin([token])
    await device.poll()
    const poll = asked[1]
    expect(poll?.request.freshConnection).toBe(true)
    expect(Object.fromEntries(poll?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'device-code-canary-1f2e3d',
      client_id: 'cli',
      client_secret: 'client-secret-canary-77',
    })
  })
})
