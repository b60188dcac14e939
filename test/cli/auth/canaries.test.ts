import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchangeFor } from '../../support/control-client.js'
import { runCli } from '../support/run-cli.js'
import { type Person, person } from './logins.js'

let robin: Person

beforeEach(async () => {
  robin = await person()
})
afterEach(() => robin[Symbol.asyncDispose]())

const DEVICE_CODE = 'canary-device-code-4c1f9a'
const CLIENT_SECRET = 'canary-client-secret-77aa'

/** All files below a directory, by path. */
async function files(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** A secret as text, URL-encoded and in base64url. */
const forms = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64url'),
]

describe('C13: --debug=http prints everything but secrets', () => {
  test('during login, renewal, requests, logs and logout', async () => {
    // The test defines these answers, so that it knows every secret in them.
    const device = {
      device_code: DEVICE_CODE,
      user_code: 'BCDF-GHJK',
      verification_uri: `${robin.shop.baseUrl}/oauth/device`,
      expires_in: 600,
      interval: 5,
    }
    const tokens = {
      access_token: robin.shop.token,
      token_type: 'Bearer',
      refresh_token: 'canary-refresh-token-1',
      expires_in: 3600,
      scope: 'read_builds read_build_logs',
    }
    const token = { operation: 'oauth.token' }
    await robin.shop.control.rules.create([
      {
        match: { operation: 'oauth.deviceAuthorization' },
        actions: [{ respond: { status: 200, json: device } }],
      },
      { match: token, times: 1, actions: [{ respond: { status: 200, json: tokens } }] },
      {
        match: token,
        actions: [
          {
            respond: { status: 200, json: { ...tokens, refresh_token: 'canary-refresh-token-2' } },
          },
        ],
      },
    ])
    const build = await robin.shop.control.builds.create({
      org_slug: 'acme',
      pipeline_slug: 'web',
      commit: 'HEAD',
      branch: 'main',
    })
    await robin.shop.control.builds.advance({ id: build.id, to: 'finished', outcome: 'failed' })
    const env = { BUILDWIRE_CLIENT_SECRET: CLIENT_SECRET }
    const outputs: string[] = []
    const run = async (...argv: string[]) => {
      const { code, stdout, stderr } = await robin.run([...argv, '--debug=http'], { env })
      outputs.push(stdout, stderr)
      return { code, stderr }
    }
    const login = await run('auth', 'login')
    expect(login.code).toBe(0)
    expect(login.stderr).toContain('debug: > POST')
    expect(login.stderr).toContain('[redacted]')
    expect((await run('auth', 'status')).code).toBe(0)
    await robin.shop.clock.advance(3_600_000)
    expect((await run('builds', 'list')).code).toBe(0)
    expect((await run('builds', 'logs', String(build.number), '--failed')).code).toBe(0)
    expect((await run('builds', 'watch', String(build.number))).code).toBe(1)
    expect((await run('api', 'access-token')).code).toBe(0)
    expect((await run('auth', 'logout')).code).toBe(0)

    const secrets = [
      robin.shop.token,
      DEVICE_CODE,
      CLIENT_SECRET,
      'canary-refresh-token-1',
      'canary-refresh-token-2',
    ]
    const output = outputs.join('\n')
    for (const secret of secrets.flatMap(forms)) expect(output).not.toContain(secret)
    for (const path of await files(robin.home)) {
      const text = await readFile(path, 'utf8')
      for (const secret of secrets.flatMap(forms)) expect(text, path).not.toContain(secret)
    }
  })

  test('mint prints neither key nor assertion nor token on stderr', async () => {
    const key = join(robin.home, 'k.pem')
    const { stdout: jwks } = await runCli(['keys', 'generate', '--out', key, '--kid', 'k1'], {
      home: robin.home,
    })
    await robin.shop.control.apply(exchangeFor(JSON.parse(jwks)))
    const flags = [
      '--subject',
      'sam@acme.example',
      '--client-id',
      'bot',
      '--key',
      key,
      '--kid',
      'k1',
      '--debug=http',
    ]
    const { code, stdout, stderr } = await robin.run(['token', 'mint', ...flags])
    expect(code).toBe(0)
    expect(stderr).toContain('client_assertion=[redacted]')
    const pem = await readFile(key, 'utf8')
    const keyLine = pem.split('\n')[1] ?? ''
    expect(keyLine.length).toBeGreaterThan(30)
    for (const secret of [stdout.trim(), keyLine])
      for (const form of forms(secret)) expect(stderr).not.toContain(form)
    expect(stderr).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}\./u)
  })

  test('no error contains a token that the server refuses', async () => {
    const secret = 'canary-refused-token-9b2'
    const env = { BUILDWIRE_TOKEN: secret }
    for (const argv of [
      ['builds', 'list'],
      ['auth', 'status'],
      ['builds', 'list', '--json'],
    ]) {
      const { code, stdout, stderr } = await robin.run([...argv, '--debug=http'], { env })
      expect(code).toBe(4)
      for (const form of forms(secret)) expect(stdout + stderr).not.toContain(form)
    }
  })
})
