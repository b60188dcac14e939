import {
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  webcrypto,
} from 'node:crypto'
import { ConfigError, createSigner, generateSigningKey, publicJwks } from '@buildwire/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { privateKeyBlock, refuseUnfitJwk } from '../../../sdk/src/oauth/key-form.js'
import { failure } from './support/failure.js'

const fits = 'give an RSA private key of at least 2048 bits (RS256) or a P-256 private key (ES256)'
const block = (label: string, head = ''): string =>
  `-----BEGIN ${label}-----\n${head}AAAA\n-----END ${label}-----`

let ec: KeyObject

beforeAll(() => {
  ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
})

describe('the private key in a PEM text', () => {
  test.each([
    [
      block('OPENSSH PRIVATE KEY'),
      'The key is an OpenSSH file; convert with ssh-keygen -p -m PKCS8 -f <file>, or give PEM (PKCS#8, PKCS#1 or SEC1)',
    ],
    [block('CERTIFICATE'), `The key is a certificate, which holds a public key only; ${fits}`],
    [block('PUBLIC KEY'), `The key is a public key; ${fits}`],
    [block('PGP PRIVATE KEY BLOCK'), `The key is an OpenPGP key; ${fits}`],
    [block('DH PARAMETERS'), `The PEM text holds no private key but DH PARAMETERS; ${fits}`],
    ['ssh-rsa AAAA ada@acme.example', `The key is a public key in OpenSSH form; ${fits}`],
    ['\n  ssh-ed25519 AAAA', `The key is a public key in OpenSSH form; ${fits}`],
  ])('is missed in %j', (text, message) => {
    expect(() => privateKeyBlock(text)).toThrow(expect.objectContaining({ option: 'key', message }))
  })
})

describe('a JWK', () => {
  const jwk = { kty: 'EC', d: 'AA' }

  test.each([
    [{ keys: [jwk] }, 'The key is a JWK set; give one private key of it'],
    [{}, `The key is an object without \`kty\`, so it is not a JWK; ${fits}`],
    [{ kty: 'oct' }, `The key is a symmetric key; ${fits}`],
    [{ kty: 'OKP', d: 'AA' }, `The key is a JWK of type OKP; ${fits}`],
    [{ kty: 'RSA' }, `The key is a public JWK (it has no \`d\`); ${fits}`],
    [{ ...jwk, use: 'enc' }, `The JWK is not for signatures (\`use\` is not "sig"); ${fits}`],
    [{ ...jwk, key_ops: [] }, `The JWK is not for signing (\`key_ops\` lacks "sign"); ${fits}`],
    [{ ...jwk, alg: 'PS256' }, `The JWK is for PS256; ${fits}`],
  ])('%j is refused', (given, message) => {
    expect(() => refuseUnfitJwk(given)).toThrow(expect.objectContaining({ option: 'key', message }))
  })
})

describe('a key that cannot sign here says what it is', () => {
  const jwkOf = (key: KeyObject): webcrypto.JsonWebKey => key.export({ format: 'jwk' })
  const spki = (): Buffer =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
      format: 'der',
      type: 'spki',
    })

  test.each<[string, () => Parameters<typeof createSigner>[0], string]>([
    [
      'a list',
      () => ({ key: [] as never }),
      `The key is neither text, bytes, a JWK nor a key object; ${fits}`,
    ],
    [
      'null',
      () => ({ key: null as never }),
      `The key is neither text, bytes, a JWK nor a key object; ${fits}`,
    ],
    [
      'a PEM in base64',
      () => ({ key: btoa(block('PRIVATE KEY')) }),
      'The key is in base64; give what it decodes to',
    ],
    [
      'a JWK in base64',
      () => ({ key: btoa('{"kty":"EC"}') }),
      'The key is in base64; give what it decodes to',
    ],
    [
      'a path',
      () => ({ key: '/etc/ci/key' }),
      'The key looks like the path of a file; give what the file holds',
    ],
    [
      'a name',
      () => ({ key: 'ci.pem\n' }),
      'The key looks like the path of a file; give what the file holds',
    ],
    [
      'a text',
      () => ({ key: 'hunter2' }),
      `The key is a text that is neither PEM nor a JWK; ${fits}`,
    ],
    [
      'broken JSON',
      () => ({ key: ' {"kty"' }),
      `The key looks like a JWK but is not valid JSON; ${fits}`,
    ],
    [
      'a damaged JWK',
      () => ({ key: { kty: 'RSA', d: 'A' } }),
      'The JWK is damaged: a member is missing or does not decode; ',
    ],
    [
      'P-384 as JWK',
      () => ({ key: { kty: 'EC', crv: 'P-384', d: 'A' } }),
      `The key is on the curve P-384; ${fits}`,
    ],
    ['a damaged PEM', () => ({ key: block('PRIVATE KEY') }), `The PEM text is damaged; ${fits}`],
    [
      'bytes',
      () => ({ key: new Uint8Array([0x31, 0]) }),
      `The key is a run of bytes that is neither PEM nor DER; ${fits}`,
    ],
    ['a DER public key', () => ({ key: spki() }), `The key is a public key; ${fits}`],
    [
      'a DER PKCS#1 public key',
      () => ({
        key: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
          format: 'der',
          type: 'pkcs1',
        }),
      }),
      `The key is a public key; ${fits}`,
    ],
    [
      'a public KeyObject',
      () => ({ key: createPublicKey(ec) }),
      `The key is a public key; ${fits}`,
    ],
    [
      'a JWK set',
      () => ({ key: '{"keys":[]}' }),
      'The key is a JWK set; give one private key of it',
    ],
    [
      'a secret',
      () => ({ key: createSecretKey(Buffer.alloc(32)) }),
      `The key is a symmetric key; ${fits}`,
    ],
    [
      'Ed25519',
      () => ({ key: generateKeyPairSync('ed25519').privateKey }),
      `The key is of type ed25519; ${fits}`,
    ],
    [
      'secp256k1',
      () => ({ key: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey }),
      `The key is on the curve secp256k1; ${fits}`,
    ],
    [
      'RSA-PSS',
      () => ({ key: generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey }),
      `The key is an RSA-PSS key; ${fits}`,
    ],
    [
      'RSA of 1024 bits',
      () => ({ key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey }),
      `The RSA key has 1024 bits; ${fits}`,
    ],
  ])('%s', async (_, source, message) => {
    const error = await failure(createSigner(source()))
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({ option: 'key', message: expect.stringContaining(message) })
  })

  test('an encrypted one asks for its passphrase, and says when that does not open it', async () => {
    const cipher = { cipher: 'aes-256-cbc', passphrase: 'right' }
    const pem = ec.export({ format: 'pem', type: 'pkcs8', ...cipher }).toString()
    const der = ec.export({ format: 'der', type: 'pkcs8', ...cipher })
    for (const key of [pem, der, Buffer.from(pem), new Uint8Array([0x30, 0])]) {
      expect(await failure(createSigner({ key }))).toMatchObject({
        option: 'passphrase',
        message: 'The key is encrypted (or damaged); give its passphrase',
      })
      expect(await failure(createSigner({ key, passphrase: 'wrong' }))).toMatchObject({
        option: 'passphrase',
        message: 'The passphrase does not open the key, or the key is damaged',
      })
    }
  })

  test('a CryptoKey that may not sign, or not so', async () => {
    const generate = async (
      algorithm: object,
      usages: webcrypto.KeyUsage[],
    ): Promise<webcrypto.CryptoKeyPair> =>
      (await webcrypto.subtle.generateKey(
        algorithm as webcrypto.EcKeyGenParams,
        true,
        usages,
      )) as webcrypto.CryptoKeyPair
    const rsaShape = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
    const cases = [
      [
        { name: 'RSA-PSS', hash: 'SHA-256', ...rsaShape },
        ['sign', 'verify'],
        `The key is an RSA-PSS key; ${fits}`,
      ],
      [
        { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512', ...rsaShape },
        ['sign', 'verify'],
        `The CryptoKey signs with SHA-512; ${fits}`,
      ],
      [
        { name: 'ECDH', namedCurve: 'P-256' },
        ['deriveBits'],
        `The CryptoKey may not sign (its usages lack "sign"); ${fits}`,
      ],
    ] as const
    for (const [algorithm, usages, message] of cases) {
      const { privateKey } = await generate(algorithm, [...usages])
      expect(await failure(createSigner({ key: privateKey }))).toMatchObject({
        option: 'key',
        message,
      })
    }
    const { publicKey } = await generate({ name: 'ECDSA', namedCurve: 'P-256' }, ['sign', 'verify'])
    expect(await failure(createSigner({ key: publicKey }))).toMatchObject({
      message: `The key is a public key; ${fits}`,
    })
    const { privateKey } = await generate(
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', ...rsaShape },
      ['sign', 'verify'],
    )
    expect((await createSigner({ key: privateKey })).alg).toBe('RS256')
  })

  test('alg and kid are checked by name', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const refused = async (source: object) => failure(createSigner({ key: ec, ...source } as never))
    for (const [source, message] of [
      [{ alg: 'HS256' }, 'The algorithm HS256 is not accepted; use RS256 or ES256'],
      [{ alg: 'RS256' }, 'The algorithm RS256 does not fit the key, which signs with ES256'],
      [
        { key: { ...jwkOf(rsa), alg: 'ES256' } },
        'The algorithm ES256 does not fit the key, which signs with RS256',
      ],
    ] as const) {
      expect(await refused(source)).toMatchObject({ option: 'alg', message })
    }
    for (const kid of ['', 7]) {
      expect(await refused({ kid })).toMatchObject({
        option: 'kid',
        message: 'The key id must be a non-empty string',
      })
    }
    expect(await refused({ key: { ...jwkOf(ec), kid: '' } })).toMatchObject({ option: 'kid' })
    for (const alg of ['ES256', undefined])
      expect(await createSigner({ key: ec, alg } as never)).toMatchObject({ alg: 'ES256' })
  })
})

describe('fresh keys and sets', () => {
  test.each([2047, 8193, 2048.5, Number.NaN, '2048'])(
    'a modulus of %j bits is refused',
    async (modulusLength) => {
      expect(
        await failure(generateSigningKey({ alg: 'RS256', modulusLength: modulusLength as number })),
      ).toMatchObject({
        option: 'modulusLength',
        message: 'The modulus length must be 2048 to 8192 bits',
      })
    },
  )

  test('another algorithm is refused; a given kid stays', async () => {
    expect(await failure(generateSigningKey({ alg: 'EdDSA' as 'ES256' }))).toMatchObject({
      option: 'alg',
      message: 'The algorithm EdDSA is not accepted; use RS256 or ES256',
    })
    const key = await generateSigningKey({ alg: 'ES256', kid: 'mine' })
    expect([key.kid, key.publicJwk.kid, key.signer.kid, key.revealJwk().kid]).toEqual(
      Array(4).fill('mine'),
    )
    expect(key.revealJwk()).toMatchObject({ alg: 'ES256', use: 'sig', kty: 'EC', crv: 'P-256' })
    expect(key.revealPem()).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  })

  test('an RSA key has 3072 bits unless told otherwise, and the exponent 65537', async () => {
    const { publicJwk } = await generateSigningKey({ alg: 'RS256' })
    expect(Buffer.from(publicJwk.n ?? '', 'base64url')).toHaveLength(384)
    expect(publicJwk).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB' })
    const longer = await generateSigningKey({ alg: 'RS256', modulusLength: 2048 })
    expect(Buffer.from(longer.publicJwk.n ?? '', 'base64url')).toHaveLength(256)
  })

  test('a set needs public halves with different names', async () => {
    const signer = await createSigner({ key: ec, kid: 'same' })
    expect(() => publicJwks([{}])).toThrow(
      expect.objectContaining({
        option: 'signers',
        message: expect.stringContaining('A signer has no publicJwk; export'),
      }),
    )
    expect(() => publicJwks([signer, signer])).toThrow(
      expect.objectContaining({ option: 'signers', message: 'Two keys share the kid "same"' }),
    )
    expect(publicJwks([])).toEqual({ keys: [] })
  })
})
