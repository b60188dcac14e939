import { strict as assert } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { buildsPath } from '../probe.js'
import { ask, type ConformanceRow, expectStatus, row, rowsOf } from '../target.js'
import { type ClaimChanges, configuredMinter, encode, type Minter, tokenUrl } from './minter.js'
import { expectClientRefused, expectOAuthError } from './oauth.js'

const claimText = {
  iss: 'JWT iss claim must match sub',
  aud: 'JWT aud claim is invalid',
  iat: 'JWT iat claim is invalid',
  future: 'JWT exp claim must be in the future',
  life: 'JWT exp claim must be within 5 minutes of iat',
  nbf: 'JWT nbf claim must not be in the future',
  jti: 'JWT jti claim must be a non-empty string of at most 255 bytes',
} as const

/**
 * Claims that are refused, as seconds from now. A margin of one minute keeps slow connections from
 * changing the result.
 */
const badClaims: readonly (readonly [
  title: string,
  text: keyof typeof claimText,
  of: (minter: Minter) => ClaimChanges,
])[] = [
  ['sub is not iss', 'iss', () => ({ sub: 'somebody-else' })],
  ['no sub', 'iss', () => ({ sub: undefined })],
  ['no aud', 'aud', () => ({ aud: undefined })],
  ['aud is the organization', 'aud', () => ({ aud: 'acme' })],
  [
    'aud is a list without the endpoint',
    'aud',
    () => ({ aud: ['https://other.example/oauth/token'] }),
  ],
  ['aud in capitals', 'aud', () => ({ aud: 'HTTPS://OTHER.EXAMPLE/OAUTH/TOKEN' })],
  ['no iat', 'iat', () => ({ iat: undefined })],
  ['iat as text', 'iat', ({ now }) => ({ iat: String(now) })],
  ['iat ten minutes ahead', 'iat', ({ now }) => ({ iat: now + 600, exp: now + 700 })],
  ['exp in the past', 'future', ({ now }) => ({ iat: now - 200, exp: now - 60 })],
  ['exp ten minutes after iat', 'life', ({ now }) => ({ iat: now - 60, exp: now + 540 })],
  ['nbf in two minutes', 'nbf', ({ now }) => ({ nbf: now + 120 })],
  ['an empty jti', 'jti', () => ({ jti: '' })],
  ['a number as jti', 'jti', () => ({ jti: 7 })],
  ['a jti of 256 bytes', 'jti', () => ({ jti: 'é'.repeat(128) })],
]

const claimRows: readonly ConformanceRow[] = badClaims.map(([title, text, of], at) =>
  row(
    'exchangeApplication',
    `AX-claim-${at + 1} M oauth/claims: assertion refused: ${title}`,
    async (target) => {
      const minter = await configuredMinter(target)
      const answer = await minter.exchange(minter.assertion(of(minter)))
      expectClientRefused(answer, claimText[text])
    },
  ),
)

/** Parameters that are refused; undefined leaves a parameter out. */
const badParameters: readonly (readonly [
  Readonly<Record<string, string | undefined>>,
  error: string,
  text: string,
])[] = [
  [
    { client_assertion_type: undefined },
    'invalid_request',
    'Missing parameter: client_assertion_type',
  ],
  [{ client_assertion_type: 'x' }, 'invalid_request', 'Unsupported value: client_assertion_type'],
  [{ client_assertion: '' }, 'invalid_request', 'Missing parameter: client_assertion'],
  [
    { client_assertion: 'x'.repeat(8_193) },
    'invalid_request',
    'Unsupported value: client_assertion',
  ],
  [{ subject_token: undefined }, 'invalid_request', 'Missing parameter: subject_token'],
  [{ subject_token_type: undefined }, 'invalid_request', 'Missing parameter: subject_token_type'],
  [{ audience: undefined }, 'invalid_request', 'Missing parameter: audience'],
  [
    { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    'invalid_request',
    'Unsupported value: subject_token_type',
  ],
  [{ requested_token_type: 'x' }, 'invalid_request', 'Unsupported value: requested_token_type'],
  [{ actor_token: 'x' }, 'invalid_request', 'Unsupported parameter: actor_token'],
  [
    { audience: 'There Is No Such Organization' },
    'invalid_target',
    'Invalid audience organization',
  ],
  [{ resource: 'https://x.example' }, 'invalid_target', 'Invalid audience organization'],
  [
    { subject_token: 'nobody@there-is-no-such.example' },
    'invalid_request',
    'Subject user must be an active member of the organization',
  ],
  [{ scope: 'no_such_scope' }, 'invalid_scope', 'Invalid scope'],
  [{ expires_in: '0' }, 'invalid_request', 'expires_in must be a positive integer'],
  [{ expires_in: '1.5' }, 'invalid_request', 'expires_in must be a positive integer'],
  [{ client_id: 'another' }, 'invalid_client', 'Invalid client assertion signature'],
]

const parameterRows: readonly ConformanceRow[] = badParameters.map(([changes, error, text], at) =>
  row(
    'exchangeApplication',
    `AX-parameter-${at + 1} M oauth/exchange: exchange refused: ${Object.entries(changes).map(([key, value]) => `${key} ${value?.slice(0, 40) ?? 'missing'}`)}`,
    async (target) => {
      const minter = await configuredMinter(target)
      const assertion = minter.assertion()
      const answer = await minter.exchange(assertion, changes)
      if (error === 'invalid_client') expectClientRefused(answer, text)
      else expectOAuthError(answer, 400, error, text)
      expectStatus(await minter.exchange(assertion), 200)
    },
  ),
)

const exchangeRows: readonly ConformanceRow[] = [
  ...rowsOf('exchangeApplication', {
    'AX-token M RFC 8693 §2.2.1: the response has exactly five members, and the token reads builds':
      async (target) => {
        const minter = await configuredMinter(target)
        const scope = target.applications.exchange?.scope ?? ''
        const answer = await minter.exchange(minter.assertion(), { scope })
        expectStatus(answer, 200)
        const { access_token, expires_in, ...rest } = answer.json
        assert.deepEqual(rest, {
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          token_type: 'Bearer',
          scope,
        })
        assert.equal(typeof access_token, 'string')
        assert.ok(Number.isInteger(expires_in) && expires_in > 0)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        if (scope.split(' ').includes('read_builds')) {
          expectStatus(
            await ask(target, `${buildsPath(target)}?per_page=1`, { as: access_token }),
            200,
          )
        }
      },
    'AX-lifetime M oauth/lifetimes: a shorter lifetime is granted, a longer one is reduced to the limit':
      async (target) => {
        const minter = await configuredMinter(target)
        const lifetime = async (expires_in?: string) =>
          (await minter.exchange(minter.assertion(), { expires_in })).json.expires_in
        const maximum = await lifetime()
        assert.equal(await lifetime('5'), 5)
        assert.equal(await lifetime('99999999999999999999'), maximum)
        assert.equal(await lifetime(String(maximum)), maximum)
      },
    'AX-replay M api: a jti works once, in any assertion; an assertion without jti works again':
      async (target) => {
        const minter = await configuredMinter(target)
        const jti = randomUUID()
        const assertion = minter.assertion({ jti })
        expectStatus(await minter.exchange(assertion), 200)
        for (const again of [assertion, minter.assertion({ jti })]) {
          expectClientRefused(await minter.exchange(again), 'JWT has already been used (jti)')
        }
        const free = minter.assertion({ jti: undefined })
        const once = await minter.exchange(free)
        if (once.json?.error_description === 'JWT must contain a jti claim') return
        expectStatus(once, 200)
        expectStatus(await minter.exchange(free), 200)
      },
    'AX-signature M oauth/assertions: unsigned, changed, foreign and malformed assertions get the same refusal':
      async (target) => {
        const minter = await configuredMinter(target)
        const [header = '', claims = '', signature = ''] = minter.assertion().split('.')
        const changed = encode({
          ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
          admin: true,
        })
        const bad = [
          `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
          `${header}.${changed}.${signature}`,
          `${header}.${claims}.${signature.slice(0, -8)}`,
          `${header}.${claims}`,
          'x',
          minter.assertion({}, { kid: 'there-is-no-such-key' }),
          minter.assertion({}, { alg: 'HS256' }),
          minter.assertion({ iss: 'nobody', sub: 'nobody' }),
        ]
        for (const assertion of bad) {
          const answer = await minter.exchange(assertion)
          expectClientRefused(answer, 'Invalid client assertion signature')
          // RFC 9110 §15.5.2
          if (answer.status === 401)
            assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm="/)
        }
      },
    'AX-good-claims M oauth/claims: valid: aud in a list, nbf now, more claims, no typ, no kid':
      async (target) => {
        const minter = await configuredMinter(target)
        const good: readonly (readonly [ClaimChanges, ClaimChanges])[] = [
          [{ aud: [tokenUrl(target)] }, {}],
          [{ nbf: minter.now - 1 }, {}],
          [{ admin: true, scope: 'everything' }, {}],
          [{}, { typ: undefined }],
          [{}, { kid: undefined }],
          [{ jti: `${'é'.repeat(100)}${randomUUID()}` }, {}],
        ]
        for (const [claims, header] of good) {
          const answer = await minter.exchange(minter.assertion(claims, header))
          expectStatus(answer, 200)
          assert.equal(typeof answer.json?.access_token, 'string')
        }
      },
  }),
  ...rowsOf(['exchangeApplication', 'secondOrganization'], {
    'AX-foreign M wire/scopes: the token gives no access to another organization': async (
      target,
    ) => {
      const minter = await configuredMinter(target)
      const { access_token } = (await minter.exchange(minter.assertion(), { scope: 'read_builds' }))
        .json
      const path = `/v2/organizations/${target.secondOrganization}/builds`
      expectStatus(await ask(target, path, { as: access_token }), 404)
      const all = await ask(target, '/v2/builds?per_page=100', { as: access_token })
      expectStatus(all, 200)
      for (const { url } of all.json)
        assert.ok(url.startsWith(`${target.baseUrl}/v2/organizations/${target.org}/`), url)
    },
  }),
]

/** Tokens of any server by token exchange, with the application of the configuration. */
export const anyExchangeRows: readonly ConformanceRow[] = [
  ...exchangeRows,
  ...parameterRows,
  ...claimRows,
]
