import { describe, expect, test } from 'vitest'
import { ecKey, jwt, rsaKey } from './assertions.js'
import {
  type Answer,
  ec,
  expectBadSignature,
  expectRefusal,
  expectTokens,
  otherKey,
  rsa,
  startServer,
} from './harness.js'
import { Origin, serve } from './origin.js'

const used = 'JWT has already been used (jti)'

/** A promise that the test settles. */
const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('adversarial', () => {
  test.each([1, 2, 3])('A1 fifty parallel replays, round %i: one token in the store', async () => {
    await using s = await startServer()
    const remote = ecKey('remote')
    const key = gate()
    await using origin = await Origin.answering((request, response) => {
      void key.opened.then(() => serve([remote.jwk])(request, response))
    })
    const application = { kind: 'token_exchange', client_id: 'remote', name: 'Remote', jwks_uri: origin.url }
    await s.apply({
      applications: [{ ...application, grantableScopes: ['read_builds'], defaultScopes: ['read_builds'] }],
    })
    const assertion = s.assertion({ iss: 'remote', sub: 'remote' }, remote)
    const commit = gate()
    s.persistence.delay = commit.opened
    const racing = Array.from({ length: 50 }, () => s.exchange(assertion))
    await expect.poll(() => origin.requests.length).toBe(1)
    key.open()
    await new Promise((resolve) => setImmediate(resolve))
    commit.open()
    const answers = await Promise.all(racing)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefusal(answer, 'invalid_client', used)
    s.expectLive(1)
    s.expectBurnt(1)
    expect(s.persistence.values('accessTokens').filter(({ kind }) => kind === 'exchange')).toHaveLength(1)
  })

  test('A2(b) a commit that fails leaves nothing behind, and the same assertion serves later', async () => {
    await using s = await startServer()
    const assertion = s.assertion()
    s.persistence.failures = 1
    expectRefusal(await s.exchange(assertion), 'server_error', 'The service is temporarily unavailable')
    s.expectLive(0)
    s.expectBurnt(0)
    // The store asks again on the host's clock, every five seconds.
    await expect
      .poll(async () => (await s.control('GET', '/health/ready')).status, { timeout: 15_000, interval: 200 })
      .toBe(200)
    expectTokens(await s.exchange(assertion))
    expectRefusal(await s.exchange(assertion), 'invalid_client', used)
    s.expectLive(1)
    s.expectBurnt(1)
  })

  test('A2(c) of two with one jti, one badly scoped, the good one wins in either order', async () => {
    await using s = await startServer()
    for (const order of ['good first', 'bad first']) {
      const assertion = s.assertion()
      const good = () => s.exchange(assertion)
      const bad = () => s.exchange(assertion, { scope: 'nope' })
      const answers = await Promise.all(order === 'good first' ? [good(), bad()] : [bad(), good()])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
    s.expectLive(2)
    s.expectBurnt(2)
  })

  test('A5 key confusion: only a registered key with an accepted alg', async () => {
    await using s = await startServer()
    await using listener = await Origin.serving([])
    const attacker = { ec: ecKey('attacker'), rsa: rsaKey('attacker') }
    const certificate = attacker.rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const headers = [
      { alg: 'none' },
      { alg: 'RS256', kid: 'ec-1' },
      { alg: 'ES256', kid: 'rsa-1' },
      { alg: 'PS256', kid: 'rsa-1' },
      { alg: 'ES256', kid: 'ec-1', jwk: attacker.ec.jwk },
      { alg: 'ES256', jku: listener.url },
      { alg: 'ES256', kid: 'ec-1', x5u: listener.url },
      { alg: 'RS256', kid: 'rsa-1', x5c: [certificate] },
      { alg: 'ES256', kid: 'other-1' },
      { alg: 'ES256' },
      { alg: 'ES256', kid: 'nobody' },
      { alg: 'ES256', kid: '../../etc/keys' },
      { alg: 'ES256', kid: listener.url },
    ]
    for (const header of headers) {
      for (const key of [attacker.ec, attacker.rsa, otherKey]) {
        expectBadSignature(await s.exchange(jwt({ typ: 'JWT', ...header }, s.claims(), key.privateKey, key.alg)))
      }
    }
    // The same headers with the right signature: only those that name the key they were signed with.
    const right = [
      [jwt({ alg: 'ES256', kid: 'ec-1', jwk: attacker.ec.jwk }, s.claims(), ec.privateKey), true],
      [jwt({ alg: 'ES256', jku: listener.url }, s.claims(), ec.privateKey), true],
      [jwt({ alg: 'RS256', kid: 'rsa-1', x5c: [certificate] }, s.claims(), rsa.privateKey), true],
      [jwt({ alg: 'RS256', kid: 'ec-1' }, s.claims(), rsa.privateKey), false],
      [jwt({ alg: 'ES256', kid: 'rsa-1' }, s.claims(), ec.privateKey), false],
      [jwt({ alg: 'none', kid: 'ec-1' }, s.claims(), ec.privateKey, 'ES256'), false],
    ] as const
    for (const [assertion, accepted] of right) {
      const answer = await s.exchange(assertion)
      if (accepted) expectTokens(answer)
      else expectBadSignature(answer)
    }
    expect(listener.requests).toHaveLength(0)
    s.expectLive(3)
  })

  test('RE7 no secret in the request log, in records, in a snapshot or in a log line', async () => {
    const lines: unknown[] = []
    await using s = await startServer({ log: (line) => lines.push(line) })
    const { device_code, user_code } = await s.start('refreshing')
    await s.poll(device_code, 'refreshing')
    await s.approve(user_code)
    const { body } = await s.poll(device_code, 'refreshing')
    const refreshed = await s.token({
      grant_type: 'refresh_token',
      client_id: 'refreshing',
      refresh_token: String(body['refresh_token']),
    })
    const assertion = s.assertion()
    const exchanged = await s.exchange(assertion)
    await s.exchange(assertion)
    await s.device({ client_id: 'confidential', client_secret: 'wrong secret of a stranger', scope: 'read_builds' })
    await s.api('/v2/builds', String(exchanged.body['access_token']))
    await s.api('/v2/builds?access_token=a-token-in-the-query', undefined)
    await s.api('/v2/access-token', String(body['access_token']))
    const secrets = [
      device_code,
      assertion,
      assertion.split('.')[2],
      body['access_token'],
      body['refresh_token'],
      refreshed.body['access_token'],
      refreshed.body['refresh_token'],
      exchanged.body['access_token'],
      'wrong secret of a stranger',
      'wrong+secret',
      'a-token-in-the-query',
    ].map(String)
    const places: readonly Answer[] = [
      await s.control('GET', '/requests'),
      await s.control('GET', '/snapshot'),
      await s.control('GET', '/records/accessTokens'),
      await s.control('GET', '/records/grants'),
      await s.control('GET', '/records/applications'),
      await s.control('GET', '/device-authorizations'),
    ]
    for (const place of places) {
      expect(place.status, place.text).toBe(200)
      for (const secret of secrets)
        expect(place.text.includes(secret), `${secret} in ${place.text.slice(0, 80)}`).toBe(false)
    }
    const written = JSON.stringify(lines)
    for (const secret of [...secrets, user_code]) expect(written).not.toContain(secret)
    const log = await s.control('GET', '/requests')
    expect(log.text).toContain('jti_used')
    s.expectLive(3)
  })

  test('G8 nothing of a request comes back in an error', async () => {
    await using s = await startServer()
    const canary = 'canary-7f3a'
    const assertion = s.assertion({ jti: canary, extra: canary })
    const answers = [
      await s.device({ client_id: canary, scope: canary }),
      await s.device({ client_id: 'public', scope: canary }),
      await s.token({ grant_type: canary }),
      await s.poll(canary),
      await s.exchange(canary),
      await s.exchange(assertion, { audience: canary }),
      await s.exchange(assertion, { subject_token: canary }),
      await s.exchange(assertion, { scope: canary }),
      await s.exchange(assertion, { expires_in: canary }),
      await s.exchange(assertion, { resource: canary }),
      await s.exchange(assertion, { requested_token_type: canary }),
      await s.token(`${canary}=${canary}&scope=a&scope=${canary}`),
    ]
    for (const { status, text, headers } of answers) {
      expect(status).toBeLessThan(500)
      expect(`${text}${JSON.stringify([...headers])}`).not.toContain(canary)
    }
    s.expectLive(0)
  })

  test('G12 URLs come from configuration, never from Host', async () => {
    await using s = await startServer({ authUrl: 'https://auth.acme.example/', webUrl: 'https://web.acme.example' })
    expect(s.tokenUrl).toBe('https://auth.acme.example/oauth/token')
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
    const { body } = await s.device({ client_id: 'public', scope: 'read_builds' }, { headers })
    expect(body['verification_uri']).toBe('https://web.acme.example/oauth/device')
    expectTokens(await s.exchange())
    expectRefusal(
      await s.exchange(s.assertion({ aud: 'https://evil.example/oauth/token' })),
      'invalid_client',
      'JWT aud claim is invalid',
    )
    s.expectLive(1)
  })

  test('nothing of one sandbox is known in another', async () => {
    await using s = await startServer()
    await using other = await s.server.sandbox({ id: 'other', seed: (await import('./harness.js')).seed() })
    const assertion = s.assertion()
    const form = new URLSearchParams(s.exchangeForm(assertion)).toString()
    const init = { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: form }
    const foreign = await s.call(`${other.authUrl}/oauth/token`, init)
    expect(foreign.body['error_description']).toBe('JWT aud claim is invalid')
    const { access_token } = await s.login()
    expect((await s.api(`${other.baseUrl}/v2/builds`, access_token)).status).toBe(401)
    expectTokens(await s.exchange(assertion))
    s.expectLive(2)
  })
})
