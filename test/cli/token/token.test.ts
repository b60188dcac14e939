import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchangeFor } from '../../support/control-client.js'
import { runCli } from '../support/run-cli.js'
import { workshopOfTest } from '../support/workshop.js'

const shop = workshopOfTest()
let home: string
let key: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ci-token-'))
  key = join(home, 'signing.pem')
  const { stdout } = await runCli(['keys', 'generate', '--out', key, '--kid', 'k1'], { home })
  await shop.control.apply(exchangeFor(JSON.parse(stdout), ['read_builds', 'read_user']))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const SUBJECT = ['--subject', 'sam@acme.example', '--client-id', 'bot']
const mint = (...flags: string[]) =>
  shop.run(['token', 'mint', ...SUBJECT, '--key', key, '--kid', 'k1', ...flags], {
    home,
    env: { BUILDWIRE_TOKEN: '' },
  })
const exchanges = () => shop.control.requests.find({ match: { operation: 'oauth.token' } })

describe('token mint', () => {
  test('prints a token that acts as the subject, and nothing else', async () => {
    const { code, stdout, stderr } = await mint()
    expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 2 })
    expect(stderr).not.toContain(stdout.trim())
    const inspected = await shop.run(['token', 'inspect', '--json'], { stdin: stdout })
    expect(JSON.parse(inspected.stdout)).toMatchObject({
      scopes: ['read_builds'],
      user: { email: 'sam@acme.example' },
    })
  })

  test('prints the form of --format or --json', async () => {
    expect((await mint('--format', 'env')).stdout).toMatch(/^export BUILDWIRE_TOKEN=\S+\n$/u)
    expect((await mint('--format', 'header')).stdout).toMatch(/^Authorization: Bearer \S+\n$/u)
    const json = JSON.parse(
      (await mint('--format', 'json', '--expires-in', '5m', '--scope', 'read_user')).stdout,
    ) as object
    expect(json).toMatchObject({ expires_in: 300, scope: 'read_user', token_type: 'Bearer' })
    expect(JSON.parse((await mint('--json')).stdout)).toMatchObject({ token_type: 'Bearer' })
    expect((await mint('--json', '--format', 'env')).code).toBe(2)
  })

  test('--dry-run shows the request with its signature masked, and sends nothing', async () => {
    const { code, stdout } = await mint('--dry-run')
    const shown = JSON.parse(stdout) as {
      form: Record<string, string>
      claims: object
      header: object
    }
    expect(code).toBe(0)
    expect(shown.header).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'k1' })
    expect(shown.claims).toMatchObject({
      iss: 'bot',
      sub: 'bot',
      aud: `${shop.baseUrl}/oauth/token`,
    })
    expect(shown.form).toMatchObject({ audience: 'acme', subject_token: 'sam@acme.example' })
    expect(shown.form.client_assertion).toMatch(/\.\[redacted\]$/u)
    expect(Object.keys(JSON.parse((await mint('--assertion-only')).stdout) as object)).toEqual([
      'header',
      'claims',
    ])
    expect(await exchanges()).toEqual([])
  })

  test('reads the key from a file, stdin or a variable, and warns of a file that others can read', async () => {
    const text = await readFile(key, 'utf8')
    const argv = ['token', 'mint', ...SUBJECT, '--kid', 'k1']
    const env = { BUILDWIRE_TOKEN: '' }
    expect((await shop.run([...argv, '--key', '-'], { home, env, stdin: text })).code).toBe(0)
    expect(
      (await shop.run(argv, { home, env: { ...env, BUILDWIRE_PRIVATE_KEY: text } })).code,
    ).toBe(0)
    const oneLine = text.replaceAll('\n', '\\n')
    expect(
      (await shop.run(argv, { home, env: { ...env, BUILDWIRE_PRIVATE_KEY: oneLine } })).code,
    ).toBe(0)
    const wrapped = (
      Buffer.from(text)
        .toString('base64')
        .match(/.{1,76}/gu) ?? []
    ).join('\n')
    expect(
      (await shop.run(argv, { home, env: { ...env, BUILDWIRE_PRIVATE_KEY: wrapped } })).code,
    ).toBe(0)
    for (const path of [key, './signing.pem', 'C:\\keys\\signing.jwk', 'signing.pem']) {
      const { code, stderr } = await shop.run(argv, {
        home,
        env: { ...env, BUILDWIRE_PRIVATE_KEY: path },
      })
      expect({ code, stderr }).toEqual({
        code: 78,
        stderr: expect.stringContaining('holds a path, not a key'),
      })
    }
    await chmod(key, 0o644)
    const open = await shop.run(argv, { home, env: { ...env, BUILDWIRE_PRIVATE_KEY_FILE: key } })
    expect(open.code).toBe(0)
    expect(open.stderr).toContain('can be read by other users')
  })

  test.each([
    [['--client-id', 'bot'], '--subject'],
    [['--subject', 'sam@acme.example'], '--client-id'],
    [SUBJECT, '--key'],
  ])('%o is exit 2 and names %s', async (flags, missing) => {
    const { code, stderr } = await shop.run(['token', 'mint', ...flags], {
      home,
      env: { BUILDWIRE_TOKEN: '' },
    })
    expect(code).toBe(2)
    expect(stderr).toContain(missing)
  })

  test('without an organization it names the flag', async () => {
    const env = { BUILDWIRE_TOKEN: '', BUILDWIRE_ORG: '', BUILDWIRE_PIPELINE: '' }
    const { code, stderr } = await shop.run(['token', 'mint', ...SUBJECT, '--key', key], {
      home,
      env,
    })
    expect(code).toBe(2)
    expect(stderr).toContain('--org')
  })

  test('a refused scope exits with 7, a wrong key with 4', async () => {
    expect((await mint('--scope', 'write_builds')).code).toBe(7)
    const other = join(home, 'other.pem')
    await runCli(['keys', 'generate', '--out', other], { home })
    const argv = ['token', 'mint', ...SUBJECT, '--key', other]
    expect((await shop.run(argv, { home, env: { BUILDWIRE_TOKEN: '' } })).code).toBe(4)
  })

  test('a text that is not a key is refused and not printed', async () => {
    await writeFile(key, 'this-is-not-a-key-but-still-a-secret')
    const { code, stderr } = await mint()
    expect(code).toBe(2)
    expect(stderr).not.toContain('this-is-not-a-key')
  })
})

describe('token inspect', () => {
  test('--offline decodes the token without a request', async () => {
    const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJib3QifQ.c2lnbmF0dXJl'
    const { stdout } = await shop.run(['token', 'inspect', '--offline', '--json'], { stdin: jwt })
    expect(JSON.parse(stdout)).toEqual({
      form: 'jwt',
      header: { alg: 'ES256' },
      claims: { iss: 'bot' },
    })
    const opaque = await shop.run(['token', 'inspect', '--offline', '--json'], {
      stdin: 'bwua_123456',
    })
    expect(JSON.parse(opaque.stdout)).toEqual({ form: 'opaque', length: 11 })
  })

  test('a token that the server refuses is exit 4', async () => {
    expect((await shop.run(['token', 'inspect'], { stdin: 'bwua_unknown_token' })).code).toBe(4)
  })

  test('prints columns that fit on a terminal, and lines in a pipe', async () => {
    const terminals = ['stdout', 'stderr'] as const
    const argv = ['token', 'inspect', '--no-color']
    const { stdout } = await shop.run(argv, { stdin: shop.token, columns: 60, terminals })
    expect(stdout).toMatch(/^ {2}user {9}\S+@\S+\n {2}scopes {7}read_builds /u)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect((await shop.run(argv, { stdin: shop.token })).stdout).toMatch(
      /^user: \S+@\S+\nscopes: read_builds /u,
    )
  })
})
