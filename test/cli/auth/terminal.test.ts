import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer } from '@buildwire/mock-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runBesideBus } from '../../stress/bus.js'
import { acmeSeed } from '../../support/control-client.js'
import { BUS_FAULTS, openFaultyBus } from '../../support/session-bus.js'
import { emptyEnv, has, shell, terminal } from '../support/child.js'

let server: ReturnType<typeof createMockServer>
let home: string
let env: Record<string, string>

beforeAll(async () => {
  server = createMockServer({ seed: acmeSeed, strict: true })
  await server.listen({ port: 0 })
  await server.ready()
  // The first poll is never early; a second instead of five keeps these tests short.
  const match = { operation: 'oauth.deviceAuthorization' }
  await server.control.rules.create({
    match,
    actions: [{ patchResponse: { json: { interval: 1 } } }],
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ci-login-'))
  env = {
    ...emptyEnv(home),
    BUILDWIRE_BASE_URL: server.baseUrl,
    BUILDWIRE_CLIENT_ID: 'laptop',
    BUILDWIRE_CREDENTIAL_STORE: 'file',
  }
})
afterEach(() => rm(home, { recursive: true, force: true }))

const CODE = /Your code.*?([A-Z]{4}-[A-Z]{4})/u
const user = 'robin@acme.example'
const approve = (user_code: string) =>
  server.control.deviceAuthorizations.approve({ user_code, user, org_slug: 'acme' })

/** Waits until another process has written a file. */
async function appears(path: string): Promise<void> {
  while (!(await readFile(path).then(Boolean, () => false)))
    await new Promise((resolve) => setImmediate(resolve))
}

/** A program instead of a browser, which writes its arguments to a file. */
async function browser(): Promise<string> {
  const path = join(home, 'browser')
  await writeFile(path, `#!/bin/sh\nprintf '%s\\n' "$@" >> "${home}/opened"\n`)
  await chmod(path, 0o755)
  return path
}

describe.skipIf(!has('script'))('auth login on a terminal (needs script)', () => {
  const size = { columns: 100, rows: 24 }

  test('Enter opens the page with the code; after the approval the login ends and restores the terminal', async () => {
    const line = 'stty -g > before; ci auth login; echo "code $?"; stty -g > after'
    const child = terminal(line, size, {
      env: { ...env, BUILDWIRE_BROWSER: await browser() },
      cwd: home,
    })
    const [, code = ''] = await child.shows(CODE)
    await child.shows(
      /Enter opens the browser here; any other device works too\.\s+\S.*waiting, \d+:\d\d left/u,
    )
    child.process.stdin?.write('\r')
    await appears(join(home, 'opened'))
    await approve(code)
    const { stdout } = await child.done
    expect(stdout).toContain('code 0')
    expect(stdout).toContain(`Logged in as ${user}`)
    expect(stdout).not.toMatch(/\u001b\[[23]J/u)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
    expect(await readFile(join(home, 'opened'), 'utf8')).toBe(
      `${server.baseUrl}/oauth/device?user_code=${code}\n`,
    )
    expect(await readFile(join(home, 'after'), 'utf8')).toBe(
      await readFile(join(home, 'before'), 'utf8'),
    )
  })

  test.each([
    ['over SSH', { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }, ''],
    ['without a display', { BUILDWIRE_BROWSER: '' }, ''],
    ['with --no-browser', {}, '--no-browser'],
  ])('no browser is offered %s', async (_, more, flag) => {
    const withBrowser = { ...env, BUILDWIRE_BROWSER: await browser(), ...more }
    const child = terminal(`ci auth login ${flag}`, size, { env: withBrowser, cwd: home })
    const [, code = ''] = await child.shows(CODE)
    await child.shows(/Open it on any device\./u)
    child.process.stdin?.write('\r')
    await approve(code)
    await child.done
    await expect(readFile(join(home, 'opened'))).rejects.toThrow()
  })

  test('Ctrl-C exits with 130, stores nothing and restores the terminal', async () => {
    const line = 'stty -g > before; ci auth login; echo "code $?"; stty -g > after'
    const child = terminal(line, size, { env, cwd: home })
    await child.shows(/waiting, \d+:\d\d left/u)
    child.process.stdin?.write('\u0003')
    const { stdout } = await child.done
    expect(stdout).toContain('code 130')
    expect(await readFile(join(home, 'after'), 'utf8')).toBe(
      await readFile(join(home, 'before'), 'utf8'),
    )
    await expect(readFile(join(home, '.config/buildwire/config.json'))).rejects.toThrow()
  })

  test('after a denial Enter requests a new code, and any other key exits with 4', async () => {
    const child = terminal('ci auth login; echo "code $?"', size, { env, cwd: home })
    const [, first = ''] = await child.shows(CODE)
    await server.control.deviceAuthorizations.deny({ user_code: first, user })
    await child.shows(/denied\. Enter for a new code/u)
    child.process.stdin?.write('\r')
    const [, second = ''] = await child.shows(/denied[\s\S]*Your code.*?([A-Z]{4}-[A-Z]{4})/u)
    expect(second).not.toBe(first)
    await server.control.deviceAuthorizations.deny({ user_code: second, user })
    await child.shows(/denied[\s\S]*denied\. Enter/u)
    child.process.stdin?.write('q')
    expect((await child.done).stdout).toContain('code 4')
  })
})

describe('the store of a login', () => {
  test('is the file, with one warning, if no keyring answers', async () => {
    const more = {
      BUILDWIRE_CREDENTIAL_STORE: 'auto',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    }
    const child = shell('ci auth login', { env: { ...env, ...more }, cwd: home })
    const [, code = ''] = await child.shows(CODE)
    await approve(code)
    const { code: exit, stderr } = await child.done
    expect(exit).toBe(0)
    expect(stderr.match(/^Warning: .*$/gmu)).toEqual([
      `Warning: no system keyring answers; the token goes into ${home}/.config/buildwire/credentials.json`,
    ])
  })

  test('a required keyring that does not exist is exit 78', async () => {
    const more = {
      BUILDWIRE_CREDENTIAL_STORE: 'keyring',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    }
    const { code, stderr } = await shell('ci auth login', { env: { ...env, ...more }, cwd: home })
      .done
    expect(code).toBe(78)
    expect(stderr).toContain('--insecure-storage')
  })

  test('a faulty session bus delays no command', async () => {
    const token = (await server.ready()).accessTokens.admin ?? ''
    const target = { baseUrl: server.baseUrl, token }
    const results = await Promise.all(
      BUS_FAULTS.map((fault) => runBesideBus(fault, target, ['builds list -L 1'])),
    )
    expect(results.flat().filter(({ wrong, ms }) => wrong !== null || ms > 15_000)).toEqual([])
  })

  test.skipIf(!has('script'))(
    'on a terminal a silent bus is reported after a second, and Ctrl-C ends at once',
    async () => {
      await using bus = await openFaultyBus('silent')
      const more = { BUILDWIRE_CREDENTIAL_STORE: 'keyring', DBUS_SESSION_BUS_ADDRESS: bus.address }
      const child = terminal(
        'ci auth login; echo "code $?"',
        { columns: 100, rows: 24 },
        { env: { ...env, ...more }, cwd: home },
      )
      await child.shows(/Waiting for the system keyring, which may show a dialog; Ctrl-C stops/u)
      child.process.stdin?.write('\u0003')
      expect((await child.done).stdout).toContain('code 130')
    },
  )
})
