import { createPrivateKey } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '../support/run-cli.js'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ci-keys-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const path = (name: string) => join(home, name)
const generate = (...flags: string[]) => runCli(['keys', 'generate', ...flags], { home })

interface Jwks {
  readonly keys: readonly Record<string, string>[]
}

describe('keys generate', () => {
  test('writes the private key to a new file of mode 0600, and only the public set to stdout', async () => {
    const { code, stdout, stderr } = await generate('--out', path('k.pem'))
    const { keys } = JSON.parse(stdout) as Jwks
    expect(code).toBe(0)
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
    expect((await stat(path('k.pem'))).mode & 0o777).toBe(0o600)
    expect(createPrivateKey(await readFile(path('k.pem'), 'utf8')).asymmetricKeyType).toBe('ec')
    expect(stderr).toContain(path('k.pem'))
  })

  test('makes an rsa key with a given kid, as JWK', async () => {
    const flags = [
      '--type',
      'rsa',
      '--bits',
      '2048',
      '--kid',
      'release 1',
      '--format',
      'jwk',
      '--out',
      path('k.json'),
    ]
    const { stdout } = await generate(...flags)
    const { keys } = JSON.parse(stdout) as Jwks
    expect(keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', kid: 'release 1' })
    expect(keys[0]?.d).toBeUndefined()
    expect(JSON.parse(await readFile(path('k.json'), 'utf8'))).toMatchObject({
      kty: 'RSA',
      kid: 'release 1',
    })
  })

  test('replaces an existing file only with --force, and never writes through a link', async () => {
    await writeFile(path('k.pem'), 'mine')
    expect((await generate('--out', path('k.pem'))).code).toBe(2)
    expect(await readFile(path('k.pem'), 'utf8')).toBe('mine')
    expect((await generate('--out', path('k.pem'), '--force')).code).toBe(0)
    expect(await readFile(path('k.pem'), 'utf8')).toContain('PRIVATE KEY')
    await writeFile(path('target'), 'target')
    await symlink(path('target'), path('link.pem'))
    expect((await generate('--out', path('link.pem'), '--force')).code).toBe(2)
    expect(await readFile(path('target'), 'utf8')).toBe('target')
  })

  test('--jwks adds the key to the set; a kid that exists is exit 2, and no key is written', async () => {
    const first = (await generate('--out', path('a.pem'), '--kid', 'a')).stdout
    await writeFile(path('jwks.json'), first)
    const { stdout, stderr } = await generate(
      '--out',
      path('b.pem'),
      '--kid',
      'b',
      '--jwks',
      path('jwks.json'),
    )
    expect((JSON.parse(stdout) as Jwks).keys.map(({ kid }) => kid)).toEqual(['a', 'b'])
    expect(stderr).toContain('for an hour')
    expect(await readFile(path('jwks.json'), 'utf8')).toBe(stdout)
    const taken = await generate('--out', path('c.pem'), '--kid', 'a', '--jwks', path('jwks.json'))
    expect(taken.code).toBe(2)
    await expect(stat(path('c.pem'))).rejects.toThrow()
  })

  test('--jwks makes the file of a first key; if it cannot, the private key is removed', async () => {
    const { code, stdout, stderr } = await generate(
      '--out',
      path('a.pem'),
      '--jwks',
      path('jwks.json'),
    )
    expect(code).toBe(0)
    expect(stderr).toContain(`Public set: ${path('jwks.json')}\n`)
    expect(stderr).not.toContain('for an hour')
    expect(await readFile(path('jwks.json'), 'utf8')).toBe(stdout)
    expect((await stat(path('jwks.json'))).mode & 0o777).toBe(0o644)
    const failed = await generate('--out', path('b.pem'), '--jwks', path('no/jwks.json'))
    expect(failed).toMatchObject({ code: 78, stdout: '' })
    await expect(stat(path('b.pem'))).rejects.toThrow()
  })

  test.each([
    ['not JSON', '{'],
    ['no set', '[]'],
    ['a private key', '{"keys":[{"kty":"EC","d":"secret-part"}]}'],
  ])('--jwks with %s is exit 2', async (_, text) => {
    await writeFile(path('jwks.json'), text)
    const { code, stderr } = await generate('--out', path('k.pem'), '--jwks', path('jwks.json'))
    expect(code).toBe(2)
    expect(stderr).not.toContain('secret-part')
  })

  test('--bits needs --type rsa and a valid size', async () => {
    expect((await generate('--bits', '2048', '--out', path('k.pem'))).code).toBe(2)
    expect((await generate('--type', 'rsa', '--bits', '2500', '--out', path('k.pem'))).code).toBe(2)
  })

  test('a missing directory is exit 78', async () => {
    expect((await generate('--out', path('no/k.pem'))).code).toBe(78)
  })
})
