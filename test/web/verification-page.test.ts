import type { SeedDocument } from '@buildwire/mock-server'
import { beforeEach, describe, expect, it } from 'vitest'
import { type OAuthServer, seed, startServer } from '../mock-server/oauth/harness.js'
import { hidden, Visitor } from './visitor.js'

const client_id = 'test-device'
const applications: SeedDocument['applications'] = [
  { kind: 'device', client_id, name: 'Terminal', refreshTokens: true },
]

let s: OAuthServer
let robin: Visitor

const loggedIn = async (name: string): Promise<Visitor> => {
  const visitor = new Visitor(s.server)
  await visitor.logIn(name)
  return visitor
}

beforeEach(async () => {
  s = await startServer({ seed: { ...seed(), applications }, allowHosts: ['ci.example'] })
  robin = await loggedIn('robin')
  return () => s.server.close()
})

const ask = async (headers: Record<string, string> = {}) =>
  (await s.device({ client_id, scope: 'read_builds read_user' }, { headers })).body as {
    device_code: string
    user_code: string
  }
const poll = async (codes: { device_code: string }) => {
  await s.clock.advance(6000)
  return s.poll(codes.device_code, client_id)
}
const state = async (codes: { device_code: string }) => (await poll(codes)).body['error']

async function review(visitor: Visitor, code: string) {
  const { text } = await visitor.get(`/oauth/device?user_code=${code}`)
  return {
    request: hidden(text, 'request'),
    form_token: hidden(text, 'form_token'),
    org_slug: 'acme',
  }
}
const decide = async (code: string, answer: 'approve' | 'deny') =>
  robin.post('/oauth/device', { ...(await review(robin, code)), answer })

describe('user code page', () => {
  it('UC1: safe methods show the page and decide nothing', async () => {
    const codes = await ask()
    for (const method of ['GET', 'HEAD']) {
      for (const path of [
        `?user_code=${codes.user_code}`,
        `/${codes.user_code}`,
        `/${codes.user_code}?answer=approve`,
      ]) {
        const answer = await robin.request(method, `/oauth/device${path}`, {
          headers: { 'sec-purpose': 'prefetch' },
        })
        expect(answer.status).toBe(200)
        if (method === 'GET') expect(answer.text).toContain(codes.user_code)
      }
    }
    expect(await state(codes)).toBe('authorization_pending')
    s.expectLive(0)
  })

  it('UC2: typed text is escaped', async () => {
    const { text } = await robin.get(`/oauth/device?user_code=${encodeURIComponent(`&<>"'`)}`)
    expect(text).toContain('value="&amp;&lt;&gt;&quot;&#39;"')
    expect(text).not.toContain(`<>"'`)
  })

  it('UC3: a decision needs the form of the same login, from our own pages', async () => {
    const codes = await ask()
    const form = { ...(await review(robin, codes.user_code)), answer: 'approve' }
    const sam = await loggedIn('sam')
    const { form_token: _missing, ...without } = form
    const refused = [
      await robin.post('/oauth/device', without),
      await robin.post('/oauth/device', { ...form, form_token: 'x' }),
      await sam.post('/oauth/device', form),
      await robin.post('/oauth/device', form, { headers: { origin: 'https://elsewhere.example' } }),
      await robin.post('/oauth/device', form, { headers: { 'sec-fetch-site': 'cross-site' } }),
      await robin.post('/oauth/device', form, { headers: { origin: 'null' } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect(await state(codes)).toBe('authorization_pending')
  })

  it('UC4: every response has the security headers', async () => {
    const codes = await ask()
    for (const path of [
      '/oauth/device',
      `/oauth/device?user_code=${codes.user_code}`,
      '/oauth/login',
      '/',
      '/nobody',
    ]) {
      const { headers } = await robin.get(path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('UC5: a code may be typed in several spellings', async () => {
    const { user_code } = await ask()
    const letters = user_code.replace('-', '')
    const spellings = [
      user_code.toLowerCase(),
      letters,
      `${letters.slice(0, 4)} ${letters.slice(4)}`,
      `${letters.slice(0, 4)}.${letters.slice(4)}`,
    ]
    for (const spelling of spellings) {
      const { status, text } = await robin.get(
        `/oauth/device?user_code=${encodeURIComponent(spelling)}`,
      )
      expect({ spelling, status }).toEqual({ spelling, status: 200 })
      expect(text).toContain(user_code)
    }
  })

  it('UC6: wrong, expired, approved, denied and consumed codes look the same', async () => {
    const texts = new Set<string>()
    const look = async (code: string) => {
      const visitor = await loggedIn('sam')
      const answer = await visitor.get(`/oauth/device?user_code=${code}`, {
        ip: `127.0.1.${texts.size + 1}`,
      })
      expect(answer.status).toBe(404)
      texts.add(answer.text.replaceAll(code, 'CODE'))
    }
    const expired = await ask()
    await s.clock.advance(600_000)
    await look(expired.user_code)
    await look('BBBB-BBBB')
    const approved = await ask()
    await decide(approved.user_code, 'approve')
    await look(approved.user_code)
    expect((await poll(approved)).status).toBe(200)
    await look(approved.user_code)
    const denied = await ask()
    await decide(denied.user_code, 'deny')
    await look(denied.user_code)
    expect(texts.size).toBe(1)
  })

  it('UC7: five failures with any name lock the look-ups of a user and of an address, even with the right code', async () => {
    const path = `/oauth/device?user_code=${(await ask()).user_code}`
    for (const wrong of ['BBBBBBBB', 'BBBBBBBC', 'BBBBBBBD', 'BBBBBBBF', 'BBBBBBBG']) {
      const host = wrong < 'BBBBBBBD' ? s.server.webUrl : 'http://ci.example'
      expect((await robin.get(`${host}/oauth/device?user_code=${wrong}`)).status).toBe(404)
    }
    const locked = await robin.get(path)
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '600'])
    expect((await robin.get(path, { ip: '127.0.0.9' })).status).toBe(429)
    const sam = await loggedIn('sam')
    expect((await sam.get(path)).status).toBe(429)
    expect((await sam.get(path, { ip: '127.0.0.9' })).status).toBe(200)
  })

  it('UC8: without a login no code is looked up and nothing changes', async () => {
    const codes = await ask()
    const nobody = new Visitor(s.server)
    const anonymous = await nobody.get(`/oauth/device?user_code=${codes.user_code}`)
    expect(anonymous.status).toBe(303)
    const target = new URL(anonymous.headers.get('location') ?? '')
    expect(target.pathname).toBe('/oauth/login')
    expect(target.searchParams.get('return_to')).toBe(`/oauth/device?user_code=${codes.user_code}`)
    expect(
      (
        await nobody.post('/oauth/device', {
          ...(await review(robin, codes.user_code)),
          answer: 'approve',
        })
      ).status,
    ).toBe(401)
    expect(await state(codes)).toBe('authorization_pending')
    for (const bad of [
      'https://elsewhere.example/',
      '//elsewhere.example',
      '/\\elsewhere.example',
      'javascript:alert(1)',
    ]) {
      const user =
        /name="user" value="([^"]+)"/.exec((await nobody.get('/oauth/login')).text)?.[1] ?? ''
      const { headers } = await new Visitor(s.server).post('/oauth/login', { user, return_to: bad })
      expect(new URL(headers.get('location') ?? '').origin).toBe(new URL(s.server.webUrl).origin)
    }
  })

  it('UC9: a forged or foreign organization is refused', async () => {
    const codes = await ask()
    const sam = await loggedIn('sam')
    const form = await review(sam, codes.user_code)
    for (const org_slug of ['orbit', 'nobody', '', 'ACME']) {
      expect(
        (await sam.post('/oauth/device', { ...form, org_slug, answer: 'approve' })).status,
      ).toBe(403)
    }
    expect(await state(codes)).toBe('authorization_pending')
  })

  it('UC10: approve and deny at the same time end in one state, and the other gets 409', async () => {
    const codes = await ask()
    const form = await review(robin, codes.user_code)
    const answers = await Promise.all([
      robin.post('/oauth/device', { ...form, answer: 'approve' }),
      robin.post('/oauth/device', { ...form, answer: 'deny' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('UC11: no page contains the device code', async () => {
    const codes = await ask()
    const pages = [await robin.get(`/oauth/device?user_code=${codes.user_code}`)]
    pages.push(await decide(codes.user_code, 'approve'))
    pages.push(await robin.get('/oauth/authorized_applications'))
    for (const { text } of pages) expect(text).not.toContain(codes.device_code)
  })

  it('A9: a repeated field, a deactivated user and a user without membership decide nothing', async () => {
    const codes = await ask()
    const form = await review(robin, codes.user_code)
    const twice = `${new URLSearchParams({ ...form, answer: 'approve' })}&answer=deny`
    expect((await robin.post('/oauth/device', twice)).status).toBe(400)
    await s.apply({
      organizations: [{ slug: 'acme', members: [{ user: 'robin@acme.example', active: false }] }],
    })
    expect((await robin.post('/oauth/device', { ...form, answer: 'approve' })).status).toBe(403)
    await s.apply({ users: [{ email: 'robin@acme.example', active: false }] })
    expect((await robin.post('/oauth/device', { ...form, answer: 'deny' })).status).toBe(401)
    expect(await state(codes)).toBe('authorization_pending')
  })
})

describe('authorized applications', () => {
  const connect = async () => {
    const codes = await ask({ 'user-agent': 'terminal/1 <b>' })
    await decide(codes.user_code, 'approve')
    return (await poll(codes)).body as { access_token: string; refresh_token: string }
  }
  const use = async (token: string) => (await s.api('/v2/user', token)).status
  const grantForm = async () => {
    const { text } = await robin.get('/oauth/authorized_applications')
    const path =
      /action="[^"]*(\/oauth\/authorized_applications\/[^"]+\/revoke)"/.exec(text)?.[1] ?? ''
    return { path, form: { form_token: hidden(text, 'form_token') }, text }
  }

  it('AA1: revoking ends every token, the refresh family and approved codes that were not redeemed', async () => {
    const first = await connect()
    const second = await connect()
    const unredeemed = await ask()
    await decide(unredeemed.user_code, 'approve')
    s.expectLive(2)
    const { path, form } = await grantForm()
    expect((await robin.post(path, form)).status).toBe(303)
    s.expectLive(0)
    expect([await use(first.access_token), await use(second.access_token)]).toEqual([401, 401])
    const { refresh_token } = second
    const refreshed = await s.token({ grant_type: 'refresh_token', client_id, refresh_token })
    expect(refreshed.body['error']).toBe('invalid_grant')
    expect(await state(unredeemed)).toBe('invalid_grant')
    const again = await connect()
    expect(await use(again.access_token)).toBe(200)
  })

  it('AA2: an entry shows all details of a grant, and its last use after a call', async () => {
    const { access_token } = await connect()
    const before = (await grantForm()).text
    const facts = [
      'Terminal',
      'Acme',
      'See builds and their jobs',
      'never',
      'No expiry',
      'terminal/1 &lt;b&gt;',
    ]
    for (const fact of facts) expect(before).toContain(fact)
    expect(await use(access_token)).toBe(200)
    expect((await grantForm()).text).toContain('just now')
  })

  it('AA3: foreign and unknown grants are not found, and a form token is needed', async () => {
    const { access_token } = await connect()
    const { path, form } = await grantForm()
    const sam = await loggedIn('sam')
    expect((await sam.post(path, form)).status).toBe(404)
    expect((await robin.post('/oauth/authorized_applications/nothing/revoke', form)).status).toBe(
      404,
    )
    expect((await robin.post(path, {})).status).toBe(403)
    expect(
      (await robin.post(path, form, { headers: { 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403)
    expect((await new Visitor(s.server).post(path, form)).status).toBe(401)
    expect(await use(access_token)).toBe(200)
  })
})
