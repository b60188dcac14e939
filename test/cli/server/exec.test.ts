import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acmeSeed } from '../../support/control-client.js'
import { BIN } from '../support/child.js'
import { emptyEnv, shell, start } from '../support/program.js'

let server: ReturnType<typeof createMockServer>
let home: string
let env: Record<string, string>
let mint: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ci-exec-'))
  server = createMockServer({ seed: acmeSeed, strict: true })
  await server.listen({ port: 0 })
  await server.ready()
  env = { ...emptyEnv(home), BUILDWIRE_BASE_URL: server.baseUrl, BUILDWIRE_ORG: 'acme' }
  const { stdout } = await shell(`ci keys generate --out ${home}/k.pem --kid k1`, { env, cwd: home }).done
  await server.control.apply({
    organizations: [{ slug: 'acme', tokenExchangeEnabled: true }],
    applications: [
      {
        kind: 'token_exchange',
        name: 'Bot',
        client_id: 'bot',
        jwks: JSON.parse(stdout) as { keys: object[] },
        grantableScopes: ['read_builds'],
        defaultScopes: ['read_builds'],
      },
    ],
  })
  mint = `--subject sam@acme.example --client-id bot --key ${home}/k.pem --kid k1`
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

/** Tokens of a login by device code that a person approved. */
async function loggedIn(at: typeof server): Promise<{ access_token: string; refresh_token: string }> {
  const post = async (path: string, form: Record<string, string>) =>
    (await (await fetch(`${at.baseUrl}${path}`, { method: 'POST', body: new URLSearchParams(form) })).json()) as never
  const client_id = 'laptop'
  const code: { device_code: string; user_code: string } = await post('/oauth/device_authorization', {
    client_id,
    scope: 'read_builds',
  })
  const user = 'robin@acme.example'
  await at.control.deviceAuthorizations.approve({ user_code: code.user_code, user, org_slug: 'acme' })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return post('/oauth/token', { client_id, grant_type, device_code: code.device_code })
}

describe('token exec', () => {
  const exec = (rest: string, more: Record<string, string> = {}) =>
    shell(`ci token exec ${mint} ${rest}`, { env: { ...env, ...more }, cwd: home }).done

  test('hands the words over unchanged and in order, and exits as the command does', async () => {
    const { code, stdout } = await exec(`-- sh -c 'printf "%s\\n" "$@"; exit 3' sh a b a --json -- '--x=1 2'`)
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'a\nb\na\n--json\n--\n--x=1 2\n' })
  })

  test('the token is in the environment, under the name that is asked for, and nowhere else', async () => {
    const { stdout } = await exec(
      `--env-name API_TOKEN -- sh -c 'echo "$API_TOKEN|$BUILDWIRE_TOKEN"; tr "\\0" " " < /proc/$PPID/cmdline'`,
    )
    const [variables = '', parent = ''] = stdout.split('\n')
    expect(variables).toMatch(/^\S{20,}\|$/u)
    expect(parent).not.toContain(variables.slice(0, -1))
  })

  test('without a subject it is the context’s own token, renewed when it has to be', async () => {
    const dir = join(home, 'own')
    const own = { ...emptyEnv(home), BUILDWIRE_CONFIG_DIR: dir }
    await mkdir(dir, { mode: 0o700 })
    const login = await loggedIn(server)
    const { origin } = new URL(server.baseUrl)
    const stored = { origin, ...login, client_id: 'laptop', expiresAt: Date.now() - 1, scope: 'read_builds' }
    await writeFile(join(dir, 'credentials.json'), JSON.stringify({ version: 1, credentials: { local: stored } }))
    const local = { baseUrl: server.baseUrl, client_id: 'laptop', store: 'file' }
    await writeFile(join(dir, 'config.json'), JSON.stringify({ version: 1, current: 'local', contexts: { local } }))
    const line = `ci token exec -- sh -c 'curl -s -H "Authorization: Bearer $BUILDWIRE_TOKEN" ${server.baseUrl}/v2/access-token'`
    const { code, stdout } = await shell(line, { env: own, cwd: home }).done
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
      code: 0,
      user: { email: 'robin@acme.example' },
    })
    expect((await shell('ci token exec --key k.pem -- true', { env: own, cwd: home }).done).code).toBe(2)
  })

  test('the command gets the caller’s environment as it was', async () => {
    const more = { NODE_ENV: 'test', FORCE_COLOR: '3' }
    const { stdout } = await exec(`-- sh -c 'echo "$NODE_ENV $FORCE_COLOR"'`, more)
    expect(stdout).toBe('test 3\n')
  })

  test('127 when there is no such command, 126 when it cannot be run, 128 + n for its signal', async () => {
    expect(await exec('-- no-such-command-here')).toMatchObject({ code: 127 })
    expect(await exec(`-- ${home}`)).toMatchObject({ code: 126 })
    expect(await exec(`-- sh -c 'kill -KILL $$'`)).toMatchObject({ code: 137 })
  })

  test('SIGTERM is passed on, and the command has the last word', async () => {
    const script = 'trap "echo bye; exit 9" TERM; echo ready; while :; do sleep 0.05; done'
    const words = mint.split(' ')
    const child = start(process.execPath, [BIN, 'token', 'exec', ...words, '--', 'sh', '-c', script], {
      env,
      cwd: home,
    })
    await child.shows(/ready/u)
    child.process.kill('SIGTERM')
    expect(await child.done).toMatchObject({ code: 9, stdout: 'ready\nbye\n' })
  })

  test('a command that outlives the token is told so on stderr', async () => {
    const { code, stderr } = await exec('--expires-in 1s -- sleep 1.5')
    expect(code).toBe(0)
    expect(stderr).toContain('the token has expired, and the command still runs')
  })

  test('without a command it is exit 2, and nothing is minted', async () => {
    const before = (await server.control.requests.find({ match: { operation: 'oauth.token' } })).length
    expect((await exec('')).code).toBe(2)
    expect((await exec('--')).code).toBe(2)
    expect((await server.control.requests.find({ match: { operation: 'oauth.token' } })).length).toBe(before)
  })
})

describe('server', () => {
  test('start --set-context: the context is there before the ready line, and works', async () => {
    const own = { ...emptyEnv(home), BUILDWIRE_CONFIG_DIR: join(home, 'config') }
    const words = ['server', 'start', '--port', '0', '--log', 'off', '--set-context', 'local']
    const child = start(process.execPath, [BIN, ...words], { env: own, cwd: home, stdin: 'open' })
    const [line] = await child.shows(/^\{.*"event":"ready".*\}$/mu)
    const ready = JSON.parse(line) as { baseUrl: string; accessTokens: { admin: string } }
    expect(JSON.parse(await readFile(join(home, 'config/config.json'), 'utf8'))).toMatchObject({
      current: 'local',
      contexts: { local: { baseUrl: ready.baseUrl, org_slug: 'acme', client_id: 'demo-terminal', store: 'file' } },
    })
    const list = await shell('ci builds list -p web -L 1 -o id', { env: own, cwd: home }).done
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/u) })
    child.process.kill('SIGTERM')
    const { code, stdout, stderr } = await child.done
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain(ready.accessTokens.admin)
  })

  test('start --help is the server’s own help; a context that cannot be written stops it with 78', async () => {
    const help = (await shell('ci server start --help', { env, cwd: home }).done).stdout
    expect(help).toContain('--seed')
    expect(help).toContain('--set-context')
    const blocked = { ...env, BUILDWIRE_CONFIG_DIR: join(home, 'k.pem') }
    const line = 'ci server start --port 0 --log off --set-context local'
    expect((await shell(line, { env: blocked, cwd: home }).done).code).toBe(78)
  })
})
