import { type Operation, operations } from '@buildwire/sdk/contract'
import fc from 'fast-check'

/** A request on the wire. `path` is sent unchanged, whatever characters it contains. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface FuzzWorld {
  readonly tokens: readonly string[]
  readonly controlToken: string
  /** Names and ids of records, by path parameter. */
  readonly names: Readonly<Record<string, readonly string[]>>
}

/** A random word of a text. */
const wordOf = (text: string) => fc.constantFrom(...text.split(' '))

const hostileText = fc.oneof(
  fc.constantFrom('', "' OR 1=1", 'a'.repeat(3000), '\u202eabc', '\ud800'),
  wordOf(
    '. .. ../.. % %zz %00 %2F %2e%2e __proto__ constructor null NaN -1 0 1e3 99999999999999999999 ٣ é <b>',
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const encoded = hostileText.map((text) => {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
})
const asIs = wordOf('% %zz %C3%28 %00 .. %2e%2e%2f // ;x=1 %25 * [] %F0%9F%8E%89')

const time = fc.oneof(
  fc.constantFrom(
    '2026-03-01',
    '2026-03-01T09:05:00Z',
    '2026-03-01T09:05:00.120+11:00',
    '2026-03-01 09:05:00 UTC',
  ),
  fc.constantFrom(
    '2026-02-30',
    '2026-13-01',
    '1e9',
    'yesterday',
    '2026-03-01T25:00:00Z',
    '9999999-01-01',
  ),
)
const queryValue: Readonly<Record<string, fc.Arbitrary<string>>> = {
  string: fc.constantFrom(
    'main',
    'release/*',
    '*',
    'a,b',
    '',
    'passed',
    '00000000-0000-4000-8000-000000000000',
  ),
  integer: fc.constantFrom(
    '1',
    '2',
    '30',
    '100',
    '0',
    '1000',
    '',
    '-1',
    '1.5',
    'x',
    '999999999999',
  ),
  boolean: fc.constantFrom('true', 'false', '1', '0', 'TRUE', '', 'yes'),
  time,
  array: fc.constantFrom('main', 'passed', 'failed', 'finished', 'nope', '', 'flaky'),
  map: fc.constantFrom('x', 'true', ''),
}
const arraySpelling = fc.constantFrom('', '[]', '%5B%5D', '[0]', '[a]', '[', ']')

function queryOf(operation: Operation): fc.Arbitrary<string> {
  const known = Object.entries(operation.query).map(([name, { kind }]) =>
    fc
      .tuple(
        arraySpelling,
        fc.oneof({ weight: 4, arbitrary: queryValue[kind] ?? hostileText }, encoded),
      )
      .map(
        ([spelling, value]) =>
          `${name}${kind === 'map' ? `[${spelling || 'key'}]` : kind === 'array' ? spelling : ''}=${value}`,
      ),
  )
  const foreign = fc.tuple(encoded, encoded).map(([name, value]) => `${name}=${value}`)
  const pair = fc.oneof(
    ...(known.length > 0 ? known.map((arbitrary) => ({ weight: 3, arbitrary })) : []),
    foreign,
    asIs,
  )
  return fc
    .array(pair, { maxLength: 5 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`))
}

function pathOf(operation: Operation, { names }: FuzzWorld): fc.Arbitrary<string> {
  const segments = operation.pathParameters.map((name) =>
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...(names[name] ?? ['x'])) }, encoded, asIs),
  )
  return fc.tuple(...segments).map((values) => {
    let next = 0
    return operation.path.replace(/\{[^}]+\}/g, () => values[next++] ?? '')
  })
}

const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    '',
    [],
    {},
    [null],
    { __proto__: null },
    'x'.repeat(2000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
)
const right: Readonly<Record<string, unknown>> = {
  commit: 'HEAD',
  branch: 'main',
  message: 'from the fuzzer 🎉',
  env: { A: '1' },
  meta_data: { key: true },
  author: { name: 'Robin', email: 'robin@acme.example' },
  clean_checkout: false,
  ignore_pipeline_branch_filters: true,
  pull_request_id: 7,
  pull_request_labels: ['a'],
  scope: 'Cart',
  name: 'adds',
  operator: 'add',
  labels: ['fuzzed'],
  states: 'failed,expired',
  query: '{ viewer { email } }',
}
const rightForm: Readonly<Record<string, string>> = {
  grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  client_id: 'ci-cli',
  scope: 'read_builds',
  device_code: 'x',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: 'e30.e30.e30',
  subject_token: 'robin@acme.example',
  subject_token_type: 'urn:buildwire:params:oauth:token-type:user-email',
  audience: 'acme',
  refresh_token: 'x',
  expires_in: '60',
}

const nested = '['.repeat(200) + ']'.repeat(200)
const spoiled = fc.oneof(
  wordOf('{ [] null "x" {"a":1}} \u0000 [1, {"a":'),
  fc.constantFrom('', nested),
)

function bodyOf(operation: Operation): fc.Arbitrary<string | undefined> {
  if (operation.body === null)
    return fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, spoiled)
  const { properties, type } = operation.body
  if (type === 'form') {
    const pair = fc
      .constantFrom(...properties)
      .chain((name) =>
        fc
          .oneof({ weight: 4, arbitrary: fc.constant(rightForm[name] ?? 'x') }, encoded, asIs)
          .map((value) => `${name}=${value.includes('%') ? value : encodeURIComponent(value)}`),
      )
    return fc.oneof(
      { weight: 8, arbitrary: fc.array(pair, { maxLength: 10 }).map((pairs) => pairs.join('&')) },
      spoiled,
    )
  }
  const member = (name: string) =>
    fc.oneof({ weight: 5, arbitrary: fc.constant(right[name] ?? 'x') }, wrong)
  const object = fc.record(Object.fromEntries(properties.map((name) => [name, member(name)])), {
    requiredKeys: [],
  })
  const complete = fc.constant(Object.fromEntries(properties.map((name) => [name, right[name]])))
  return fc.oneof(
    { weight: 5, arbitrary: object.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: complete.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: spoiled },
    { weight: 1, arbitrary: fc.json() },
  )
}

function headersOf(operation: Operation, world: FuzzWorld): fc.Arbitrary<Record<string, string>> {
  const authorization = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...world.tokens).map((token) => `Bearer ${token}`) },
    fc.constantFrom('', 'Bearer', 'Bearer a b', 'Basic eDp5', 'Basic ???', 'bearer x', 'Token x'),
    fc.constant(`Bearer ${'x'.repeat(4000)}`),
  )
  const usual =
    operation.body?.type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const contentType = fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    fc.constantFrom('multipart/form-data; boundary=x', 'application/json; charset=latin1'),
    wordOf('text/plain ;;; APPLICATION/X-WWW-FORM-URLENCODED'),
  )
  const extra = fc.constantFrom<Record<string, string>>(
    {},
    {},
    {},
    { 'content-encoding': 'gzip' },
    { accept: 'text/html' },
    { origin: 'https://elsewhere.example' },
    { 'x-forwarded-for': '203.0.113.9, ::1' },
    { cookie: 'buildwire_login=x' },
    { expect: '100-continue' },
  )
  return fc.tuple(authorization, contentType, extra).map(([auth, type, more]) => ({
    ...(auth === '' ? {} : { authorization: auth }),
    'content-type': type,
    ...more,
  }))
}

const method = (operation: Operation) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(operation.method as string) },
    fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET'),
  )

const pagePaths = wordOf(
  '/ /docs /oauth/device /oauth/login /oauth/authorized_applications /acme /acme/web /docs/style.css',
)

function otherRequest(world: FuzzWorld): fc.Arbitrary<FuzzRequest> {
  const page = fc.tuple(
    pagePaths,
    fc.oneof(
      fc.constant(''),
      encoded.map((text) => `?user_code=${text}`),
      encoded.map((text) => `/${text}`),
    ),
  )
  const control = fc
    .tuple(
      wordOf(
        '/info /rules /requests /requests/find /records/builds /records/nope /clock /builds /device-authorizations ' +
          '/access-tokens /jobs/x/transition /sandboxes/x',
      ),
      fc.constantFrom('GET', 'POST', 'PUT'),
      fc.oneof(fc.constant('{}'), spoiled, fc.json()),
      fc.boolean(),
    )
    .map(([path, verb, body, trusted]) => ({
      method: verb,
      path: `/_control${path}`,
      headers: trusted
        ? { authorization: `Bearer ${world.controlToken}`, 'content-type': 'application/json' }
        : {},
      body: verb === 'GET' ? undefined : body,
    }))
  return fc.oneof(
    page.map(([path, rest]) => ({
      method: 'GET',
      path: path + rest,
      headers: {},
      body: undefined,
    })),
    fc
      .tuple(encoded, encoded)
      .map(([a, b]) => ({ method: 'GET', path: `/${a}/${b}`, headers: {}, body: undefined })),
    control,
  )
}

/**
 * Valid, nearly valid and hostile requests for every operation, and some for the other paths of the
 * server.
 */
export function fuzzRequest(world: FuzzWorld): fc.Arbitrary<FuzzRequest> {
  const forOperation = fc.constantFrom(...Object.values<Operation>(operations)).chain((operation) =>
    fc
      .record({
        method: method(operation),
        path: fc.tuple(pathOf(operation, world), queryOf(operation)).map((parts) => parts.join('')),
        headers: headersOf(operation, world),
        body: bodyOf(operation),
      })
      .map((request) =>
        request.method === 'GET' || request.method === 'HEAD'
          ? { ...request, body: undefined }
          : request,
      ),
  )
  return fc.oneof(
    { weight: 9, arbitrary: forOperation },
    { weight: 1, arbitrary: otherRequest(world) },
  )
}

/** Bytes that are not a request, or almost one. */
export const rawBytes: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: \r\n\r\n',
    'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
    'POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
    'POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    'GET /v2/builds HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
    '\r\n\r\n\r\n',
    'GET\r\n',
  ),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => `${text}\r\n\r\n`),
)
