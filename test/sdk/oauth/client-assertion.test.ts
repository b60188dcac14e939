import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { type AssertionSigner, ConfigError, ecdsaDerToJose } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { ada, assertionOf, httpDate, mint, scene, testSigner } from './support/exchange.js'
import { failure } from './support/failure.js'
import { type Reply, refusal } from './support/scripted-transport.js'

describe('the assertion', () => {
  const signs = (signature: unknown) => ({ ...testSigner, sign: async () => signature })
  const der = Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1)
  const bytes = 'The signer must return'
  const es256 = 'An ES256 signer must return the 64 bytes r‖s'
  const exchangeWith = (signer: unknown) => scene([mint()], { signer: signer as AssertionSigner })

  test.each<[string, unknown, string]>([
    [
      'no signer',
      () => undefined,
      'The signer must be { alg, kid?, sign(input) }; createSigner makes one from a key',
    ],
    ['another alg', { ...testSigner, alg: 'HS256' }, 'The signer must have the alg RS256 or ES256'],
    [
      'an empty kid',
      { ...testSigner, kid: '' },
      'The kid of the signer must be a non-empty string, or absent',
    ],
    [
      'a kid that is none',
      { ...testSigner, kid: 7 },
      'The kid of the signer must be a non-empty string, or absent',
    ],
    [
      'an empty signature',
      signs(new Uint8Array(0)),
      `${bytes} the signature as bytes (Uint8Array)`,
    ],
    ['a list of numbers', signs(Array(64).fill(1)), `${bytes} the signature as bytes (Uint8Array)`],
    ['a short ES256 signature', signs(new Uint8Array(63)), `${es256}; it returned 63 bytes`],
    [
      'a DER sequence for ES256',
      signs(der),
      `${es256}; it returned a DER sequence: pass it through ecdsaDerToJose`,
    ],
    [
      'a short RS256 signature',
      { alg: 'RS256', sign: async () => new Uint8Array(255) },
      'An RS256 signer must return at least 256 bytes; it returned 255',
    ],
  ])('of %s is refused, and nothing is sent', async (_, signer, message) => {
    const { exchange, asked } = exchangeWith(signer)
    const error = await failure(exchange.exchange(ada))
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({ option: 'signer', message })
    expect(asked).toHaveLength(0)
  })

  test('of an RS256 signer without a kid names none', async () => {
    const { exchange, asked } = exchangeWith({
      alg: 'RS256',
      sign: async () => new Uint8Array(256),
    })
    await exchange.exchange(ada)
    expect(assertionOf(asked[0]).header).toEqual({ alg: 'RS256', typ: 'JWT' })
  })

  test('counts whole seconds of the clock', async () => {
    const clock = new HandClock({ start: 1_770_000_000_999 })
    const { exchange, asked } = scene([mint()], { clock })
    await exchange.exchange(ada)
    expect(assertionOf(asked[0]).claims).toMatchObject({
      iat: 1_770_000_000 - 30,
      exp: 1_770_000_000 + 120,
    })
  })

  test('is signed as what is sent', async () => {
    const signed: string[] = []
    const sign = async (input: Uint8Array) => {
      signed.push(new TextDecoder().decode(input))
      return new Uint8Array(64).fill(7)
    }
    const { exchange, asked } = exchangeWith({ ...testSigner, sign })
    await exchange.exchange(ada)
    const signature = Buffer.alloc(64, 7).toString('base64url')
    expect(asked[0]?.form.get('client_assertion')).toBe(`${signed[0]}.${signature}`)
  })

  test.each([7, undefined])('with %j for its id is refused', async (jti) => {
    const { exchange } = scene([mint()], { jti: () => jti as never })
    expect(await failure(exchange.exchange(ada))).toMatchObject({
      option: 'jti',
      message: 'The jti factory must return a non-empty string of at most 255 bytes',
    })
  })
})

describe('the server’s clock', () => {
  const step = (offsetMs: number, description: string, clock: HandClock, date?: string): Reply => ({
    ...refusal('invalid_client', description, 401),
    headers: { date: date ?? httpDate(clock.now() + offsetMs) },
  })

  test.each([
    [5000, 'JWT `EXP` claim', 2],
    [-5000, 'iat claim', 2],
    [4000, 'nbf claim', 1],
    [30_000, 'no', 2],
    [-30_000, 'no', 2],
    [29_000, 'no', 1],
    [29_000, 'the expclaim, a texp claim', 1],
    [24 * 3_600_000, 'exp claim', 2],
    [-24 * 3_600_000, 'exp claim', 2],
    [24 * 3_600_000 + 1000, 'exp claim', 1],
  ])('%d ms away and "%s": %d requests', async (offsetMs, description, requests) => {
    const clock = new HandClock()
    const { exchange, asked } = scene([step(offsetMs, description, clock)], { clock })
    // An offset that does not help is forgotten.
    for (const _time of [1, 2]) await failure(exchange.exchange(ada))
    const issued = asked.map(
      (one) => Number(assertionOf(one).claims['iat']) - clock.now() / 1000 + 30,
    )
    const once = requests === 1 ? [0] : [0, offsetMs / 1000]
    expect(issued).toEqual([...once, ...once])
  })

  test.each([
    'tomorrow',
    '2026-03-01T10:00:00Z',
    'Sun, 01 Mar 2026 12:00:00 GMT+1',
    ' Sun, 01 Mar 2026 10:00:00 GMT',
  ])('a Date of "%s" teaches nothing', async (date) => {
    const { exchange, asked, clock } = scene([(): Reply => step(0, 'exp claim', clock, date)])
    await failure(exchange.exchange(ada))
    expect(asked).toHaveLength(1)
  })

  test('that was learned is compared with what the assertion was signed with', async () => {
    const clock = new HandClock()
    const late = step(600_000, 'exp claim', clock)
    const { exchange, asked } = scene([late, mint(), late], { clock })
    await exchange.exchange(ada)
    await failure(exchange.exchange(ada))
    expect(asked).toHaveLength(3)
  })
})

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const data = new TextEncoder().encode('signed by a key service')

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
  [
    'a length that is too long',
    [0x30, 0x07, 2, 1, 1, 2, 1, 1],
    'one SEQUENCE that fills the input',
  ],
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
  [
    'padding that is not needed',
    [0x30, 0x07, 2, 2, 0, 1, 2, 1, 1],
    'INTEGERs in their shortest form',
  ],
  [
    '33 bytes',
    [0x30, 38, 2, 33, ...Array(33).fill(1), 2, 1, 1],
    'INTEGERs of at most 32 bytes (a P-256 key)',
  ],
]

test.each(bad)('%s is refused', (_, bytes, expected) => {
  const message = `The signature is not a DER ECDSA signature: expected ${expected}`
  expect(() => ecdsaDerToJose(Uint8Array.from(bytes))).toThrow(
    expect.objectContaining({ option: 'der', message }),
  )
})

test('a text is refused', () => {
  expect(() => ecdsaDerToJose('MAYCAQECAQE=' as never)).toThrow(
    expect.objectContaining({
      option: 'der',
      message: 'der must be the signature as bytes (Uint8Array)',
    }),
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
