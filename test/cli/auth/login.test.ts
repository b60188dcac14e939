import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loginContext } from '../../../cli/src/auth/login.js'
import type { Context } from '../../../cli/src/context/context.js'
import { type Person, person } from './logins.js'

let robin: Person

beforeEach(async () => {
  robin = await person()
})
afterEach(() => robin[Symbol.asyncDispose]())

const requests = (operation: string) => robin.shop.control.requests.find({ match: { operation } })

describe('auth login', () => {
  test('shows the code on stderr, saves the token, and makes the context the default', async () => {
    const { code, stdout, stderr } = await robin.login()
    const host = new URL(robin.shop.baseUrl).host.replace(':', '-')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/ {2}Your code {5}[A-Z]{4}-[A-Z]{4}\n/u)
    expect(stderr).toContain(`  Open          ${robin.shop.baseUrl}/oauth/device\n`)
    expect(stderr).toContain(
      `${host} at ${robin.shop.baseUrl} · scopes: read_builds write_builds read_suites read_build_logs read_artifacts`,
    )
    expect(stderr).toContain(
      '✓ Logged in as robin@acme.example, scopes: read_builds write_builds read_suites read_build_logs read_artifacts',
    )
    expect(stderr).toContain(`renewed automatically. Context ${host} is now the default.`)
    expect(JSON.parse(await robin.file('config.json'))).toMatchObject({
      current: host,
      contexts: { [host]: { baseUrl: robin.shop.baseUrl, store: 'file', client_id: 'laptop' } },
    })
    expect(await robin.file('config.json')).not.toContain('access_token')
    expect((await stat(join(robin.config, 'credentials.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(robin.config)).mode & 0o777).toBe(0o700)
    const { stdout: builds } = await robin.run(['builds', 'list', '--json'])
    expect(JSON.parse(builds)).toEqual([])
  })

  test('-o jsonl prints the code and the login as records, --json the login, and neither a token', async () => {
    const jsonl = await robin.login('-o', 'jsonl', '--scope', 'read_builds')
    const [device, login] = jsonl.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(Object.keys(device ?? {})).toEqual([
      'type',
      'user_code',
      'verification_uri',
      'verification_uri_complete',
      'expires_in',
    ])
    expect(login).toMatchObject({ type: 'login', scope: 'read_builds', store: 'file' })
    expect(Object.keys(login ?? {})).toEqual(['type', 'context', 'scope', 'expiresAt', 'store'])
    const json = await robin.login('--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ type: 'login' })
    const { access_token, refresh_token } = Object.values(
      (
        JSON.parse(await robin.file('credentials.json')) as {
          credentials: Record<string, Record<string, string>>
        }
      ).credentials,
    )[0] as Record<string, string>
    for (const text of [jsonl.stdout, jsonl.stderr, json.stdout, json.stderr]) {
      expect(text).not.toContain(access_token)
      expect(text).not.toContain(refresh_token)
    }
  })

  test('a denied login is exit 4 and stores nothing', async () => {
    const io = robin.io()
    const [{ code, stderr }] = await Promise.all([
      robin.run(['auth', 'login'], { io }),
      robin.answer(io, 'deny'),
    ])
    expect(code).toBe(4)
    expect(stderr).toContain('access_denied')
    await expect(robin.file('config.json')).rejects.toThrow()
  })

  test('a login without an answer is exit 4 when the code has expired', async () => {
    const { code, stderr } = await robin.run(['auth', 'login'])
    expect(code).toBe(4)
    expect(stderr).toContain('expired_token')
  })

  test('a lost connection is reported once, and the login continues', async () => {
    const match = { operation: 'oauth.token' }
    await robin.shop.control.rules.create({ match, times: 2, actions: [{ socket: 'reset' }] })
    const { code, stderr } = await robin.login()
    expect(code).toBe(0)
    expect(stderr.match(/no connection, retrying/gu)).toHaveLength(1)
  })

  test('scopes of extensions that the service does not know are left out, unless --scope names them', async () => {
    const old = { kind: 'device', client_id: 'old', name: 'Old', clientType: 'public' } as const
    await robin.shop.control.apply({
      applications: [{ ...old, grantableScopes: ['read_builds', 'write_builds', 'read_suites'] }],
    })
    const { code, stderr } = await robin.login('--client-id', 'old')
    expect(code).toBe(0)
    const scopes = (await requests('oauth.deviceAuthorization')).map(({ request }) =>
      new URLSearchParams(request.body ?? '').get('scope'),
    )
    expect(scopes).toEqual([
      'read_builds write_builds read_suites read_build_logs read_artifacts',
      'read_builds write_builds read_suites read_build_logs',
      'read_builds write_builds read_suites',
    ])
    expect(stderr).toContain('· scopes: read_builds write_builds read_suites\n')
    expect(stderr).toContain('not granted: read_build_logs read_artifacts')
    const named = await robin.run([
      'auth',
      'login',
      '--client-id',
      'old',
      '--scope',
      'read_builds read_artifacts',
    ])
    expect(named).toMatchObject({ code: 7, stderr: expect.stringContaining('invalid_scope') })
    await robin.shop.control.apply({ applications: [{ ...old, grantableScopes: ['read_suites'] }] })
    expect((await robin.run(['auth', 'login', '--client-id', 'old'])).code).toBe(7)
    expect(await requests('oauth.deviceAuthorization')).toHaveLength(3 + 1 + 3)
  })

  test('a missing client id is exit 2 and names the flag', async () => {
    const { code, stderr } = await robin.run(['auth', 'login'], {
      env: { BUILDWIRE_CLIENT_ID: '' },
    })
    expect(code).toBe(2)
    expect(stderr).toContain('--client-id')
    expect(stderr).toContain('ci context set')
  })

  test('a store that cannot be written ends the login before any request', async () => {
    const file = join(robin.home, 'no-directory')
    await writeFile(file, '')
    const { code } = await robin.run(['auth', 'login'], { env: { BUILDWIRE_CONFIG_DIR: file } })
    expect(code).toBe(78)
    expect(await requests('oauth.deviceAuthorization')).toEqual([])
  })

  test('an unknown store is a usage error', async () => {
    const { code, stderr } = await robin.run(['auth', 'login'], {
      env: { BUILDWIRE_CREDENTIAL_STORE: 'cloud' },
    })
    expect(code).toBe(2)
    expect(stderr).toContain('auto, keyring, file')
  })

  test('a login while BUILDWIRE_TOKEN is set is stored, with a warning that the variable wins', async () => {
    const io = robin.io({ env: { BUILDWIRE_TOKEN: robin.shop.token } })
    const [{ code, stderr }] = await Promise.all([
      robin.run(['auth', 'login'], { io }),
      robin.answer(io, 'approve'),
    ])
    expect(code).toBe(0)
    expect(stderr).toContain('BUILDWIRE_TOKEN is set and is used instead of this login')
  })

  test('BUILDWIRE_PLAIN prints words for screen readers, one fact per line', async () => {
    const io = robin.io({ env: { BUILDWIRE_PLAIN: '1' }, columns: 80 })
    const [{ stderr }] = await Promise.all([
      robin.run(['auth', 'login'], { io }),
      robin.answer(io, 'approve'),
    ])
    expect(stderr).toMatch(/^code: [A-Z]{4}-[A-Z]{4}$/mu)
    expect(stderr).toContain('\nLogged in as robin@acme.example')
    expect(stderr).not.toContain('\u001b')
  })
})

describe('the login that a new one replaces', () => {
  /** The number of valid tokens, and of logins that can be renewed. */
  const live = async () => {
    const { records } = robin.shop.control
    const tokens = await records.list({ collection: 'accessTokens' })
    const families = await records.list({ collection: 'refreshFamilies' })
    return {
      tokens: tokens.filter((token) => token.kind === 'device' && token.live === true).length,
      families: families.filter(({ revokedAt }) => revokedAt === null).length,
    }
  }

  test('is revoked after the new one is saved, also an expired one; logout leaves no valid token', async () => {
    expect((await robin.login()).code).toBe(0)
    const kept = await robin.file('credentials.json')
    // A login that is denied does not end the earlier one.
    const io = robin.io()
    await Promise.all([robin.run(['auth', 'login'], { io }), robin.answer(io, 'deny')])
    expect(await robin.file('credentials.json')).toBe(kept)
    expect(await live()).toEqual({ tokens: 1, families: 1 })
    expect((await robin.login('--scope', 'read_builds')).code).toBe(0)
    await robin.shop.clock.advance(90 * 60_000)
    expect((await robin.login()).code).toBe(0)
    expect(await live()).toEqual({ tokens: 1, families: 1 })
    expect((await robin.run(['builds', 'list'])).code).toBe(0)
    expect((await robin.run(['auth', 'logout'])).code).toBe(0)
    expect(await live()).toEqual({ tokens: 0, families: 0 })
  })

  test('stays valid if it was pasted; if it cannot be revoked, the new login is kept', async () => {
    expect(
      (await robin.run(['auth', 'login', '--with-token'], { stdin: robin.shop.token })).code,
    ).toBe(0)
    expect((await robin.login()).code).toBe(0)
    expect(await requests('accessToken.revoke')).toEqual([])
    const match = { operation: 'accessToken.revoke' }
    await robin.shop.control.rules.create({ match, actions: [{ preset: 'unavailable' }] })
    const { code, stderr } = await robin.login()
    expect({ code, asked: (await requests('accessToken.revoke')).length }).toEqual({
      code: 0,
      asked: 1,
    })
    expect(stderr).toContain('Warning: the earlier login could not be ended')
    expect((await robin.run(['builds', 'list'])).code).toBe(0)
  })
})

test.each([
  ['http://[::1]:8080', '1-8080'],
  ['http://[::1]', '1'],
  ['http://[::]', 'server'],
  ['https://ci-1.acme.example', 'ci-1.acme.example'],
])('a login at %s names its context %s, which is not a flag', async (value, name) => {
  const address = { value, source: 'environment' }
  const urls = { baseUrl: address, authUrl: address, webUrl: address }
  const settings = { ...urls, vendor: { source: 'default' }, own: null }
  const context = { settings: async () => settings } as unknown as Context
  expect((await loginContext(context)).name).toBe(name)
})

describe('auth login --with-token', () => {
  test('saves a token that the server accepts', async () => {
    const { code, stderr } = await robin.run(['auth', 'login', '--with-token'], {
      stdin: `${robin.shop.token}\n`,
    })
    expect(code).toBe(0)
    expect(stderr).toContain('Logged in as robin@acme.example')
    expect((await robin.run(['auth', 'token'])).stdout).toBe(`${robin.shop.token}\n`)
  })

  test('stores nothing if the server refuses the token', async () => {
    const { code, stderr } = await robin.run(['auth', 'login', '--with-token'], {
      stdin: 'bwua_not_a_token_of_this_server',
    })
    expect(code).toBe(4)
    expect(stderr).not.toContain('bwua_not_a_token_of_this_server')
    await expect(robin.file('credentials.json')).rejects.toThrow()
  })

  test('warns that the token was not checked if the server has no operation for it', async () => {
    const respond = { status: 404, text: '<html>not here</html>' }
    await robin.shop.control.rules.create([
      { match: { operation: 'accessToken.get' }, actions: [{ respond }] },
      { match: { operation: 'user.get' }, actions: [{ respond }] },
    ])
    const { code, stderr } = await robin.run(['auth', 'login', '--with-token'], {
      stdin: 'some-token-1',
    })
    expect(code).toBe(0)
    expect(stderr).toContain(
      'Warning: this server cannot describe tokens, so this token was not checked',
    )
  })

  test('empty input is exit 2', async () => {
    expect((await robin.run(['auth', 'login', '--with-token'], { stdin: '\n' })).code).toBe(2)
  })
})

describe('C14: a run without a person asks no questions', () => {
  test.each([
    [{ CI: '1' }, []],
    [{}, ['--no-input']],
    [{ BUILDWIRE_NO_INPUT: '1' }, []],
  ])('%o %o: --with-token and token inspect on a terminal are exit 2', async (env, flags) => {
    for (const argv of [
      ['auth', 'login', '--with-token'],
      ['token', 'inspect'],
    ]) {
      const { code, stderr } = await robin.run([...argv, ...flags], { env, columns: 80 })
      expect(code).toBe(2)
      expect(stderr).toContain('stdin')
    }
  })
})
