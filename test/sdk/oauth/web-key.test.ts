import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  verify,
  webcrypto,
} from 'node:crypto'
import { CiClient, fetchTransport } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { undiciTransport } from '../../../sdk/src/http/fetch-only.js'
import { webCrypto } from '../../../sdk/src/oauth/key-form.js'
import { readKey } from '../../../sdk/src/oauth/web-key.js'
import { rejection } from '../support/client.js'
import { failure } from './support/failure.js'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1'): string =>
  key.export({ format: 'pem', type }).toString()
const usable = async (key: KeyObject, extractable: boolean): Promise<webcrypto.CryptoKey> => {
  const algorithm = key === ec ? webCrypto.ES256 : webCrypto.RS256
  const der = key.export({ format: 'der', type: 'pkcs8' })
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, extractable, ['sign'])
}

describe('without node:crypto', () => {
  test.each<[string, KeyObject, () => unknown]>([
    ['PKCS#8 PEM, EC', ec, () => pem(ec, 'pkcs8')],
    ['PKCS#8 PEM, RSA', rsa, () => pem(rsa, 'pkcs8')],
    ['PKCS#8 DER', ec, () => new Uint8Array(ec.export({ format: 'der', type: 'pkcs8' }))],
    ['a JWK', rsa, () => rsa.export({ format: 'jwk' })],
    ['a JWK as text', ec, () => JSON.stringify(ec.export({ format: 'jwk' }))],
    ['a CryptoKey', rsa, () => usable(rsa, true)],
    ['a CryptoKey that stays inside', ec, () => usable(ec, false)],
  ])('%s is read', async (_, own, given) => {
    const { alg, jwk, handle } = await readKey({ key: (await given()) as string })
    const shape = webCrypto[alg]
    const key =
      (handle as webcrypto.CryptoKey | undefined) ??
      (await webcrypto.subtle.importKey('jwk', { ...jwk } as webcrypto.JsonWebKey, shape, false, [
        'sign',
      ]))
    const input = new TextEncoder().encode('input')
    const signature = new Uint8Array(await webcrypto.subtle.sign(shape, key, input))
    const checked = { key: createPublicKey(own), dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', input, checked, signature)).toBe(true)
  })

  test.each<[string, () => string | Uint8Array, RegExp]>([
    [
      'PKCS#1',
      () => pem(rsa, 'pkcs1'),
      /^The key is PKCS#1 or SEC1, .*; convert it: openssl pkcs8 -topk8 -nocrypt/,
    ],
    ['SEC1', () => pem(ec, 'sec1'), /^The key is PKCS#1 or SEC1, .*; convert it: openssl pkcs8/],
    [
      'an encrypted key',
      () =>
        ec
          .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'p' })
          .toString(),
      /^The key is encrypted, .*; convert it: openssl pkcs8/,
    ],
    [
      'another curve',
      () => pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, 'pkcs8'),
      /convert it/,
    ],
    [
      'a short key',
      () => pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, 'pkcs8'),
      /has 1024 bits/,
    ],
    [
      'damage',
      () => '-----BEGIN PRIVATE KEY-----\n#\n-----END PRIVATE KEY-----',
      /^The PEM text is damaged/,
    ],
    [
      'bytes',
      () => new Uint8Array([1, 2, 3]),
      /^The key is not a PKCS#8 RSA or P-256 key, or it is damaged/,
    ],
  ])('%s is refused with what to do', async (_, key, message) => {
    expect(await failure(readKey({ key: key() }))).toMatchObject({
      option: 'key',
      message: expect.stringMatching(message),
    })
  })
})

test('where there is neither undici nor fetch, nothing is sent and the error says so', async () => {
  expect(() => undiciTransport()).toThrow(expect.objectContaining({ code: 'config', sent: 'no' }))
  const ci = new CiClient({
    baseUrl: 'http://127.0.0.1:9',
    transport: fetchTransport(() => undefined as never),
  })
  expect(await rejection(ci.builds.list())).toMatchObject({
    code: 'config',
    option: 'transport',
    sent: 'no',
  })
})
