import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockServer } from '@buildwire/mock-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acmeSeed, exchangeFor } from '../support/control-client.js'
import { openRenewable } from '../support/renewable.js'
import { BIN, emptyEnv, runChild, shell, start } from './support/child.js'

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
  const { stdout } = await shell(`ci keys generate --out ${home}/k.pem --kid k1`, {
    env,
    cwd: home,
  }).done
  await server.control.apply(exchangeFor(JSON.parse(stdout)))
  mint = `--subject sam@acme.example --client-id bot --key ${home}/k.pem --kid k1`
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

describe('token exec', () => {
  const exec = (rest: string) => shell(`ci token exec ${mint} ${rest}`, { env, cwd: home }).done

  it('hands the words over unchanged and in order, and exits as the command does', async () => {
    const { code, stdout } = await exec(
      `-- sh -c 'printf "%s\\n" "$@"; exit 3' sh a b a --json -- '--x=1 2'`,
    )
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'a\nb\na\n--json\n--\n--x=1 2\n' })
  })

  it('the token is in the environment, under the name that is asked for, and nowhere else', async () => {
    const { stdout } = await exec(
      `--env-name API_TOKEN -- sh -c 'echo "$API_TOKEN|$BUILDWIRE_TOKEN"; tr "\\0" " " < /proc/$PPID/cmdline'`,
    )
    const [variables = '', parent = ''] = stdout.split('\n')
    expect(variables).toMatch(/^\S{20,}\|$/u)
    expect(parent).not.toContain(variables.slice(0, -1))
  })

  it('without a subject it is the context’s own token, renewed when it has to be', async () => {
    await using shop = await openRenewable()
    await shop.logIn(['local'])
    const ask = `curl -s -H "Authorization: Bearer $BUILDWIRE_TOKEN" ${shop.baseUrl}/v2/access-token`
    const { code, stdout } = await shop.ci(['token', 'exec', '--', 'sh', '-c', ask])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ user: { email: 'robin@acme.example' } })
    expect((await shop.ci(['token', 'exec', '--key', 'k.pem', '--', 'true'])).code).toBe(2)
  })

  it('SIGTERM is passed on, and the command decides the exit code', async () => {
    const script = 'trap "echo bye; exit 9" TERM; echo ready; while :; do sleep 0.05; done'
    const words = [BIN, 'token', 'exec', ...mint.split(' '), '--', 'sh', '-c', script]
    const child = start(process.execPath, words, { env, cwd: home })
    await child.shows(/ready/u)
    child.process.kill('SIGTERM')
    expect(await child.done).toMatchObject({ code: 9, stdout: 'ready\nbye\n' })
  })

  it('a command that outlives the token gets a warning on stderr', async () => {
    const { code, stderr } = await exec('--expires-in 1s -- sleep 1.5')
    expect(code).toBe(0)
    expect(stderr).toContain('the token has expired, and the command still runs')
  })

  it('without a command it is exit 2, and nothing is minted', async () => {
    const minted = async () =>
      (await server.control.requests.find({ match: { operation: 'oauth.token' } })).length
    const before = await minted()
    expect((await exec('')).code).toBe(2)
    expect((await exec('--')).code).toBe(2)
    expect(await minted()).toBe(before)
  })
})

describe('server exec', () => {
  const exec = (
    args: readonly string[],
    words: readonly string[],
    more: Record<string, string> = {},
  ) => runChild(['server', 'exec', ...args, '--', ...words], { env: more })
  const ofShell = (script: string) => exec([], ['sh', '-c', script, 'sh', BIN])

  it('runs a program beside a server of its own and exits as it does', async () => {
    const { code, stdout, stderr } = await ofShell(
      'node "$1" builds list -o id -L 2 && test "$BUILDWIRE_ORG" = acme && test -n "$BUILDWIRE_CONTROL_TOKEN" && exit 7',
    )
    expect(stdout).toMatch(/^acme\/[\w-]+#\d+\nacme\/[\w-]+#\d+\n$/u)
    expect({ code, stderr }).toEqual({ code: 7, stderr: 'acme (BUILDWIRE_ORG)\n' })
  })

  it('hands words over unchanged and in order, and keeps our settings to ourselves', async () => {
    const words = ['a', 'b', 'a', '--json', '-h', '']
    const print =
      'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.NODE_ENV, process.env.FORCE_COLOR]))'
    const { stdout } = await exec(['--seed', 'empty'], ['node', '-e', print, '--', ...words], {
      NODE_ENV: 'test',
    })
    expect(JSON.parse(stdout)).toEqual([words, 'test', null])
  })

  it('pages are read from the host name that the first page used', async () => {
    const { code, stdout } = await ofShell(
      'BUILDWIRE_BASE_URL=$(echo "$BUILDWIRE_BASE_URL" | sed s/127.0.0.1/localhost/) node "$1" builds list -o id --limit 40',
    )
    expect({ code, builds: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, builds: 40 })
  })

  it('its program reaches the server where every other request goes through a proxy', async () => {
    const proxy = 'http://127.0.0.1:9'
    const more = { HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: 'ci.example' }
    expect(
      await exec([], ['node', BIN, 'builds', 'list', '-o', 'id', '--limit', '1'], more),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^acme\/\S+#\d+\n$/u),
    })
    const told = await exec(['--seed', 'empty'], ['printenv', 'no_proxy'], more)
    expect(told.stdout).toMatch(/^ci\.example,127\.0\.0\.1,localhost,/u)
  })

  it.each([
    [127, ['no-such-program']],
    [126, ['/']],
    [143, ['sh', '-c', 'kill -TERM $$']],
    [2, []],
  ])('ends with %i for the program %j', async (code, words) => {
    expect((await exec(['--seed', 'empty'], words)).code).toBe(code)
  })
})

describe('server start', () => {
  it('hands its arguments over: help is the server’s, and so are its refusals', async () => {
    const help = await runChild(['server', 'start', '--help'])
    expect(help.code).toBe(0)
    for (const text of ['Usage: ci server start', '--seed', '--set-context'])
      expect(help.stdout).toContain(text)
    const refused = { code: 2, stdout: '', stderr: expect.stringMatching(/^ci server: /u) }
    expect(await runChild(['server', 'start', '--no-such-flag'])).toMatchObject(refused)
    expect(await runChild(['server', 'prove', '--only', 'no'])).toMatchObject(refused)
    expect(await runChild(['server', 'exec', '--seed', 'no', '--', 'true'])).toMatchObject(refused)
  })

  it('says ready on stdout and stops on a signal, with 0', async () => {
    const result = await runChild(
      ['server', 'start', '--port', '0', '--seed', 'empty', '--log', 'off'],
      {
        onSpawn: (child) => child.stdout?.once('data', () => child.kill('SIGTERM')),
      },
    )
    expect(result.code).toBe(0)
    expect(JSON.parse(result.stdout)).toMatchObject({ event: 'ready', seed: 'empty' })
  })

  it('--set-context saves a working context before the ready line; if it cannot, the exit code is 78', async () => {
    const own = { ...emptyEnv(home), BUILDWIRE_CONFIG_DIR: join(home, 'config') }
    const words = ['server', 'start', '--port', '0', '--log', 'off', '--set-context', 'local']
    const child = start(process.execPath, [BIN, ...words], { env: own, cwd: home, stdin: 'open' })
    const [line] = await child.shows(/^\{.*"event":"ready".*\}$/mu)
    const ready = JSON.parse(line) as { baseUrl: string; accessTokens: { admin: string } }
    expect(JSON.parse(await readFile(join(home, 'config/config.json'), 'utf8'))).toMatchObject({
      current: 'local',
      contexts: {
        local: {
          baseUrl: ready.baseUrl,
          org_slug: 'acme',
          client_id: 'demo-terminal',
          store: 'file',
        },
      },
    })
    const list = await shell('ci builds list -p web -L 1 -o id', { env: own, cwd: home }).done
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/u) })
    child.process.kill('SIGTERM')
    const { code, stdout, stderr } = await child.done
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain(ready.accessTokens.admin)
    expect(
      (await runChild(words, { env: { BUILDWIRE_CONFIG_DIR: join(home, 'k.pem') } })).code,
    ).toBe(78)
  })
})
