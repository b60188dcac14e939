import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMockServer, type MockServer, type Rule } from '@buildwire/mock-server'
import { operations } from '@buildwire/sdk/contract'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runProgram } from '../support/run-program.js'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const missing = ['curl', 'openssl', 'python3'].filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
)
if (missing.length > 0) console.log(`test/foreign: skipped: ${missing.join(', ')} not installed`)

let server: MockServer
let env: NodeJS.ProcessEnv
const folder = mkdtempSync(join(tmpdir(), 'foreign-'))
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

// Each run has its own server, because only the first client finds jobs to retry and to unblock.
beforeEach(async () => {
  server = createMockServer({ seed: 'demo' })
  await server.listen({ port: 0 })
  const { accessTokens, controlUrl } = await server.ready()
  const [suite] = await server.control.records.list({ collection: 'suites' })
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  })
  await server.control.apply({
    applications: [
      {
        kind: 'token_exchange',
        client_id: 'curl-bot',
        name: 'Curl',
        grantableScopes: ['read_user'],
        jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'curl-1', alg: 'RS256' }] },
      },
    ],
  })
  env = {
    PATH: process.env['PATH'],
    BASE_URL: server.baseUrl,
    AUTH_URL: server.authUrl,
    TOKEN: accessTokens['admin'],
    CONTROL_URL: controlUrl,
    CONTROL_TOKEN: server.controlToken,
    CLIENT_ID: 'demo-terminal',
    EXCHANGE_CLIENT_ID: 'curl-bot',
    PRIVATE_KEY_FILE: join(folder, 'key.pem'),
    ALG: 'RS256',
    KID: 'curl-1',
    SUBJECT: 'robin@acme.example',
    SUITE: String(suite?.['slug']),
  }
})
afterEach(() => server.close())
afterAll(() => rmSync(folder, { recursive: true }))

const run = (command: string, args: readonly string[]) => runProgram(command, args, { env })

describe.each([
  ['python3', 'habits.py'],
  ['ruby', 'habits.rb'],
])('habits of programs in %s', (program, script) => {
  const isHere = spawnSync(program, ['--version']).error === undefined
  const why = isHere ? '' : ` (skipped: ${program} is not installed)`
  const speak = async (dialect: 'documented' | 'recorded') => {
    await server.control.apply({ settings: { dialect } })
    env['DIALECT'] = dialect
    return run(program, [here(script)])
  }

  it.skipIf(!isHere).each(['documented', 'recorded'] as const)(
    `do no harm in the dialect %s${why}`,
    async (dialect) => {
      const { code, text } = await speak(dialect)
      expect(text).not.toContain('not ok')
      expect(code, text).toBe(0)
    },
  )

  it.skipIf(!isHere)(`need the special responses of the server${why}`, async () => {
    const link = '<http://ci.example/builds?branch=a,b&page=2>; rel="next"'
    const actions = [{ patchResponse: { headers: { link } } }]
    await server.control.rules.create({ match: { operation: 'builds.listForPipeline' }, actions })
    const { code, text } = await speak('documented')
    expect({ code, walked: text.includes('ok a Link that is split') }).toEqual({
      code: 1,
      walked: false,
    })
  })
})

describe.skipIf(missing.length > 0)('clients that we did not write', () => {
  it('curl performs every operation', async () => {
    const { code, text } = await run('sh', [here('curl.sh')])
    expect(text).not.toContain('not ok')
    expect(code, text).toBe(0)
    for (const id of Object.keys(operations)) expect(text, `no call of ${id}`).toContain(`ok ${id}`)
  })

  it('Python reads pages, writes, gets errors and logs in with its standard library', async () => {
    const { code, text } = await run('python3', [here('client.py')])
    expect(text).not.toContain('not ok')
    expect(code, text).toBe(0)
  })

  /**
   * With a rule that changes the responses of an operation, a client must fail and name the
   * operation.
   */
  async function failsWith(rule: Rule, command: string, args: readonly string[]): Promise<string> {
    const { id } = await server.control.rules.create(rule)
    try {
      const { code, text } = await run(command, args)
      expect(code, text).toBe(1)
      return text.trimEnd().split('\n').at(-1) ?? ''
    } finally {
      await server.control.rules.delete({ id })
    }
  }

  it.each(Object.entries(operations))(
    'curl fails if the response of %s is useless',
    async (operation, { status }) => {
      const nothing = { match: { operation }, actions: [{ respond: { status, json: {} } }] }
      expect(await failsWith(nothing, 'sh', [here('curl.sh')])).toMatch(/^not ok/)
    },
  )

  it.each<[what: string, operation: string, patch: object, line: string]>([
    [
      'a list without links',
      'builds.listForPipeline',
      { headers: { link: null } },
      'pages hold every build once',
    ],
    [
      'another build than asked for',
      'builds.get',
      { json: { message: 'another' } },
      'what was sent comes back',
    ],
    [
      'somebody else',
      'user.get',
      { json: { email: 'mina@acme.example' } },
      'the token acts for the user',
    ],
    [
      'another job than asked for',
      'jobs.get',
      { json: { state: 'passed' } },
      'a job is read alone',
    ],
    [
      'a job that still waits',
      'jobs.unblock',
      { json: { state: 'blocked' } },
      'a job that waits is unblocked',
    ],
    [
      'a create without its place',
      'builds.create',
      { headers: { location: null } },
      'create answers 201',
    ],
  ])('Python sees %s', async (_, operation, patchResponse, line) => {
    const rule = { match: { operation }, actions: [{ patchResponse }] }
    expect(await failsWith(rule, 'python3', [here('client.py')])).toContain(line)
  })
})
