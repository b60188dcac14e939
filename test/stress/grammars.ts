import { base64url, ecKey, json, jwt, rsaKey } from '../mock-server/oauth/assertions.js'
import { deviceGrant, exchangeGrant, jwtBearer, userEmailType } from '../mock-server/oauth/seed.js'

type Roll = () => number
/**
 * Makes one input of a grammar. Most inputs are valid or nearly so; some are as large as the limits
 * allow.
 */
export type Grammar = (roll: Roll) => string

const upTo = (roll: Roll, most: number): number => Math.floor(roll() * (most + 1))
const pick = <T>(roll: Roll, from: readonly T[]): T => from[upTo(roll, from.length - 1)] as T
const many = (roll: Roll, most: number, make: (n: number) => string, between = ''): string =>
  Array.from({ length: upTo(roll, most) }, (_, n) => make(n)).join(between)
const nested = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels)

/** Sometimes cuts or doubles a valid text, or inserts a wrong character. */
const spoiled = (roll: Roll, text: string): string => {
  const at = upTo(roll, text.length)
  switch (upTo(roll, 30)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text + text
    case 2:
      return (
        text.slice(0, at) +
        pick(roll, ['"', '\\', '{', '}', '\0', '\ud800', '%', '&', '.', '#', '\r']) +
        text.slice(at)
      )
    case 3:
      return text.slice(0, at) + text.slice(at + 1)
    default:
      return text
  }
}

const texts = [
  'a',
  '',
  'main',
  'é',
  '🎉',
  '\u202e',
  '__proto__',
  'constructor',
  'x'.repeat(300),
  '1',
  'null',
]
const escapes = [
  '\\n',
  '\\u0041',
  '\\ud83d\\ude00',
  '\\ud83d',
  '\\udc00',
  '\\/',
  '\\x',
  '\\"',
  '[[[',
  '{',
  '\\\\',
]
const numbers = ['0', '-1', '1e999', '1.5', '01', '9007199254740993', '-', '1E+2', '0.1e-400', '٣']

/** RFC 8259. */
const jsonValue = (roll: Roll, depth: number): string => {
  const kind = upTo(roll, depth > 0 ? 9 : 5)
  if (kind < 2) return JSON.stringify(pick(roll, texts))
  if (kind === 2) return `"${many(roll, 4, () => pick(roll, escapes))}"`
  if (kind === 3) return pick(roll, numbers)
  if (kind < 6) return pick(roll, ['null', 'true', 'false', 'nul', '""', 'NaN'])
  const inner = () => jsonValue(roll, depth - 1)
  if (kind < 8) return `[${many(roll, 4, inner, pick(roll, [',', ' , ', ',,']))}]`
  return `{${many(roll, 4, () => `${JSON.stringify(pick(roll, members))}:${inner()}`, ',')}}`
}
const members = [
  'commit',
  'branch',
  'message',
  'env',
  'meta_data',
  'author',
  'states',
  'query',
  'variables',
  ...texts,
]

export const jsonText: Grammar = (roll) => {
  const size = upTo(roll, 200)
  if (size === 0) return nested('[', ']', upTo(roll, 400_000))
  if (size === 1) return `[${'0,'.repeat(upTo(roll, 400_000))}0]`
  if (size === 2)
    return `{"env":{${many(roll, 20_000, (n) => `"k${n}":"${n}"`, ',')}},"commit":"HEAD","branch":"main"}`
  if (size === 3) return `"${'\\ud83d\\ude00'.repeat(upTo(roll, 80_000))}"`
  if (size < 8)
    return nested(pick(roll, ['{"a":', '[', '[{"a":']), pick(roll, ['}', ']', '']), upTo(roll, 100))
  return spoiled(
    roll,
    `{"commit":"HEAD","branch":"main","message":${jsonValue(roll, 5)},"meta_data":${jsonValue(roll, 3)}}`,
  )
}

const fields = [
  'viewer',
  'build(slug: "acme/web/1")',
  'id',
  'name',
  'state',
  'user',
  'createdBy',
  'nope',
  '__typename',
]
const values = [
  '"""block \\""" {"""',
  ...'1 "x" true null ENUM $a -1.5e3 "\\u{1F600}" "\\ud83d" "'.split(' '),
]

/** GraphQL §2. */
const graphqlValue = (roll: Roll, depth: number): string => {
  if (depth === 0 || roll() < 0.6) return pick(roll, values)
  const inner = () => graphqlValue(roll, depth - 1)
  return roll() < 0.5
    ? `[${many(roll, 4, inner, ' ')}]`
    : `{${many(roll, 4, (n) => `k${n}: ${inner()}`, ', ')}}`
}
const selections = (roll: Roll, depth: number): string =>
  `{ ${many(roll, 5, () => selection(roll, depth), ' ')} ${roll() < 0.9 ? '__typename' : ''} # note {\n}`
const selection = (roll: Roll, depth: number): string => {
  const kind = upTo(roll, 9)
  if (kind === 0) return `...F${upTo(roll, 3)}`
  if (kind === 1 && depth > 0)
    return `... on ${pick(roll, ['Query', 'Build', 'Nope'])} ${selections(roll, depth - 1)}`
  const alias = roll() < 0.3 ? `${pick(roll, ['a', 'b'])}: ` : ''
  const args = roll() < 0.2 ? `(x: ${graphqlValue(roll, 3)})` : ''
  const directive =
    roll() < 0.1 ? `@${pick(roll, ['skip', 'include', 'x'])}(if: ${graphqlValue(roll, 1)})` : ''
  return `${alias}${pick(roll, fields)}${args} ${directive} ${depth > 0 && roll() < 0.5 ? selections(roll, depth - 1) : ''}`
}
const graphqlDocument = (roll: Roll): string => {
  const size = upTo(roll, 60)
  const count = upTo(roll, 5000)
  if (size === 0) return `{ build(slug: ${nested('[', ']', count)}) { id } }`
  if (size === 1) return nested('{a', '}', count)
  if (size === 2) return `{ ${'viewer { user { id } } '.repeat(upTo(roll, 80))}}`
  if (size === 3)
    return `{ ${many(roll, 70, (n) => `a${n}: build(slug: "acme/web/1") { id }`, ' ')} }`
  if (size === 4)
    return `{ ...F0 } ${many(roll, 70, (n) => `fragment F${n} on Query { ...F${n + 1} }`, ' ')}`
  if (size === 5) return `query(${many(roll, 120, (n) => `$v${n}: [ID!]!`, ' ')}) { viewer { id } }`
  const variables =
    roll() < 0.3
      ? `($a: ${pick(roll, ['ID', '[ID!]!', 'Nope', '[[[Int]]]'])} = ${graphqlValue(roll, 2)})`
      : ''
  const kind = pick(roll, ['query', 'query', 'mutation', 'subscription'])
  const mutation = '{ buildCancel(input: { id: "x" }) { build { id } } }'
  const body = kind === 'mutation' && roll() < 0.5 ? mutation : selections(roll, 4)
  return `${kind} Q${variables} ${body} ${many(roll, 3, (n) => `fragment F${n} on Query ${selections(roll, 2)}`, ' ')}`
}
export const graphqlRequest: Grammar = (roll) => {
  const request: Record<string, unknown> = { query: spoiled(roll, graphqlDocument(roll)) }
  if (roll() < 0.2) request['operationName'] = pick(roll, ['Q', 'P', null, 1])
  if (roll() < 0.2)
    request['variables'] = pick(roll, [{ a: 'x' }, [], null, 'x', { a: { b: [1] } }])
  return JSON.stringify(request)
}

const ec = ecKey('ec')
const rsa = rsaKey('rsa')
const odd = ['', 'AQAB', 'A', '!', 'AAAA', '_'.repeat(1400), null, 1, {}, base64url('x'.repeat(32))]
const keyMember = [
  'kty',
  'n',
  'e',
  'crv',
  'x',
  'y',
  'kid',
  'alg',
  'use',
  'key_ops',
  'd',
  'k',
  'oth',
  'x5c',
]

/** RFC 7517. */
const jwk = (roll: Roll): unknown => {
  if (roll() < 0.1) return pick(roll, [null, [], 'key', 1, {}])
  const key: Record<string, unknown> = { ...pick(roll, [ec, rsa]).jwk }
  if (roll() < 0.6)
    key[pick(roll, keyMember)] = pick(roll, [
      ...odd,
      'EC',
      'RSA',
      'oct',
      'RS256',
      'enc',
      ['verify'],
    ])
  return key
}
export const jwksText: Grammar = (roll) => {
  const size = upTo(roll, 60)
  if (size === 0) return `{"keys":${nested('[', ']', upTo(roll, 30_000))}}`
  if (size === 1)
    return JSON.stringify({ keys: Array.from({ length: upTo(roll, 110) }, () => rsa.jwk) })
  if (size === 2)
    return `{"keys":[${many(roll, 45, (n) => JSON.stringify({ kty: 'RSA', kid: `${n}`, e: 'AQAB', n: '_'.repeat(1365) }), ',')}]}`
  const keys = Array.from({ length: upTo(roll, 5) }, () => jwk(roll))
  return spoiled(
    roll,
    JSON.stringify(roll() < 0.9 ? { keys } : pick(roll, [keys, { keys: keys[0] }, null])),
  )
}

const now = Date.parse('2026-03-01T09:00:00Z') / 1000
const claimValues = [
  'minter',
  'remote',
  '',
  null,
  1,
  -1,
  1e308,
  now,
  now + 300,
  [],
  {},
  ['a', 'b'],
  'x'.repeat(300),
]
const claimNames = ['iss', 'sub', 'aud', 'iat', 'exp', 'nbf', 'jti', '__proto__', 'scope']
const headerNames = ['alg', 'typ', 'kid', 'crit', 'b64', 'jwk', 'jku', 'x5u']
const headerValues = [
  'RS256',
  'ES256',
  'none',
  'HS256',
  'JWT',
  '',
  null,
  1,
  ['b64'],
  {},
  'ec-1',
  'rsa',
]

/** RFC 7515 §7.1. */
export const assertionText: Grammar = (roll) => {
  const size = upTo(roll, 60)
  if (size === 0) return `${base64url(nested('[', ']', upTo(roll, 3000)))}.${base64url('{}')}.AAAA`
  if (size === 1) return '.'.repeat(upTo(roll, 9000))
  if (size === 2)
    return `${json({ alg: 'ES256' })}.${base64url(`{"a":${jsonValue(roll, 6)}}`)}.${'A'.repeat(upTo(roll, 12_000))}`
  const key = pick(roll, [ec, rsa])
  const header: Record<string, unknown> = {
    alg: key.alg,
    typ: 'JWT',
    ...(roll() < 0.5 && { kid: key.kid }),
  }
  const issuer = pick(roll, ['minter', 'remote'])
  const aud = 'http://mock.localhost/oauth/token'
  const times = { iat: now, exp: now + 300 }
  const claims: Record<string, unknown> = {
    iss: issuer,
    sub: issuer,
    aud,
    ...times,
    jti: String(roll()),
  }
  if (roll() < 0.3) header[pick(roll, headerNames)] = pick(roll, headerValues)
  if (roll() < 0.3) claims[pick(roll, claimNames)] = pick(roll, claimValues)
  return spoiled(roll, jwt(header, claims, key.privateKey, key.alg))
}

const formNames =
  'grant_type client_id client_secret scope device_code refresh_token audience expires_in x'.split(
    ' ',
  )
const formWords =
  'public minter refresh_token read_builds % %zz %00 %F0%9F%8E%89 + a%ff acme'.split(' ')
const formValues = [deviceGrant, exchangeGrant, '', ...formWords]

/** WHATWG URL §5: `application/x-www-form-urlencoded`. */
export const formText: Grammar = (roll) => {
  const size = upTo(roll, 100)
  if (size === 0) return 'a=b&'.repeat(upTo(roll, 16_000))
  if (size === 1) return many(roll, 900, (n) => `client_secret=${'s'.repeat(8)}${n}`, '&')
  if (size === 2) return '%41'.repeat(upTo(roll, 21_000))
  const device = `client_id=public&scope=read_builds&grant_type=${encodeURIComponent(deviceGrant)}`
  return spoiled(
    roll,
    `${device}&${many(roll, 6, () => `${pick(roll, formNames)}=${pick(roll, formValues)}`, '&')}`,
  )
}

/** The form of a token exchange with this assertion. */
export const exchangeForm = (client_assertion: string): string =>
  new URLSearchParams({
    grant_type: exchangeGrant,
    client_assertion_type: jwtBearer,
    client_assertion,
    subject_token: 'robin@acme.example',
    subject_token_type: userEmailType,
    audience: 'acme',
    scope: 'read_builds',
  }).toString()

/** The public keys of the assertions, for their applications. */
export const registeredKeys = [ec.jwk, rsa.jwk]
