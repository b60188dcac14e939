import { describe, expect } from 'vitest'
import { ecKey } from './assertions.js'
import { expectRefusal, expectTokens, test } from './harness.js'
import { Origin, registerOrigin } from './origin.js'

const used = 'JWT has already been used (jti)'

describe('adversarial', () => {
  test('A1 fifty parallel replays: one token in the store', async ({ s }) => {
    const remote = ecKey('remote')
    await using origin = await Origin.holding([remote.jwk])
    await registerOrigin(s, origin.url)
    const assertion = s.assertion({ iss: 'remote', sub: 'remote' }, remote)
    let commit = () => {}
    s.persistence.delay = new Promise<void>((resolve) => {
      commit = resolve
    })
    const racing = Array.from({ length: 50 }, () => s.exchange(assertion))
    await expect.poll(() => origin.requests.length).toBe(1)
    origin.release()
    await new Promise((resolve) => setImmediate(resolve))
    commit()
    const answers = await Promise.all(racing)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefusal(answer, 'invalid_client', used)
    s.expectLive(1)
    s.expectBurnt(1)
    expect(
      s.persistence.values('accessTokens').filter(({ kind }) => kind === 'exchange'),
    ).toHaveLength(1)
  })

  test('A2(b) a failed commit changes nothing, and the same assertion works later', async ({
    s,
  }) => {
    const assertion = s.assertion()
    s.persistence.failures = 1
    expectRefusal(
      await s.exchange(assertion),
      'server_error',
      'The service is temporarily unavailable',
    )
    s.expectLive(0)
    s.expectBurnt(0)
    // The store asks again on the host's clock, every five seconds.
    await expect
      .poll(async () => (await s.control('GET', '/health/ready')).status, {
        timeout: 15_000,
        interval: 200,
      })
      .toBe(200)
    expectTokens(await s.exchange(assertion))
    expectRefusal(await s.exchange(assertion), 'invalid_client', used)
    s.expectLive(1)
    s.expectBurnt(1)
  })

  test('A2(c) of two requests with one jti and one bad scope, the good one succeeds in either order', async ({
    s,
  }) => {
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

  test('G8 an error repeats no part of the request', async ({ s }) => {
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

  test('a sandbox knows nothing of another sandbox', async ({ s }) => {
    await using other = await s.server.sandbox({
      id: 'other',
      seed: (await import('./harness.js')).seed(),
    })
    const assertion = s.assertion()
    const form = new URLSearchParams(s.exchangeForm(assertion)).toString()
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: form,
    }
    const foreign = await s.call(`${other.authUrl}/oauth/token`, init)
    expect(foreign.body['error_description']).toBe('JWT aud claim is invalid')
    const { access_token } = await s.login()
    expect((await s.api(`${other.baseUrl}/v2/builds`, access_token)).status).toBe(401)
    expectTokens(await s.exchange(assertion))
    s.expectLive(2)
  })
})
