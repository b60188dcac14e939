import { createMockServer, type MockServerOptions } from '@buildwire/mock-server'
import { createSigner, systemClock, TokenExchange, undiciTransport } from '@buildwire/sdk'
import { describe, expect, it } from 'vitest'
import { knownOddHosts, oddHost } from '../stress/hosts.js'
import { openRaw } from '../support/raw-socket.js'
import { ecKey, rsaKey } from './oauth/assertions.js'
import { startServer } from './oauth/oauth-server.js'
import { Origin, registerOrigin } from './oauth/origin.js'
import { ec, seed, userEmailType } from './oauth/seed.js'

const builds = '/v2/organizations/acme/pipelines/web/builds'
const token = 'seeded-api-token'

const listening = async (options: MockServerOptions = {}) => {
  const server = createMockServer({ seed: seed(), ...options })
  const { port } = await server.listen()
  await server.ready()
  const exchange = async (text: string, count?: number) => {
    const socket = await openRaw(port)
    await socket.write(text)
    const answers = await socket.answers(count)
    socket.close()
    return answers
  }
  return { server, exchange, [Symbol.asyncDispose]: () => server.close() }
}

const create = (branch: string): string => {
  const body = JSON.stringify({ commit: 'HEAD', branch })
  const head = `POST ${builds} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}`
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

describe('a connection', () => {
  it.each([
    'garbage\r\n\r\n',
    '\x16\x03\x01\x02\x00\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
  ])('answers what came whole before %j, then closes', async (garbage) => {
    await using s = await listening()
    const answers = await s.exchange(create('one') + create('two') + garbage)
    expect(answers.map(({ status, body }) => [status, JSON.parse(body).branch])).toEqual([
      [201, 'one'],
      [201, 'two'],
    ])
    expect(answers.at(-1)?.head).toMatch(/^connection: close\r?$/im)
  })

  it('answers 400 to broken bytes inside a body, and makes nothing of it', async () => {
    await using s = await listening()
    const head = `POST ${builds} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
    const answers = await s.exchange(`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nZZ\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([400])
    expect((await s.server.control.requests.list()).every(({ status }) => status !== 201)).toBe(
      true,
    )
  })

  it.each([
    ['/v2/access-token', 200],
    ['/_control/health/ready', 200],
    ['/_control/health/live', 200],
    ['/_control/info', 403],
    ['/docs', 403],
    ['/device', 403],
  ])('over HTTP/1.0 without Host gets %s with %i', async (path, status) => {
    await using s = await listening()
    const [answer] = await s.exchange(
      `GET ${path} HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    expect(answer?.status).toBe(status)
  })

  it('with an odd Host is refused in one way, and never gets a server error', {
    timeout: 60_000,
  }, async () => {
    await using s = await listening()
    const port = Number(new URL(s.server.baseUrl).port)
    const paths = ['/v2/access-token', '/docs', '/_control/info']
    const harms = knownOddHosts.map((host) => oddHost(s.server, port, host, paths))
    expect((await Promise.all(harms)).filter((harm) => harm !== null)).toEqual([])
    for (const path of paths) {
      // Lines of Node disagree on names such as `xn--l`; no URL can have this one.
      const request = `GET ${path} HTTP/1.1\r\nHost: a|b\r\nConnection: close\r\n\r\n`
      expect((await s.exchange(request)).map(({ status }) => status)).toEqual([400])
    }
  })

  it('goes by the name in an absolute target, whatever Host says', async () => {
    await using s = await listening()
    const ask = async (target: string, host: string) =>
      (await s.exchange(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))[0]
        ?.status
    for (const path of ['/_control/health/ready', '/docs']) {
      expect(await ask(`http://localhost${path}`, 'localhost')).toBe(200)
      expect(await ask(`http://evil.example${path}`, 'localhost')).toBe(403)
      expect(await ask(`http://localhost${path}`, 'evil.example')).toBe(403)
    }
  })
})

describe('a token where none belongs', () => {
  it('stands in no log, known or only shaped like one', async () => {
    const lines: string[] = []
    await using s = await listening({ log: (line) => lines.push(JSON.stringify(line)) })
    const shaped = `bwua_${'x'.repeat(43)}`
    const headers = { authorization: `Bearer ${token}`, 'x-key': shaped }
    for (const secret of [token, shaped]) {
      for (const path of [
        `/v2/${secret}`,
        `/v2/organizations/${secret}/builds`,
        `/${secret}`,
        `/v2/builds?q=${secret}`,
      ]) {
        await fetch(s.server.baseUrl + path, { headers })
      }
    }
    const logged = JSON.stringify([lines, await s.server.control.requests.list()])
    expect(logged).toContain('[redacted:')
    for (const secret of [token, shaped]) expect(logged.includes(secret), secret).toBe(false)
  })
})

describe('public URLs', () => {
  const spellings = [
    'http://localhost:80',
    'HTTP://LOCALHOST',
    'http://localhost/',
    'http://LocalHost:80/',
  ]
  const reached = async (given: string, used: string) => {
    await using s = await startServer({ baseUrl: given, authUrl: given, webUrl: given })
    const signer = await createSigner({ key: ec.privateKey, kid: ec.kid })
    const transport = undiciTransport({ dispatcher: s.server.dispatcher() })
    const options = {
      authUrl: used,
      transport,
      clock: { ...systemClock, now: () => s.now },
      signer,
    }
    const exchange = new TokenExchange(
      { client_id: 'minter', subject_token_type: userEmailType },
      options,
    )
    return await exchange.exchange({
      subject_token: 'robin@acme.example',
      audience: 'acme',
      scope: 'read_builds',
    })
  }

  it('are one in every spelling, at the server and at our client, which names the right aud', async () => {
    const [plain = '', ...others] = spellings
    for (const other of others) {
      expect((await reached(plain, other)).token_type).toBe('Bearer')
      expect((await reached(other, plain)).token_type).toBe('Bearer')
    }
  })

  it('may have a path, in process too', async () => {
    expect((await reached('http://localhost/auth', 'http://localhost/auth/')).token_type).toBe(
      'Bearer',
    )
    await using s = await startServer({
      baseUrl: 'http://ci.example/api',
      webUrl: 'http://ci.example/',
    })
    expect((await s.api('http://ci.example/api/v2/builds', token)).status).toBe(200)
    expect((await s.api('http://ci.example/apiary', token)).status).toBe(404)
  })
})

describe('OAuth', () => {
  it('a page loaded before the application was disabled approves nothing', async () => {
    await using s = await startServer()
    const { device_code, user_code } = await s.start()
    await s.apply({ applications: [{ client_id: 'public', enabled: false }] })
    expect((await s.approve(user_code)).status).toBe(409)
    await s.apply({ applications: [{ client_id: 'public', enabled: true }] })
    expect((await s.poll(device_code)).body['error']).toBe('authorization_pending')
  })

  it('a burnt jti stays burnt under a leeway that is raised later', async () => {
    await using s = await startServer({ jtiRetentionSeconds: 360 })
    const assertion = s.assertion()
    expect((await s.exchange(assertion)).status).toBe(200)
    await s.apply({ settings: { expLeewaySeconds: 300 } })
    await s.clock.advance(599_000)
    expect((await s.exchange(assertion)).body['error_description']).toBe(
      'JWT has already been used (jti)',
    )
    await s.clock.advance(1000)
    expect((await s.exchange(assertion)).body['error_description']).toBe(
      'JWT exp claim must be in the future',
    )
  })

  it('a reset while a key set is fetched is a conflict, not a bad client', async () => {
    await using s = await startServer()
    await using origin = await Origin.holding([ec.jwk])
    await registerOrigin(s, origin.url)
    const pending = s.exchange(s.assertion({ iss: 'remote', sub: 'remote' }))
    await expect.poll(() => origin.requests.length).toBe(1)
    expect((await s.control('POST', '/reset')).status).toBe(200)
    origin.release()
    expect(await pending).toMatchObject({ status: 409, body: { error: 'server_error' } })
  })

  it('tries an assertion without kid against all 100 keys of a set, without holding up anybody', async () => {
    await using s = await startServer()
    const other = rsaKey('other').jwk
    const keys = Array.from({ length: 99 }, (_, n) => ({ ...other, kid: `key-${n}` }))
    const last = ecKey('last')
    const wanted = rsaKey('wanted')
    const application = {
      kind: 'token_exchange',
      client_id: 'many',
      name: 'Many',
      grantableScopes: ['read_builds'],
    }
    await s.apply({ applications: [{ ...application, jwks: { keys: [...keys, wanted.jwk] } }] })
    const claims = { iss: 'many', sub: 'many' }
    expect(
      (await s.exchange(s.assertion(claims, wanted, { kid: undefined }), { scope: 'read_builds' }))
        .status,
    ).toBe(200)
    expect((await s.exchange(s.assertion(claims, last, { kid: undefined }))).status).toBe(400)
  })
})
