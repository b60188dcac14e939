import { lowdbDirectory, seededIds } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { scratch } from '../../support/scratch.js'
import { type Answer, expectRefusal, expectTokens, startServer, test } from './harness.js'

describe('device authorization', () => {
  test('DA4 pending user codes are unique; an expired one may be used again', async () => {
    const real = seededIds()
    const drawn = ['BBBBBBBB', 'BBBBBBBB', 'BBBBBBBB', 'CCCCCCCC', 'BBBBBBBB']
    await using s = await startServer({
      ids: { ...real, code: (length, alphabet) => drawn.shift() ?? real.code(length, alphabet) },
    })
    const first = await s.start()
    const second = await s.start()
    expect([first.user_code, second.user_code]).toEqual(['BBBB-BBBB', 'CCCC-CCCC'])
    await s.clock.advance(600_000)
    const third = await s.start()
    expect(third.user_code).toBe('BBBB-BBBB')
    expect((await s.approve('BBBB-BBBB')).status).toBe(200)
    expectRefusal(await s.poll(first.device_code), 'expired_token')
    expect((await s.poll(third.device_code)).status).toBe(200)
    s.expectLive(1)
  })

  test('DA4 server_error, and nothing is stored, if the random source gives only codes in use', async () => {
    const real = seededIds()
    await using s = await startServer({ ids: { ...real, code: () => 'BBBBBBBB' } })
    await s.start()
    const refused = await s.device({ client_id: 'public', scope: 'read_builds' })
    expectRefusal(refused, 'server_error', 'The service is temporarily unavailable')
    expect(s.persistence.values('deviceAuthorizations')).toHaveLength(1)
    s.expectLive(0)
  })

  test('extraScopes adds names', async () => {
    await using s = await startServer({ extraScopes: ['read_agents'] })
    await s.apply({ applications: [{ client_id: 'narrow', grantableScopes: ['read_agents'] }] })
    expect((await s.device({ client_id: 'narrow', scope: 'read_agents' })).status).toBe(200)
    s.expectLive(0)
  })
})

const invalidCode = 'The device code is invalid or has already been used'

const invalid = (answer: Answer) => expectRefusal(answer, 'invalid_grant', invalidCode)

describe('polling', () => {
  test('other parameters of the first request have no effect', async ({ s }) => {
    const { device_code, user_code } = await s.start()
    await s.approve(user_code)
    expectTokens(
      await s.poll(device_code, 'public', { scope: 'write_builds nope', audience: 'x' }),
      {
        scope: 'read_builds',
      },
    )
    s.expectLive(1)
  })

  test('PO17, A7 a poll during the approval never restores an old state', async ({ s }) => {
    for (let n = 0; n < 50; n++) {
      const { device_code, user_code } = await s.start()
      const [first, , second] = await Promise.all([
        s.poll(device_code),
        s.approve(user_code),
        s.poll(device_code),
      ])
      const won = [first, second].filter(({ status }) => status === 200).length
      expect(won).toBeLessThanOrEqual(1)
      if (won === 0) expectTokens(await s.poll(device_code))
      invalid(await s.poll(device_code))
      s.expectLive(n + 1)
    }
  })

  test('A7 approval survives a poll in between; consumed stays consumed; approve and deny end in one state', async ({
    s,
  }) => {
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
    const [approved, denied] = await Promise.all([
      s.approve(third.user_code),
      s.deny(third.user_code),
    ])
    expect([approved.status, denied.status].sort()).toEqual([200, 409])
    expect((await s.poll(third.device_code)).status).toBe(approved.status === 200 ? 200 : 400)
    s.expectLive(approved.status === 200 ? 3 : 2)
  })

  test('PO18 a burst while pending: one answer is not slow_down', async ({ s }) => {
    const { device_code } = await s.start()
    const answers = await Promise.all(Array.from({ length: 20 }, () => s.poll(device_code)))
    expect(answers.filter(({ body }) => body['error'] === 'authorization_pending')).toHaveLength(1)
    expect(answers.filter(({ body }) => body['error'] === 'slow_down')).toHaveLength(19)
    s.expectLive(0)
  })

  test('PO19 a restart: consumed codes stay consumed and burnt jtis burnt', async () => {
    await using directory = await scratch()
    const url = 'http://mock.localhost'
    const origin = { baseUrl: url, authUrl: url, webUrl: url }
    let device_code = ''
    let assertion = ''
    let access_token = ''
    {
      await using s = await startServer({ persistence: lowdbDirectory(directory.path), ...origin })
      const started = await s.start()
      device_code = started.device_code
      assertion = s.assertion()
      await s.approve(started.user_code)
      access_token = String((await s.poll(device_code)).body['access_token'])
      expectTokens(await s.exchange(assertion))
    }
    await using s = await startServer({ persistence: lowdbDirectory(directory.path), ...origin })
    invalid(await s.poll(device_code))
    expectRefusal(await s.exchange(assertion), 'invalid_client', 'JWT has already been used (jti)')
    expect((await s.api('/v2/builds', access_token)).status).toBe(200)
    const { body } = await s.control('GET', '/records/accessTokens?live=true')
    expect(
      (body as unknown as { kind: string }[]).filter(({ kind }) => kind !== 'api'),
    ).toHaveLength(2)
  })
})
