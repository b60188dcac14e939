import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { type AssertionSigner, ConfigError, ecdsaDerToJose, TokenExchange } from '@buildwire/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failure } from './support/failure.js'
import { scripted } from './support/scripted-transport.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const data = new TextEncoder().encode('signed by a key service')

function exchangeWith(sign: AssertionSigner['sign']) {
  const script = scripted({ json: {} })
  const exchange = new TokenExchange(
    { client_id: 'app', subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email' },
    { authUrl: 'https://auth.ci.example', transport: script.transport, signer: { alg: 'ES256', sign } },
  )
  return { ...script, run: () => exchange.exchange({ subject_token: 'ada@acme.example', audience: 'acme' }) }
}

test('K2 a key service that returns DER for ES256 is refused with the advice, and nothing is sent', async () => {
  const { asked, run } = exchangeWith(async (input) => sign('sha256', input, privateKey))
  const error = await failure(run())
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toContain('pass it through ecdsaDerToJose')
  expect(asked).toHaveLength(0)
})

test('K2 the same signature is right after ecdsaDerToJose', async () => {
  const { asked, run } = exchangeWith(async (input) => ecdsaDerToJose(sign('sha256', input, privateKey)))
  await failure(run()) // the scripted answer holds no token
  const [header = '', payload = '', signature = ''] = (asked[0]?.form.get('client_assertion') ?? '').split('.')
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
})

test('every DER signature becomes 64 bytes that verify', () => {
  for (let round = 0; round < 200; round++) {
    const jose = ecdsaDerToJose(sign('sha256', data, privateKey))
    expect(jose).toHaveLength(64)
    expect(verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, jose)).toBe(true)
  }
})

test('short integers are padded on the left', () => {
  const jose = ecdsaDerToJose(Uint8Array.of(0x30, 0x07, 0x02, 0x02, 0x00, 0x80, 0x02, 0x01, 0x05))
  expect([jose[31], jose[63]]).toEqual([0x80, 0x05])
  expect(jose.filter((byte) => byte !== 0)).toHaveLength(2)
})

const bad: [string, number[], string][] = [
  ['empty', [], 'one SEQUENCE that fills the input'],
  ['one byte', [0x30], 'one SEQUENCE that fills the input'],
  ['no sequence', [0x31, 0x06, 2, 1, 1, 2, 1, 1], 'one SEQUENCE that fills the input'],
  ['a length that is too long', [0x30, 0x07, 2, 1, 1, 2, 1, 1], 'one SEQUENCE that fills the input'],
  ['bytes behind it', [0x30, 0x06, 2, 1, 1, 2, 1, 1, 0], 'one SEQUENCE that fills the input'],
  ['a sequence of nothing', [0x30, 0x00], 'two INTEGERs'],
  ['one integer', [0x30, 0x03, 2, 1, 1], 'two INTEGERs'],
  ['another type', [0x30, 0x06, 3, 1, 1, 2, 1, 1], 'two INTEGERs'],
  ['a type without a length', [0x30, 0x04, 2, 1, 1, 2], 'two INTEGERs'],
  ['an empty integer', [0x30, 0x05, 2, 0, 2, 1, 1], 'two INTEGERs'],
  ['an integer that ends early', [0x30, 0x06, 2, 9, 1, 2, 1, 1], 'two whole INTEGERs'],
  ['a third integer', [0x30, 0x09, 2, 1, 1, 2, 1, 1, 2, 1, 1], 'exactly two INTEGERs'],
  ['a negative integer', [0x30, 0x06, 2, 1, 0x80, 2, 1, 1], 'positive INTEGERs'],
  ['zero', [0x30, 0x06, 2, 1, 0, 2, 1, 1], 'INTEGERs above zero'],
  ['padding that is not needed', [0x30, 0x07, 2, 2, 0, 1, 2, 1, 1], 'INTEGERs in their shortest form'],
  ['33 bytes', [0x30, 38, 2, 33, ...Array(33).fill(1), 2, 1, 1], 'INTEGERs of at most 32 bytes (a P-256 key)'],
]

test.each(bad)('%s is refused', (_, bytes, expected) => {
  const message = `The signature is not a DER ECDSA signature: expected ${expected}`
  expect(() => ecdsaDerToJose(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ option: 'der', message }))
})

test('a text is refused', () => {
  expect(() => ecdsaDerToJose('MAYCAQECAQE=' as never)).toThrow(
    expect.objectContaining({ option: 'der', message: 'der must be the signature as bytes (Uint8Array)' }),
  )
})

test('no input does anything but 64 bytes or a ConfigError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      try {
        expect(ecdsaDerToJose(bytes)).toHaveLength(64)
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError)
      }
    }),
  )
})
