import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '../support/run-cli.js'
import { openWorkshop } from '../support/workshop.js'
import { type Person, person } from './logins.js'

let robin: Person

beforeEach(async () => {
  robin = await person()
})
afterEach(() => robin[Symbol.asyncDispose]())

const requests = (operation: string) => robin.shop.control.requests.find({ match: { operation } })

/** The only credential in the file. */
async function credential(): Promise<Record<string, unknown>> {
  const { credentials } = JSON.parse(await robin.file('credentials.json')) as {
    credentials: Record<string, Record<string, unknown>>
  }
  return Object.values(credentials)[0] ?? {}
}

describe('a token is sent only to the server that it was issued for', () => {
  test('a variable that names another server is exit 4, and nothing is sent', async () => {
    await robin.login()
    await using other = await openWorkshop()
    const { code, stderr } = await robin.run(['builds', 'list'], {
      env: { BUILDWIRE_BASE_URL: other.baseUrl },
    })
    expect(code).toBe(4)
    expect(stderr).toContain(`BUILDWIRE_BASE_URL points to ${other.baseUrl}`)
    expect(await other.control.requests.list()).toEqual([])
  })

  test('a context that was changed to another server after the login is exit 4, and nothing is sent', async () => {
    await robin.login()
    await using other = await openWorkshop()
    const name = new URL(robin.shop.baseUrl).host.replace(':', '-')
    const env = { BUILDWIRE_BASE_URL: '' }
    await robin.run(['context', 'set', name, '--base-url', other.baseUrl], { env })
    const { code, stderr } = await robin.run(['builds', 'list'], { env })
    expect(code).toBe(4)
    expect(stderr).toContain(`was issued for ${robin.shop.baseUrl}`)
    expect(await other.control.requests.list()).toEqual([])
  })

  test('a refresh token is not sent to BUILDWIRE_AUTH_URL', async () => {
    await robin.login()
    await using other = await openWorkshop()
    const { code, stderr } = await robin.run(['builds', 'list'], {
      env: { BUILDWIRE_AUTH_URL: other.baseUrl },
    })
    expect(code).toBe(0)
    expect(stderr).toContain('is not renewed')
    expect(await other.control.requests.list()).toEqual([])
  })

  test('BUILDWIRE_TOKEN beats a stored login, except under an explicit context', async () => {
    await robin.login('--scope', 'read_builds')
    const name = new URL(robin.shop.baseUrl).host.replace(':', '-')
    const env = { BUILDWIRE_TOKEN: robin.shop.token }
    expect((await robin.run(['auth', 'token'], { env })).stdout).toBe(`${robin.shop.token}\n`)
    const named = await robin.run(['auth', 'token', '--context', name], { env })
    expect(named.stdout).toBe(`${String((await credential()).access_token)}\n`)
    expect(named.stderr).toContain('BUILDWIRE_TOKEN is ignored')
  })
})

describe('a login with a refresh token', () => {
  const HOURS_8 = 8 * 3_600_000

  beforeEach(async () => {
    const application = {
      kind: 'device',
      name: 'Laptop',
      client_id: 'laptop',
      refreshTokens: true,
    } as const
    await robin.shop.control.apply({
      applications: [{ ...application, accessTokenTtlSeconds: 28_800 }],
    })
    await robin.login()
  })

  test('has its remaining time and its expiry in auth status', async () => {
    const { stdout } = await robin.run(['auth', 'status', '--utc'])
    expect(stdout).toMatch(/, expires in (?:7h 59m|8h 00m) \(2026-11-27 21:0\d:\d\d UTC\)$/mu)
  })

  test('is renewed when its access token has expired, and the new tokens are saved', async () => {
    const before = await credential()
    await robin.shop.clock.advance(HOURS_8)
    const { code } = await robin.run(['builds', 'list'])
    const after = await credential()
    expect(code).toBe(0)
    expect(after.access_token).not.toBe(before.access_token)
    expect(after.refresh_token).not.toBe(before.refresh_token)
    expect(after).toMatchObject({ origin: before.origin, client_id: 'laptop', scope: before.scope })
  })

  test('is renewed once by many processes at the same time', async () => {
    await robin.shop.clock.advance(HOURS_8)
    const before = (await requests('oauth.token')).length
    const runs = await Promise.all(Array.from({ length: 5 }, () => robin.run(['builds', 'list'])))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect((await requests('oauth.token')).length - before).toBe(1)
  })

  test('whose renewal meets 503 is kept, and the error names the login and the request', async () => {
    const before = await credential()
    await robin.shop.clock.advance(HOURS_8)
    const match = { operation: 'oauth.token' }
    await robin.shop.control.rules.create({ match, actions: [{ preset: 'unavailable' }] })
    const { code, stderr } = await robin.run(['builds', 'list'])
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /^Error: the login of context \S+ was not renewed: POST \/oauth\/token answered 503\n {2}The server cannot renew it now; run the command again /mu,
    )
    expect((await credential()).refresh_token).toBe(before.refresh_token)
    await robin.shop.control.rules.delete()
    expect((await robin.run(['builds', 'list'])).code).toBe(0)
  })

  test('whose renewal meets 503 is named by the login that replaces it', async () => {
    await robin.shop.clock.advance(HOURS_8)
    const match = { operation: 'oauth.token', form: { grant_type: 'refresh_token' } }
    await robin.shop.control.rules.create({ match, actions: [{ preset: 'unavailable' }] })
    const { code, stderr } = await robin.login()
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^Warning: the earlier login could not be ended: the login of context \S+ was not renewed: POST \/oauth\/token answered 503$/mu,
    )
  })

  test.each([
    ['with an invalid refresh token', '', 'The server renews it no more: '],
    [
      'whose renewal was cut short',
      '"isRenewing": true, ',
      'A command that renewed it was ended, or cut off, ',
    ],
  ])('%s is exit 4 with the reason and the command to log in', async (_, mark, why) => {
    const path = join(robin.config, 'credentials.json')
    const text = await readFile(path, 'utf8')
    await writeFile(
      path,
      text.replace(/"refresh_token": "[^"]+"/u, `${mark}"refresh_token": "bwrt_dead"`),
    )
    await robin.shop.clock.advance(HOURS_8)
    const { code, stderr } = await robin.run(['builds', 'list'])
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /^Error: the login of context (\S+) has ended\n.*\n {2}Try: ci auth login --context \1$/mu,
    )
    expect(stderr).toContain(`  ${why}`)
    expect(stderr).not.toContain('bwrt_dead')
    expect((await credential()).isRenewing === true).toBe(mark !== '')
  })
})

describe('auth status, token, logout', () => {
  test('status shows user, scopes and expiry; --all shows all contexts', async () => {
    await robin.login()
    const { code, stdout } = await robin.run(['auth', 'status', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      loggedIn: true,
      checked: true,
      isDefault: true,
      user: 'robin@acme.example',
      store: 'file',
      renewed: true,
      scopes: ['read_builds', 'write_builds', 'read_suites', 'read_build_logs', 'read_artifacts'],
    })
    await robin.run(['context', 'set', 'other', '--base-url', 'https://ci.example.test'])
    const all = JSON.parse(
      (await robin.run(['auth', 'status', '--all', '--json'])).stdout,
    ) as object[]
    expect(all).toMatchObject([
      { loggedIn: true },
      { context: 'other', loggedIn: false, problem: 'not logged in' },
    ])
  })

  test('status without a login is exit 4', async () => {
    expect((await robin.run(['auth', 'status'])).code).toBe(4)
    expect((await robin.run(['auth', 'status', '--all'])).code).toBe(4)
  })

  test('status --all without a context is exit 4; a token in the environment belongs to no context', async () => {
    const env = { BUILDWIRE_BASE_URL: robin.shop.baseUrl, BUILDWIRE_TOKEN: robin.shop.token }
    const none = await runCli(['auth', 'status', '--all'], { env })
    expect(none).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('no context is set'),
    })
    expect(await runCli(['auth', 'status', '--all', '--json'], { env })).toMatchObject({
      code: 4,
      stdout: '[]\n',
    })
    const { stdout } = await runCli(['auth', 'status', '--no-color'], { env, columns: 60 })
    expect(stdout.split('\n')[0]).toBe(`✓ ${robin.shop.baseUrl}`)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  })

  test('status names no context for a server that a variable names', async () => {
    await robin.login()
    await using other = await openWorkshop()
    const env = { BUILDWIRE_BASE_URL: other.baseUrl, BUILDWIRE_TOKEN: other.token }
    const { code, stdout } = await robin.run(['auth', 'status', '--json'], { env })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      context: null,
      isDefault: false,
      baseUrl: other.baseUrl,
    })
    const refused = await robin.run(['builds', 'list'], {
      env: { ...env, BUILDWIRE_TOKEN: 'token-1' },
    })
    expect(refused.stderr).toContain('  Try: unset BUILDWIRE_TOKEN && ci auth login\n')
  })

  test('status shows the stored scopes if the server lacks the extensions', async () => {
    await robin.login()
    const respond = { status: 404, text: '<html>not here</html>' }
    await robin.shop.control.rules.create([
      { match: { operation: 'accessToken.get' }, actions: [{ respond }] },
      { match: { operation: 'user.get' }, actions: [{ respond }] },
    ])
    const { code, stdout } = await robin.run(['auth', 'status', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      user: null,
      checked: false,
      scopes: ['read_builds', 'write_builds', 'read_suites', 'read_build_logs', 'read_artifacts'],
    })
  })

  test('logout revokes the token and removes it', async () => {
    await robin.login()
    const token = String((await credential()).access_token)
    expect((await robin.run(['auth', 'logout'])).code).toBe(0)
    expect(await robin.file('credentials.json')).not.toContain(token)
    expect(await requests('accessToken.revoke')).toHaveLength(1)
    expect((await robin.run(['builds', 'list'])).code).toBe(4)
    expect((await robin.run(['builds', 'list'], { env: { BUILDWIRE_TOKEN: token } })).code).toBe(4)
    expect((await robin.run(['auth', 'logout'])).code).toBe(4)
  })

  test('logout --keep-remote only removes it', async () => {
    await robin.login()
    const token = String((await credential()).access_token)
    const { code, stderr } = await robin.run(['auth', 'logout', '--keep-remote'])
    expect(code).toBe(0)
    expect(stderr).toContain('stays valid on the server')
    expect((await robin.run(['builds', 'list'], { env: { BUILDWIRE_TOKEN: token } })).code).toBe(0)
  })

  test('a token that could not be revoked is not removed', async () => {
    await robin.login()
    const match = { operation: 'accessToken.revoke' }
    await robin.shop.control.rules.create({ match, actions: [{ socket: 'reset' }] })
    const { code, stderr } = await robin.run(['auth', 'logout'])
    expect(code).toBe(3)
    expect(stderr).toContain('--keep-remote')
    expect((await robin.run(['builds', 'list'])).code).toBe(0)
  })

  test('logout warns if the server cannot revoke tokens', async () => {
    await robin.login()
    const match = { operation: 'accessToken.revoke' }
    await robin.shop.control.rules.create({
      match,
      actions: [{ respond: { status: 404, text: 'no' } }],
    })
    const { code, stderr } = await robin.run(['auth', 'logout'])
    expect(code).toBe(0)
    expect(stderr).toContain('revoke the application on your account page')
    expect((await robin.run(['builds', 'list'])).code).toBe(4)
  })
})

describe('the credentials file', () => {
  test('is made private with a warning if others can read it', async () => {
    await robin.login()
    const path = join(robin.config, 'credentials.json')
    await chmod(path, 0o644)
    const { code, stderr } = await robin.run(['builds', 'list'])
    expect(code).toBe(0)
    expect(stderr).toContain('was open to other users')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('is exit 78 with path and line if it is damaged, and BUILDWIRE_TOKEN still works', async () => {
    await robin.login()
    await writeFile(join(robin.config, 'credentials.json'), '{\n  "version": 1,\n  oops\n}')
    const { code, stderr } = await robin.run(['builds', 'list'])
    expect(code).toBe(78)
    expect(stderr).toContain('credentials.json:3')
    expect(
      (await robin.run(['builds', 'list'], { env: { BUILDWIRE_TOKEN: robin.shop.token } })).code,
    ).toBe(0)
  })

  test('is read and never rewritten if it has a newer version', async () => {
    await robin.login()
    const path = join(robin.config, 'credentials.json')
    const newer = (await readFile(path, 'utf8')).replace('"version": 1', '"version": 2')
    await writeFile(path, newer)
    expect((await robin.run(['builds', 'list'])).code).toBe(0)
    expect(
      (await robin.run(['auth', 'login', '--with-token'], { stdin: robin.shop.token })).code,
    ).toBe(78)
    expect(await readFile(path, 'utf8')).toBe(newer)
  })
})
