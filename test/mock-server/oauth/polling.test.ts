import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowdbDirectory } from '@buildwire/mock-server'
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  confidentialSecret,
  expectRefusal,
  expectTokens,
  type OAuthServer,
  startServer,
} from './harness.js'

const invalidCode = 'The device code is invalid or has already been used'

const pending = (answer: Answer) => expectRefusal(answer, 'authorization_pending', 'Device authorization is pending')
const slowDown = (answer: Answer) => expectRefusal(answer, 'slow_down', 'Polling too quickly')
const invalid = (answer: Answer) => expectRefusal(answer, 'invalid_grant', invalidCode)
const expired = (answer: Answer) => expectRefusal(answer, 'expired_token', 'The device code has expired')

const record = (s: OAuthServer) => s.persistence.values('deviceAuthorizations').at(-1)

/** Polls at these times (s after issue) must be answered so. */
const schedule = async (
  s: OAuthServer,
  device_code: string,
  polls: readonly (readonly [number, (a: Answer) => void])[],
) => {
  const issuedAt = s.now
  for (const [second, expected] of polls) {
    await s.clock.advance(issuedAt + second * 1000 - s.now)
    expected(await s.poll(device_code))
  }
}

describe('polling', () => {
  test('pollGraceMs forgives that much', async () => {
    await using s = await startServer({ pollGraceMs: 500 })
    const { device_code } = await s.start()
    await schedule(s, device_code, [
      [0, pending],
      [4.5, pending],
      [8.999, slowDown],
    ])
    s.expectLive(0)
  })

  test('PO11 expiry, of pending, approved and denied codes alike; unknown past the tombstone', async () => {
    await using s = await startServer()
    const codes = [await s.start(), await s.start(), await s.start()]
    const [waiting, approved, denied] = codes
    await s.clock.advance(599_999)
    pending(await s.poll(waiting?.device_code ?? ''))
    await s.approve(approved?.user_code ?? '')
    await s.deny(denied?.user_code ?? '')
    await s.clock.advance(1)
    for (const { device_code } of codes) expired(await s.poll(device_code))
    expect((await s.approve(waiting?.user_code ?? '')).status).toBe(409)
    await s.clock.advance(300_000)
    for (const { device_code } of codes) expired(await s.poll(device_code))
    await s.clock.advance(299_999)
    for (const { device_code } of codes) expired(await s.poll(device_code))
    await s.clock.advance(1)
    for (const { device_code } of codes) invalid(await s.poll(device_code))
    s.expectLive(0)
  })

  test('other parameters of the first request have no effect', async () => {
    await using s = await startServer()
    const { device_code, user_code } = await s.start()
    await s.approve(user_code)
    expectTokens(await s.poll(device_code, 'public', { scope: 'write_builds nope', audience: 'x' }), {
      scope: 'read_builds',
    })
    s.expectLive(1)
  })

  test('PO17, A7 polls against approval: no stale write brings a state back', async () => {
    await using s = await startServer()
    for (let n = 0; n < 50; n++) {
      const { device_code, user_code } = await s.start()
      const [first, , second] = await Promise.all([s.poll(device_code), s.approve(user_code), s.poll(device_code)])
      const won = [first, second].filter(({ status }) => status === 200).length
      expect(won).toBeLessThanOrEqual(1)
      if (won === 0) expectTokens(await s.poll(device_code))
      invalid(await s.poll(device_code))
      s.expectLive(n + 1)
    }
  })

  test('A7 approval survives a poll in between; consumed stays consumed; approve and deny end in one state', async () => {
    await using s = await startServer()
    const first = await s.start()
    await Promise.all([s.poll(first.device_code), s.approve(first.user_code)])
    const { status } = await s.poll(first.device_code)
    expect([200, 400]).toContain(status)
    s.expectLive(1)
    const second = await s.start()
    const twice = await Promise.all([
      s.approve(second.user_code),
      s.poll(second.device_code),
      s.approve(second.user_code),
    ])
    expect(twice.filter((answer) => answer.status === 409)).toHaveLength(1)
    if (twice[1].status !== 200) expectTokens(await s.poll(second.device_code))
    invalid(await s.poll(second.device_code))
    s.expectLive(2)
    const third = await s.start()
    const [approved, denied] = await Promise.all([s.approve(third.user_code), s.deny(third.user_code)])
    expect([approved.status, denied.status].sort()).toEqual([200, 409])
    expect((await s.poll(third.device_code)).status).toBe(approved.status === 200 ? 200 : 400)
    s.expectLive(approved.status === 200 ? 3 : 2)
  })

  test('PO18 a burst while pending: one answer is not slow_down', async () => {
    await using s = await startServer()
    const { device_code } = await s.start()
    const answers = await Promise.all(Array.from({ length: 20 }, () => s.poll(device_code)))
    expect(answers.filter(({ body }) => body['error'] === 'authorization_pending')).toHaveLength(1)
    expect(answers.filter(({ body }) => body['error'] === 'slow_down')).toHaveLength(19)
    s.expectLive(0)
  })

  test('A8 poll storms: strangers leave the interval alone, the owner pays for haste, expiry stays', async () => {
    await using s = await startServer()
    const { device_code } = await s.start('confidential', 'read_builds', { client_secret: confidentialSecret })
    const before = record(s)
    await Promise.all(Array.from({ length: 100 }, () => s.poll(device_code, 'confidential')))
    await Promise.all(Array.from({ length: 100 }, () => s.poll(device_code, 'public')))
    expect(record(s)).toEqual(before)
    const secret = { client_secret: confidentialSecret }
    pending(await s.poll(device_code, 'confidential', secret))
    for (let n = 0; n < 120; n++) slowDown(await s.poll(device_code, 'confidential', secret))
    expect(record(s)).toEqual({ ...before, lastPolledAt: s.now, intervalMs: 605_000 })
    await s.clock.advance(600_000)
    expired(await s.poll(device_code, 'confidential', secret))
    s.expectLive(0)
  })

  test('PO19 a restart: consumed codes stay consumed and burnt jtis burnt', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'oauth-restart-'))
    try {
      const origin = {
        baseUrl: 'http://mock.localhost',
        authUrl: 'http://mock.localhost',
        webUrl: 'http://mock.localhost',
      }
      let device_code = ''
      let assertion = ''
      let access_token = ''
      {
        await using s = await startServer({ persistence: lowdbDirectory(directory), ...origin })
        const started = await s.start()
        device_code = started.device_code
        assertion = s.assertion()
        await s.approve(started.user_code)
        access_token = String((await s.poll(device_code)).body['access_token'])
        expectTokens(await s.exchange(assertion))
      }
      await using s = await startServer({ persistence: lowdbDirectory(directory), ...origin })
      invalid(await s.poll(device_code))
      expectRefusal(await s.exchange(assertion), 'invalid_client', 'JWT has already been used (jti)')
      expect((await s.api('/v2/builds', access_token)).status).toBe(200)
      const { body } = await s.control('GET', '/records/accessTokens?live=true')
      expect((body as unknown as { kind: string }[]).filter(({ kind }) => kind !== 'api')).toHaveLength(2)
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})
