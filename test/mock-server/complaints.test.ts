import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer, lowdbDirectory } from '@buildwire/mock-server'
import { describe, expect, it } from 'vitest'
import { doorNames, openDoor } from '../conformance/doors.js'
import { ask } from '../conformance/target.js'
import { acmeSeed, acmeServer, adminToken, apiOver } from '../support/control-client.js'
import { deviceGrant, expectBadSignature, expectRefusal, expectTokens, startServer } from './oauth/harness.js'

/** What users of other test servers had to report; the names in brackets lead to their words. */
describe('public complaints', () => {
  it.each(doorNames)(
    'unknown, consumed, foreign and revoked credentials are refused at the door %s (mock-oauth2-server#826)',
    async (name) => {
      const { target, close } = await openDoor(name)
      const { device, confidential } = target.applications
      if (device === undefined || confidential === undefined || target.control === undefined) throw new Error('no seed')
      const { client_id, scope } = device
      const token = (form: Record<string, string>) =>
        ask(target, `${target.authUrl}/oauth/token`, { method: 'POST', as: null, form })
      const poll = (device_code: string, as = client_id, more = {}) =>
        token({ grant_type: deviceGrant, client_id: as, device_code, ...more })
      const refused = async (answer: ReturnType<typeof poll>) => expect((await answer).json.error).toBe('invalid_grant')
      await refused(poll('unknown'))
      const started = await ask(target, `${target.authUrl}/oauth/device_authorization`, {
        method: 'POST',
        as: null,
        form: { client_id, scope },
      })
      const { device_code, user_code } = started.json
      await target.control.deviceAuthorizations.approve({ user_code, user: 'robin@acme.example', org_slug: target.org })
      const secret = { client_secret: confidential.client_secret ?? '' }
      await refused(poll(device_code, confidential.client_id, secret))
      const minted = await poll(device_code)
      expect(minted.status).toBe(200)
      await refused(poll(device_code))
      const as = minted.json.access_token
      expect((await ask(target, '/v2/access-token', { as, method: 'DELETE' })).status).toBe(204)
      for (const dead of [as, 'unknown-token', device_code, user_code]) {
        expect((await ask(target, '/v2/access-token', { as: dead })).status, dead).toBe(401)
      }
      await close()
    },
  )

  it('a rule over HTTP makes a token call fail, and verify tells one call from two (mock-oauth2-server#376)', async () => {
    await using it = await startServer()
    const rule = { match: { operation: 'oauth.token' }, times: 1, actions: [{ preset: 'unavailable' }] }
    expect((await it.control('POST', '/rules', rule)).status).toBe(201)
    const verify = async (count: number) =>
      (await it.control('POST', '/requests/verify', { match: { path: '/oauth/token' }, count })).status
    expectRefusal(await it.exchange(), 'server_error')
    expect([await verify(1), await verify(2)]).toEqual([200, 422])
    expectTokens(await it.exchange())
    expect([await verify(1), await verify(2)]).toEqual([422, 200])
  })

  it.each(['https://auth.example/base/', 'https://auth.example/base'])(
    'one token URL in all places, and aud must be exactly it: authUrl %s (oauth2-mock-server#353, mock-oauth2-server#767)',
    async (authUrl) => {
      await using it = await startServer({ authUrl, webUrl: `${authUrl.replace(/\/$/, '')}/web/` })
      const tokenUrl = 'https://auth.example/base/oauth/token'
      expect(it.tokenUrl).toBe(tokenUrl)
      const document = await it.call('/openapi.json')
      for (const path of ['/oauth/token', '/oauth/device_authorization']) {
        expect(document.body).toMatchObject({ paths: { [path]: { servers: [{ url: 'https://auth.example/base' }] } } })
      }
      expect(document.body['servers']).toEqual([{ url: it.server.baseUrl }])
      const device = await it.device({ client_id: 'public', scope: 'read_builds' })
      expect(device.body['verification_uri']).toBe('https://auth.example/base/web/oauth/device')
      for (const aud of [
        `${tokenUrl}/`,
        'https://auth.example/base//oauth/token',
        `${it.server.baseUrl}/oauth/token`,
      ]) {
        expectRefusal(await it.exchange(it.assertion({ aud })), 'invalid_client', 'JWT aud claim is invalid')
      }
      expectTokens(await it.exchange())
      expectBadSignature(await it.exchange(`${it.assertion()}x`))
    },
  )

  it('a poller at exactly the interval is never slowed, and one that obeys slow_down gets out (H2CK/oidc#716)', async () => {
    await using it = await startServer()
    const { device_code } = await it.start()
    for (let n = 0; n < 50; n++) {
      expectRefusal(await it.poll(device_code), 'authorization_pending')
      await it.clock.advance(5_000)
    }
    const hasty = await it.start()
    let interval = 5_000
    for (let n = 0; n < 4; n++) {
      const error = (await it.poll(hasty.device_code)).body['error']
      expect(error).toBe(n === 0 ? 'authorization_pending' : 'slow_down')
      if (error === 'slow_down') interval += 5_000
    }
    await it.clock.advance(interval)
    expectRefusal(await it.poll(hasty.device_code), 'authorization_pending')
    await it.approve(hasty.user_code)
    expectTokens(await it.poll(hasty.device_code))
  })

  it('no GET approves, and a used device code is dead (vfarcic/nebi#448)', async () => {
    await using it = await startServer()
    const { device_code, user_code } = await it.start()
    for (const path of [
      `/oauth/device?user_code=${user_code}`,
      `/oauth/device/${user_code}`,
      `/oauth/device/${user_code}?decision=approve`,
      `/_control/device-authorizations/${user_code}/approve?user=robin@acme.example&org_slug=acme`,
    ]) {
      await it.call(path, { headers: { Authorization: `Bearer ${it.server.controlToken}` } })
    }
    expectRefusal(await it.poll(device_code), 'authorization_pending')
    await it.approve(user_code)
    expectTokens(await it.poll(device_code))
    for (let n = 0; n < 3; n++) expectRefusal(await it.poll(device_code), 'invalid_grant')
    it.expectLive(1)
  })

  it('a login of 600 s takes no real time (vitest#7314)', async () => {
    await using it = await startServer()
    const { device_code, user_code } = await it.start()
    const before = performance.now()
    for (let waited = 0; waited < 595_000; waited += 5_000) {
      expectRefusal(await it.poll(device_code), 'authorization_pending')
      await it.clock.advance(5_000)
    }
    await it.approve(user_code)
    expectTokens(await it.poll(device_code))
    expect(performance.now() - before).toBeLessThan(10_000)
  })

  it('a file edited from outside is never merged (lowdb#549)', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'bw-'))
    const data = join(directory, 'data')
    const start = () => createMockServer({ seed: acmeSeed, persistence: lowdbDirectory(data) })
    const first = start()
    const token = await adminToken(first)
    const users = async (server: typeof first) =>
      (await server.control.records.list({ collection: 'users' })).map(({ email }) => email)
    const before = await users(first)
    await appendFile(join(data, 'state.jsonl'), '{"not":"a batch"}\n')
    expect(await users(first)).toEqual(before)
    const build = { commit: 'abc', branch: 'main' }
    expect((await apiOver(first, token)('POST', '/v2/organizations/acme/pipelines/web/builds', build)).status).toBe(201)
    await first.close()
    // The owner writes on where its own last line ended, over what a hand has added there.
    await using second = start()
    expect(await users(second)).toEqual(before)
    expect(await second.control.records.list({ collection: 'builds' })).toMatchObject([{ commit: 'abc' }])
    await second.close()
    await rm(directory, { recursive: true })
  })
})

describe('edges', () => {
  const builds = '/v2/organizations/acme/pipelines/web/builds'
  const tests = '/v2/analytics/organizations/acme/suites/web-unit/tests'
  const started = async () => {
    const server = acmeServer()
    return { server, api: apiOver(server, await adminToken(server)) }
  }

  it('JSON 10 000 levels deep, 100 000 query pairs and 10 MB are refused, and the server goes on', async () => {
    const { server, api } = await started()
    const token = await adminToken(server)
    const post = async (path: string, method: string, body: string) =>
      (
        await server.fetch(
          new Request(`${server.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${token}` }, body }),
        )
      ).status
    expect(await post(builds, 'POST', `${'['.repeat(10_000)}${']'.repeat(10_000)}`)).toBe(400)
    expect(await post(builds, 'POST', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)).toBe(400)
    expect((await api('GET', `${builds}?${'a&'.repeat(100_000)}`)).status).toBe(414)
    expect((await api('GET', `${builds}?${'a&'.repeat(1_500)}`)).status).toBe(400)
    const {
      body: [test],
    } = await api('GET', tests)
    const big = JSON.stringify({ scope: 'x'.repeat(10_000_000), name: 'adds' })
    expect(await post(`${tests}/find`, 'POST', big)).toBe(413)
    expect(await post(`${tests}/${test.id}/labels`, 'PATCH', big)).toBe(413)
    expect((await api('GET', builds)).status).toBe(200)
    expect((await server.control.info.get()).internalErrors).toBe(0)
    await server.close()
  })

  it('cancel twice, and a rebuild of a rebuild names the build of the path', async () => {
    const { server, api } = await started()
    const first = (await api('POST', builds, { commit: 'HEAD', branch: 'main' })).body
    expect((await api('PUT', `${builds}/${first.number}/cancel`)).status).toBe(200)
    expect((await api('PUT', `${builds}/${first.number}/cancel`)).body).toEqual({
      message: "Build can't be canceled because it is canceled",
    })
    const second = (await api('PUT', `${builds}/${first.number}/rebuild`)).body
    const third = (await api('PUT', `${builds}/${second.number}/rebuild`)).body
    expect(third.rebuilt_from).toEqual({ id: second.id, number: second.number, url: second.url })
    await server.close()
  })

  it('created_from takes its own moment in and created_to leaves it out, in any offset; a short SHA finds nothing', async () => {
    const { server, api } = await started()
    const commit = '9f2c4d1e5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d'
    await server.control.builds.create({
      org_slug: 'acme',
      pipeline_slug: 'web',
      commit,
      created_at: '2026-02-28T22:05:00.120Z',
      state: 'passed',
      jobs: [],
    })
    const found = async (query: string) => (await api('GET', `${builds}?${query}`)).body.length
    const plus = encodeURIComponent('2026-03-01T09:05:00.120+11:00')
    for (const moment of [
      '2026-02-28T22:05:00.120Z',
      plus,
      '2026-03-01T09:05:00.120+11:00',
      '2026-02-28T21:35:00.120-00:30',
    ]) {
      expect([await found(`created_from=${moment}`), await found(`created_to=${moment}`)], moment).toEqual([1, 0])
    }
    expect([await found(`commit=${commit}`), await found(`commit=${commit.slice(0, 7)}`)]).toEqual([1, 0])
    await server.close()
  })

  it('adding a label that is there and removing one that is not change nothing', async () => {
    const { server, api } = await started()
    const {
      body: [test],
    } = await api('GET', tests)
    const change = async (operator: string, labels: string[]) =>
      (await api('PATCH', `${tests}/${test.id}/labels`, { operator, labels })).body.labels
    expect(await change('add', ['flaky'])).toEqual(['flaky'])
    expect(await change('add', ['flaky'])).toEqual(['flaky'])
    expect(await change('remove', ['slow'])).toEqual(['flaky'])
    await server.close()
  })
})
