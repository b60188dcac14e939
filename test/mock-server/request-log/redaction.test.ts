import { createMockServer, type MockServerOptions, VirtualClock } from '@buildwire/mock-server'
import { describe, expect } from 'vitest'
import { createRedactor } from '../../../mock-server/src/request/log/redact.js'
import { it } from '../../support/acme-test.js'
import { acmeSeed, acmeServer, adminToken } from '../../support/control-client.js'

const form = (values: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(values).toString(),
})

const standIn = /^\[redacted:[0-9a-f]{8}\]$/

describe('the request log holds no secret', () => {
  it('keeps a device login, a refresh and calls without any of their credentials', async () => {
    const lines: string[] = []
    await using server = createMockServer({
      seed: {
        ...acmeSeed,
        applications: [
          {
            kind: 'device',
            name: 'Laptop',
            client_id: 'laptop',
            clientType: 'confidential',
            client_secret: 'canary-client-secret',
            refreshTokens: true,
          },
        ],
      },
      clock: new VirtualClock({ now: '2026-03-01T09:00:00Z' }),
      log: (line) => lines.push(JSON.stringify(line)),
    })
    const admin = await adminToken(server)
    const post = async (
      path: string,
      values: Record<string, string>,
      headers: Record<string, string> = {},
    ) => {
      const init = form(values)
      const response = await server.fetch(
        new Request(`${server.authUrl}${path}`, {
          ...init,
          headers: { ...init.headers, ...headers },
        }),
      )
      return (await response.json()) as Record<string, string>
    }
    const client = { client_id: 'laptop', client_secret: 'canary-client-secret' }
    const device = await post('/oauth/device_authorization', { ...client, scope: 'read_builds' })
    await server.fetch(new Request(device['verification_uri_complete'] ?? ''))
    await server.fetch(new Request(`${server.webUrl}/oauth/device/${device['user_code']}`))
    const back = encodeURIComponent(`/oauth/device?user_code=${device['user_code']}`)
    await server.fetch(
      new Request(`${server.webUrl}/oauth/login?return_to=${back}`, {
        headers: { referer: device['verification_uri_complete'] ?? '' },
      }),
    )
    await server.fetch(
      new Request(
        `${server.webUrl}/oauth/login`,
        form({
          form_token: 'canary-csrf-value',
          return_to: `/oauth/device/${device['user_code']}`,
        }),
      ),
    )
    await server.control.deviceAuthorizations.approve({
      user_code: device['user_code'] ?? '',
      user: 'robin@acme.example',
      org_slug: 'acme',
    })
    const grant = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device['device_code'] ?? '',
    }
    const tokens = await post('/oauth/token', { ...client, ...grant })
    const basic = Buffer.from('laptop:canary-client-secret').toString('base64')
    const renewed = await post(
      '/oauth/token',
      {
        grant_type: 'refresh_token',
        client_id: 'laptop',
        refresh_token: tokens['refresh_token'] ?? '',
      },
      { authorization: `Basic ${basic}` },
    )
    await post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_assertion: 'canary.client.assertion',
      subject_token: 'canary-subject@acme.example',
    })
    await server.fetch(
      new Request(`${server.authUrl}/oauth/token`, {
        method: 'POST',
        body: '{"client_secret":"canary-in-broken-json',
      }),
    )
    const call = (path: string, init: RequestInit = {}) =>
      server.fetch(
        new Request(`${server.baseUrl}${path}`, {
          ...init,
          headers: {
            authorization: `Bearer ${admin}`,
            cookie: 'session=canary-cookie-value',
            ...init.headers,
          },
        }),
      )
    await call('/v2/builds?access_token=canary-token-in-query&per_page=1')
    await call('/v2/builds')

    const secrets = [
      admin,
      'canary-client-secret',
      basic,
      device['device_code'],
      device['user_code'],
      tokens['access_token'],
      tokens['refresh_token'],
      renewed['access_token'],
      renewed['refresh_token'],
      'canary.client.assertion',
      'canary-subject@acme.example',
      'canary-in-broken-json',
      'canary-cookie-value',
      'canary-csrf-value',
      'canary-token-in-query',
    ]
    const entries = await server.control.requests.list()
    expect(entries.length).toBe(11)
    const text = JSON.stringify(entries)
    for (const secret of secrets) {
      expect(secret, 'a canary must be something').toMatch(/.{8,}/)
      for (const spelling of [secret ?? '', encodeURIComponent(secret ?? '')]) {
        expect(text).not.toContain(spelling)
        expect(lines.join('\n')).not.toContain(spelling)
      }
    }
    const [start] = entries
    expect(start?.request.body).toContain('client_id=laptop')
    expect(decodeURIComponent(start?.request.body ?? '')).toMatch(
      /client_secret=\[redacted:[0-9a-f]{8}\]/,
    )
    expect(entries.at(-1)?.request.headers['authorization']).toMatch(
      /^Bearer \[redacted:[0-9a-f]{8}\]$/,
    )
  })

  it('gives equal secrets equal stand-ins, so that one token can be followed', async ({
    server,
    token,
  }) => {
    for (const bearer of [token, token, 'bwua_another']) {
      await server.fetch(
        new Request(`${server.baseUrl}/v2/builds`, {
          headers: { authorization: `Bearer ${bearer}` },
        }),
      )
    }
    const [a, b, c] = (await server.control.requests.list()).map(
      ({ request }) => request.headers['authorization'],
    )
    expect(a).toBe(b)
    expect(a).not.toBe(c)
  })

  it('still finds a request by a secret that the test knows', async ({ server, token }) => {
    await server.fetch(
      new Request(`${server.baseUrl}/v2/builds`, { headers: { authorization: `Bearer ${token}` } }),
    )
    await server.fetch(
      new Request(
        `${server.authUrl}/oauth/token`,
        form({ grant_type: 'x', device_code: 'the-device-code' }),
      ),
    )
    const { requests } = server.control
    expect(
      await requests.find({ match: { headers: { authorization: `Bearer ${token}` } } }),
    ).toHaveLength(1)
    expect(
      await requests.find({ match: { headers: { authorization: 'Bearer other' } } }),
    ).toHaveLength(0)
    expect(
      await requests.find({ match: { form: { device_code: 'the-device-code' } } }),
    ).toHaveLength(1)
    expect(await requests.find({ match: { form: { grant_type: 'x' } } })).toHaveLength(1)
  })

  it('keeps REST bodies as they are', async ({ server, token }) => {
    const body = JSON.stringify({
      commit: 'HEAD',
      branch: 'main',
      meta_data: { user_code: 'not ours' },
    })
    await server.fetch(
      new Request(`${server.baseUrl}/v2/organizations/acme/pipelines/web/builds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
      }),
    )
    const [entry] = await server.control.requests.list()
    expect(entry?.request.body).toBe(body)
    expect(entry).toMatchObject({
      operation: 'builds.create',
      status: 201,
      user: 'robin@acme.example',
      accessTokenId: expect.any(String),
      outcome: 'answered',
    })
  })

  it('keeps a signed link without its signature, in the answer that names it and in the request that uses it', async () => {
    const [acme] = acmeSeed.organizations
    const [web] = acme.pipelines
    const jobs = [
      {
        step_key: 'lint',
        state: 'passed',
        exit_status: 0,
        artifacts: [{ path: 'a.txt', content: 'a' }],
      },
    ]
    const builds = [{ state: 'failed', branch: 'main', force: true, jobs }] as const
    await using server = acmeServer({
      seed: {
        ...acmeSeed,
        organizations: [{ ...acme, pipelines: [{ ...web, builds }] }],
        accessTokens: [{ name: 'admin', user: 'robin@acme.example', scopes: ['read_artifacts'] }],
      } as MockServerOptions['seed'],
    })
    const headers = { authorization: `Bearer ${await adminToken(server)}` }
    const all = `${server.baseUrl}/v2/organizations/acme/pipelines/web/builds/1/artifacts`
    const listed = await server.fetch(new Request(all, { headers }))
    const [artifact] = (await listed.json()) as { download_url: string }[]
    const told = await server.fetch(new Request(artifact?.download_url ?? '', { headers }))
    const link = told.headers.get('location') ?? ''
    expect(await (await server.fetch(new Request(link))).text()).toBe('a')
    const signature = new URL(link).searchParams.get('signature') ?? ''
    expect(signature.length).toBeGreaterThan(20)
    const entries = await server.control.requests.list()
    expect(JSON.stringify(entries)).not.toContain(signature)
    const [answer] = entries.filter(({ operation }) => operation === 'artifacts.download')
    expect(answer?.response?.body).toMatch(/&signature=\[redacted:[0-9a-f]{8}\]/)
    expect(answer?.response?.headers['location']).toMatch(/&signature=\[redacted:[0-9a-f]{8}\]$/)
  })

  it('cannot be guessed back across processes', () => {
    const one = createRedactor()
    const two = createRedactor()
    expect(one.standIn('secret')).toMatch(standIn)
    expect(one.standIn('secret')).not.toBe(two.standIn('secret'))
    expect(one.standIn(one.standIn('secret'))).toBe(one.standIn('secret'))
  })
})
