import { execFileSync } from 'node:child_process'
import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  verify,
  webcrypto,
} from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigner, generateSigningKey, publicJwks } from '@buildwire/sdk'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { printed } from '../support/secrets.js'
import { failure } from './support/failure.js'

let rsa: KeyObject
let ec: KeyObject
const input = new TextEncoder().encode('header.payload')

beforeAll(() => {
  rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
})

const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1'): string =>
  key.export({ format: 'pem', type }).toString()

async function signsAs(
  key: KeyObject,
  signer: Awaited<ReturnType<typeof createSigner>>,
): Promise<void> {
  const signature = await signer.sign(input)
  const publicKey = createPublicKey(key)
  const checked =
    signer.alg === 'ES256' ? ({ key: publicKey, dsaEncoding: 'ieee-p1363' } as const) : publicKey
  expect(verify('sha256', input, checked, signature)).toBe(true)
  expect(signature).toHaveLength(signer.alg === 'ES256' ? 64 : 256)
}

describe('K1 keys that work', () => {
  test('PKCS#8, PKCS#1, SEC1 and encrypted PEM', async () => {
    await signsAs(rsa, await createSigner({ key: pem(rsa, 'pkcs8') }))
    await signsAs(rsa, await createSigner({ key: pem(rsa, 'pkcs1') }))
    await signsAs(ec, await createSigner({ key: pem(ec, 'sec1') }))
    await signsAs(ec, await createSigner({ key: pem(ec, 'pkcs8') }))
    const passphrase = 'open sesame'
    const locked = ec
      .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase })
      .toString()
    await signsAs(ec, await createSigner({ key: locked, passphrase }))
    const old = rsa
      .export({ format: 'pem', type: 'pkcs1', cipher: 'aes-128-cbc', passphrase })
      .toString()
    await signsAs(rsa, await createSigner({ key: old, passphrase }))
  })

  test('PEM as environment variables have it, with a parameter block before it, and as bytes', async () => {
    await signsAs(ec, await createSigner({ key: pem(ec, 'pkcs8').replaceAll('\n', '\\n') }))
    const parameters =
      '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
    await signsAs(ec, await createSigner({ key: parameters + pem(ec, 'sec1') }))
    await signsAs(ec, await createSigner({ key: new TextEncoder().encode(pem(ec, 'sec1')) }))
  })

  test('DER in each form, encrypted too', async () => {
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      await signsAs(rsa, await createSigner({ key: rsa.export({ format: 'der', type }) }))
    }
    await signsAs(
      ec,
      await createSigner({ key: new Uint8Array(ec.export({ format: 'der', type: 'sec1' })) }),
    )
    const locked = ec.export({
      format: 'der',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'p',
    })
    await signsAs(ec, await createSigner({ key: locked, passphrase: 'p' }))
  })

  test('a JWK, as object and as text, is copied and not frozen; its kid and alg count', async () => {
    const jwk = {
      ...ec.export({ format: 'jwk' }),
      kid: 'from-jwk',
      alg: 'ES256',
      use: 'sig',
      key_ops: ['sign'],
    }
    const signer = await createSigner({ key: jwk })
    await signsAs(ec, signer)
    expect(signer.kid).toBe('from-jwk')
    expect(Object.isFrozen(jwk)).toBe(false)
    jwk.d = 'changed afterwards'
    await signsAs(ec, signer)
    const text = JSON.stringify({ ...rsa.export({ format: 'jwk' }), kid: 'r' })
    await signsAs(rsa, await createSigner({ key: text }))
    expect((await createSigner({ key: text, kid: 'given' })).kid).toBe('given')
  })

  test('KeyObject and CryptoKey, extractable or not', async () => {
    await signsAs(rsa, await createSigner({ key: rsa }))
    for (const extractable of [true, false]) {
      const pkcs8 = ec.export({ format: 'der', type: 'pkcs8' })
      const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
      const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, extractable, ['sign'])
      await signsAs(ec, await createSigner({ key }))
    }
  })

  test('the key is imported once, however often it signs, and cannot be read back', async () => {
    const imports = vi.spyOn(crypto.subtle, 'importKey')
    const signer = await createSigner({ key: rsa })
    await Promise.all([signer.sign(input), signer.sign(input), signer.sign(input)])
    expect(imports).toHaveBeenCalledTimes(1)
    expect(imports.mock.calls[0]?.[3]).toBe(false)
    imports.mockRestore()
  })
})

describe('K1 keys that are refused with the reason', () => {
  test('a certificate, by PEM and by DER', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'buildwire-keys-'))
    const file = join(folder, 'certificate.pem')
    const key = join(folder, 'key.pem')
    const args =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=ci.example'.split(' ')
    try {
      execFileSync('openssl', [...args, '-keyout', key, '-out', file], { stdio: 'ignore' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      context.skip('skipped: openssl is not installed')
    }
    const certificate = readFileSync(file, 'utf8')
    const der = Buffer.from(certificate.replace(/-----.*-----|\s/g, ''), 'base64')
    for (const given of [certificate, der]) {
      expect(await failure(createSigner({ key: given }))).toMatchObject({
        message: expect.stringContaining('certificate'),
      })
    }
    // A bundle of both serves: the private key is what is asked for.
    expect((await createSigner({ key: certificate + readFileSync(key, 'utf8') })).alg).toBe('ES256')
  })
})

describe('fresh keys and key sets', () => {
  test.each(['RS256', 'ES256'] as const)(
    'generateSigningKey makes a %s key that signs, with its thumbprint as kid',
    async (alg) => {
      const key = await generateSigningKey({ alg, modulusLength: 2048 })
      expect(key.alg).toBe(alg)
      expect(key.kid).toMatch(/^[\w-]{43}$/)
      const again = await createSigner({ key: key.revealPem(), kid: key.kid })
      expect(again.publicJwk).toEqual(key.publicJwk)
      expect((await createSigner({ key: key.revealJwk() })).kid).toBe(key.kid)
      const signature = await key.signer.sign(input)
      const publicKey = createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' })
      expect(
        verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature),
      ).toBe(true)
    },
  )

  test('publicJwks holds no private member, and every key has kid, alg and use', async () => {
    const signers = [await createSigner({ key: rsa }), await createSigner({ key: ec, kid: 'new' })]
    const { keys } = publicJwks(signers)
    expect(keys.map(({ alg, use }) => [alg, use])).toEqual([
      ['RS256', 'sig'],
      ['ES256', 'sig'],
    ])
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    ])
    expect(keys[1]?.kid).toBe('new')
  })

  test('no private half is printed', async () => {
    const key = await generateSigningKey({ alg: 'ES256' })
    const { d = '' } = key.revealJwk()
    const body = key.revealPem().split('\n')[1] ?? ''
    for (const value of [key, key.signer, publicJwks([key])]) {
      expect(printed(value)).not.toContain(d)
      expect(printed(value)).not.toContain(body)
    }
  })
})
