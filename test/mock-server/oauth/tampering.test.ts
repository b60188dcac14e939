import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base64url, json } from './assertions.js'
import {
  ec,
  expectBadSignature,
  expectRefusal,
  expectTokens,
  type OAuthServer,
  rsa,
  startServer,
} from './harness.js'

let s: OAuthServer

beforeAll(async () => {
  s = await startServer()
})
afterAll(() => s.server.close())

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Assertions as the suite uses them: both algorithms, with and without kid, jti, typ. */
const originals = () => [
  s.assertion({}, ec),
  s.assertion({}, rsa),
  s.assertion({ jti: undefined }, ec, { kid: undefined }),
  s.assertion({ aud: [s.tokenUrl] }, rsa, { typ: undefined }),
  s.assertion({ exp: s.seconds + 1, nbf: s.seconds }, ec, { typ: 'application/jwt' }),
]

const segments = (text: string): [string, string, string] => {
  const [header = '', claims = '', signature = ''] = text.split('.')
  return [header, claims, signature]
}

const join = (parts: readonly string[]): string => parts.join('.')

const withSegment = (text: string, at: number, change: (segment: string) => string): string =>
  join(segments(text).map((segment, index) => (index === at ? change(segment) : segment)))

const decoded = (segment: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(segment, 'base64url').toString())

type Mutation = (text: string, n: number) => string

const flipBit: Mutation = (text, n) =>
  withSegment(text, n % 3, (segment) => {
    const bytes = Buffer.from(segment, 'base64url')
    const bit = (n >> 2) % (bytes.length * 8)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return base64url(bytes)
  })

const flipCharacter: Mutation = (text, n) => {
  const at = n % text.length
  const old = text[at] ?? ''
  const next = alphabet[(alphabet.indexOf(old) + 1 + (n % 62)) % 64] ?? 'A'
  return `${text.slice(0, at)}${next === old ? '.' : next}${text.slice(at + 1)}`
}

const cut: Mutation = (text, n) => text.slice(0, n % text.length)

const insert: Mutation = (text, n) => {
  const at = n % (text.length + 1)
  const foreign = ['=', '.', ' ', '\n', '+', '/', '%', 'A', '\u00e9', '\u0000'][n % 10] ?? '='
  return `${text.slice(0, at)}${foreign}${text.slice(at)}`
}

/** The same meaning in other bytes: what a verifier that decodes leniently would let pass. */
const reencode: Mutation = (text, n) => {
  const at = n % 3
  const forms: readonly ((segment: string) => string)[] = [
    (segment) => `${segment}=`,
    (segment) => `${segment}==`,
    (segment) => ` ${segment}`,
    (segment) => `${segment}\r\n`,
    (segment) =>
      Buffer.from(segment, 'base64url')
        .toString('base64')
        .padEnd(segment.length + 1, '='),
    (segment) => segment.replace(/.$/, (last) => alphabet[alphabet.indexOf(last) ^ 1] ?? 'A'),
    (segment) =>
      encodeURIComponent(segment).replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`),
    (segment) => Buffer.from(segment).toString('base64url'),
    (segment) =>
      at === 2
        ? base64url(Buffer.concat([Buffer.from(segment, 'base64url'), Buffer.from([0])]))
        : json({ ...decoded(segment), ' ': 0 }),
    (segment) =>
      at === 2
        ? base64url(Buffer.from(segment, 'base64url').reverse())
        : base64url(` ${Buffer.from(segment, 'base64url').toString()}`),
    (segment) =>
      at === 2 ? '' : base64url(`\ufeff${Buffer.from(segment, 'base64url').toString()}`),
    (segment) =>
      at === 2
        ? base64url(Buffer.alloc(Buffer.from(segment, 'base64url').length))
        : base64url(Buffer.from(Buffer.from(segment, 'base64url').toString(), 'utf16le')),
  ]
  return withSegment(text, at, forms[(n >> 3) % forms.length] ?? ((segment) => segment))
}

const mutations: readonly Mutation[] = [flipBit, flipCharacter, cut, insert, reencode]

test('all of 5 000 mutated assertions are refused, and no jti is used up', {
  timeout: 120_000,
}, async () => {
  let refused = 0
  const kept = originals()
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: kept.length - 1 }),
      fc.nat({ max: mutations.length - 1 }),
      fc.nat(),
      async (which, how, n) => {
        const original = kept[which] ?? ''
        const mutated = mutations[how]?.(original, n) ?? ''
        fc.pre(mutated !== original)
        const answer = await s.exchange(mutated)
        // An empty parameter counts as omitted, and NUL spoils the whole form: refusals of another
        // kind.
        if (mutated === '' || mutated.includes('\0')) expectRefusal(answer, 'invalid_request')
        else expectBadSignature(answer)
        refused += 1
      },
    ),
    { numRuns: 5000 },
  )
  expect(refused).toBeGreaterThanOrEqual(5000)
  s.expectLive(0)
  s.expectBurnt(0)
  // What was mutated was good.
  for (const original of kept) expectTokens(await s.exchange(original))
  s.expectLive(kept.length)
})
