import { execFileSync } from 'node:child_process'
import { constants, privateEncrypt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { base64url, json, signInput } from './assertions.js'
import { ec, expectBadSignature, expectRefusal, expectTokens, type OAuthServer, rsa, startServer } from './harness.js'
import { weakKeys } from './weak-keys.js'

/** Everything in this file that fails must leave no token and no burnt jti. */
const refused = async (s: OAuthServer, assertion: string) => {
  expectBadSignature(await s.exchange(assertion))
  s.expectLive(0)
  s.expectBurnt(0)
}

/** Registers these keys for `minter` instead of its own. */
const useKeys = (s: OAuthServer, keys: readonly unknown[]) =>
  s.apply({ applications: [{ client_id: 'minter', jwks: { keys } }] })

describe('assertion', () => {
  test('JO1 RS256 and ES256, signed by openssl', async () => {
    await using s = await startServer()
    const directory = mkdtempSync(join(tmpdir(), 'openssl-'))
    try {
      for (const key of [rsa, ec]) {
        const pem = join(directory, `${key.alg}.pem`)
        writeFileSync(pem, key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
        const input = `${json({ alg: key.alg, typ: 'JWT', kid: key.kid })}.${json(s.claims())}`
        const signed = execFileSync('openssl', ['dgst', '-sha256', '-sign', pem], { input })
        const signature = key.alg === 'RS256' ? signed : fromDer(signed)
        expectTokens(await s.exchange(`${input}.${base64url(signature)}`))
      }
    } finally {
      rmSync(directory, { recursive: true })
    }
    s.expectLive(2)
  })

  test('JO5 RS256 with paddings that are not PKCS#1 v1.5', async () => {
    await using s = await startServer()
    const input = s.assertion({}, rsa).split('.').slice(0, 2).join('.')
    const right = digestInfo(input)
    const encrypt = (block: Buffer) => privateEncrypt({ key: rsa.privateKey, padding: constants.RSA_NO_PADDING }, block)
    const padded = (type: number, filler: number, tail: Buffer) =>
      Buffer.concat([Buffer.from([0, type]), Buffer.alloc(256 - 3 - tail.length, filler), Buffer.from([0]), tail])
    expectTokens(await s.exchange(`${input}.${base64url(encrypt(padded(1, 0xff, right)))}`))
    s.expectLive(1)
    const variants = [
      padded(1, 0xfe, right),
      padded(2, 0xff, right),
      padded(0, 0xff, right),
      padded(1, 0xff, right.subarray(19)),
      // Short padding with garbage behind the digest: what a lax verifier with e = 3 accepts.
      Buffer.concat([
        Buffer.from([0, 1]),
        Buffer.alloc(8, 0xff),
        Buffer.from([0]),
        right,
        Buffer.alloc(256 - 11 - right.length, 7),
      ]),
      padded(1, 0xff, Buffer.concat([right.subarray(0, 17), Buffer.from([0x05, 0]), right.subarray(17)])),
    ]
    for (const block of variants) expectBadSignature(await s.exchange(`${input}.${base64url(encrypt(block))}`))
    s.expectLive(1)
  })

  test.each([
    ['crit', []],
    ['crit', ['exp']],
    ['crit', null],
    ['crit', ['b64']],
    ['b64', true],
    ['b64', false],
    ['b64', null],
  ])('the extension %s: %j is refused', async (name, value) => {
    await using s = await startServer()
    await refused(s, s.assertion({}, ec, { [name]: value }))
  })

  test.each([
    [{ alg: 'RS256' }, false],
    [{ alg: 'ES384' }, false],
    [{ alg: ['ES256'] }, false],
    [{ use: 'enc' }, false],
    [{ key_ops: ['sign'] }, false],
    [{ key_ops: 'verify' }, false],
    [{ alg: undefined }, true],
    [{ use: undefined }, true],
    [{ key_ops: ['verify'] }, true],
    [{ key_ops: ['verify', 'wrapKey', 'verify'], ext: 'no', oddity: {} }, true],
  ])('JO11 a JWK with %j verifies: %s', async (changes, verifies) => {
    await using s = await startServer()
    await useKeys(s, [{ ...ec.jwk, ...changes }])
    for (const header of [{}, { kid: undefined }]) {
      const answer = await s.exchange(s.assertion({}, ec, header))
      if (verifies) expectTokens(answer)
      else expectBadSignature(answer)
    }
    s.expectLive(verifies ? 2 : 0)
  })

  test.each(Object.keys(weakKeys))('JO12, A4 inline: %s is refused', async (name) => {
    await using s = await startServer()
    const keys = [ec.jwk, weakKeys[name]]
    const answer = await s.control('POST', '/apply', { applications: [{ client_id: 'minter', jwks: { keys } }] })
    expect(answer.status, answer.text).toBe(422)
    expect(JSON.stringify(answer.body['errors'])).toContain('jwks')
    expectTokens(await s.exchange())
    s.expectLive(1)
  })

  test('JO13 a key of an unknown type beside a good one', async () => {
    await using s = await startServer()
    const okp = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'okp' }
    await useKeys(s, [okp, ec.jwk])
    expectTokens(await s.exchange())
    expectTokens(await s.exchange(s.assertion({}, ec, { kid: undefined })))
    expectBadSignature(await s.exchange(s.assertion({}, ec, { kid: 'okp' })))
    s.expectLive(2)
  })

  test('JO14 too long, and too deep', async () => {
    await using s = await startServer()
    const long = s.assertion({ padding: 'x'.repeat(6000) })
    expect(long.length).toBeGreaterThan(8192)
    expectRefusal(await s.exchange(long), 'invalid_request', 'Unsupported value: client_assertion')
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    await refused(s, s.assertion({ deep: nested(2800) }))
    await refused(s, s.assertion({ deep: nested(64) }))
    expectTokens(await s.exchange(s.assertion({ deep: nested(60) })))
    s.expectLive(1)
  })

  test('bytes that are not one JSON object', async () => {
    await using s = await startServer()
    const header = json({ alg: 'ES256', typ: 'JWT', kid: 'ec-1' })
    const good = JSON.stringify(s.claims())
    const payloads = [
      Buffer.from('[]'),
      Buffer.from('null'),
      Buffer.from('"text"'),
      Buffer.from(`${good}${good}`),
      Buffer.from(`\ufeff${good}`),
      Buffer.from(good.replace('minter', '\\ud800minter')),
      Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from(',"x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
      Buffer.from(good, 'utf16le'),
      Buffer.from('{}'),
    ]
    for (const payload of payloads) {
      const input = `${header}.${base64url(payload)}`
      await refused(s, `${input}.${base64url(signInput(input, ec.privateKey, 'ES256'))}`)
    }
  })
})

/** DigestInfo of SHA-256 (RFC 8017 §9.2). */
const digestInfo = (input: string): Buffer =>
  Buffer.concat([
    Buffer.from('3031300d060960864801650304020105000420', 'hex'),
    execFileSync('openssl', ['dgst', '-sha256', '-binary'], { input }),
  ])

/** r‖s of a DER signature, as OpenSSL writes it. */
const fromDer = (der: Buffer): Buffer => {
  const length = der[3] ?? 0
  const [r, s] = [der.subarray(4, 4 + length), der.subarray(6 + length)]
  return Buffer.concat([r, s].map((bytes) => Buffer.concat([Buffer.alloc(32), bytes]).subarray(-32)))
}
