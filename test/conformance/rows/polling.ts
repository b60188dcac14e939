import { strict as assert } from 'node:assert'
import type { Control } from '@buildwire/mock-server'
import {
  type ApiResponse,
  ask,
  type ConformanceRow,
  expectStatus,
  post,
  row,
  rowsOf,
  type Target,
} from '../target.js'
import { type ClaimChanges, steered, tokenUrl } from './minter.js'
import { deviceGrant, deviceUrl, expectOAuthError } from './oauth.js'

const user = 'robin@acme.example'
const used = 'The device code is invalid or has already been used'

/** A device login of an application that is registered for one row. */
export async function login(target: Target, client_id: string, settings: ClaimChanges = {}) {
  const control = steered(target)
  const application = {
    kind: 'device',
    client_id,
    name: 'Row',
    grantableScopes: ['read_builds', 'read_user'],
    ...settings,
  }
  await control.apply({ applications: [application] } as Parameters<Control['apply']>[0])
  const send = (url: string, form: Readonly<Record<string, string>>): Promise<ApiResponse> =>
    post(target, url, { client_id, ...form })
  const started = await send(deviceUrl(target), { scope: 'read_user read_builds read_user' })
  expectStatus(started, 200)
  const { device_code, user_code } = started.json
  const poll = (more: Readonly<Record<string, string>> = {}) =>
    send(tokenUrl(target), { grant_type: deviceGrant, device_code, ...more })
  return {
    control,
    device_code,
    user_code,
    send,
    poll,
    refresh: (refresh_token: string, more: Readonly<Record<string, string>> = {}) =>
      send(tokenUrl(target), { grant_type: 'refresh_token', refresh_token, ...more }),
    wait: (ms: number) => control.clock.advance({ ms }),
    approve: () => control.deviceAuthorizations.approve({ user_code, user, org_slug: 'acme' }),
    /** Approves the login and redeems its code. */
    async token() {
      await control.deviceAuthorizations.approve({ user_code, user, org_slug: 'acme' })
      const answer = await poll()
      expectStatus(answer, 200)
      return answer.json
    },
  }
}

const errorOf = async (answer: Promise<ApiResponse>): Promise<string> => (await answer).json.error

/** The time in ms before each poll, and its expected response. The first poll has no wait. */
const intervals: readonly (readonly [title: string, waits: readonly number[], errors: string])[] = [
  ['at 4.999 s it is too early', [0, 4_999], 'pending slow'],
  ['at 5.000 s it is not', [0, 5_000], 'pending pending'],
  [
    'each slow_down adds 5 s for good',
    [0, 1_000, 9_999, 15_000, 15_000],
    'pending slow slow pending pending',
  ],
  ['a refused poll restarts the clock', [0, 4_000, 9_000], 'pending slow slow'],
  [
    'who obeys is never slowed again',
    [0, 1_000, 10_000, 10_000, 10_000],
    'pending slow pending pending pending',
  ],
  ['a code expires after 600 s, not before', [599_999, 1], 'pending expired'],
  ['an expired code stays expired', [600_000, 300_000], 'expired expired'],
]

const words: Readonly<Record<string, string>> = {
  pending: 'authorization_pending',
  slow: 'slow_down',
  expired: 'expired_token',
}

const intervalRows: readonly ConformanceRow[] = intervals.map(([title, waits, errors], at) =>
  row('seed', `PL${at + 1} M oauth/polling: polling: ${title}`, async (target) => {
    const { poll, wait } = await login(target, `row-pl${at + 1}`)
    const seen: string[] = []
    for (const ms of waits) {
      await wait(ms)
      seen.push(await errorOf(poll()))
    }
    const expected = errors.split(' ').map((word) => words[word])
    assert.deepEqual(seen, expected)
  }),
)

export const pollingRows: readonly ConformanceRow[] = [
  ...intervalRows,
  ...rowsOf('seed', {
    'PL8 D oauth/polling: approved beats too fast; scopes stand as asked, once each': async (
      target,
    ) => {
      const { poll, approve, wait } = await login(target, 'row-pl8')
      await poll()
      await approve()
      await wait(1_000)
      const { status, json } = await poll()
      assert.equal(status, 200)
      assert.equal(json.scope, 'read_user read_builds')
      assert.deepEqual(Object.keys(json).toSorted(), ['access_token', 'scope', 'token_type'])
    },
    'PL9 M oauth/polling: a code works once, also after its lifetime and if fifty poll together':
      async (target) => {
        const { poll, approve, wait } = await login(target, 'row-pl9')
        await approve()
        const answers = await Promise.all(Array.from({ length: 50 }, () => poll()))
        assert.equal(answers.filter(({ status }) => status === 200).length, 1)
        for (const answer of answers.filter(({ status }) => status !== 200)) {
          expectOAuthError(answer, 400, 'invalid_grant', used)
        }
        await wait(700_000)
        expectOAuthError(await poll(), 400, 'invalid_grant', used)
      },
    'PL10 D oauth/polling: after 600 s a code is expired and gives no token, even if it was approved':
      async (target) => {
        const { poll, approve, wait } = await login(target, 'row-pl10')
        await approve()
        await wait(600_000)
        expectOAuthError(await poll(), 400, 'expired_token', 'The device code has expired')
      },
    "PL11 M oauth/polling: another application's code is unknown to it; the owner's clock stays":
      async (target) => {
        const owner = await login(target, 'row-pl11')
        const other = await login(target, 'row-pl11-other')
        const form = { grant_type: deviceGrant, device_code: owner.device_code }
        const foreign = await other.send(tokenUrl(target), form)
        const unknown = await other.send(tokenUrl(target), { ...form, device_code: 'unknown' })
        expectOAuthError(foreign, 400, 'invalid_grant', used)
        assert.equal(foreign.text, unknown.text)
        assert.equal(await errorOf(owner.poll()), 'authorization_pending')
      },
    'PL12 M oauth/polling: a poll without the secret of a confidential client does not count as a poll':
      async (target) => {
        const client_secret = 'the secret of this one row'
        const control = steered(target)
        const client_id = 'row-pl12'
        const application = {
          kind: 'device',
          client_id,
          name: 'Row',
          clientType: 'confidential',
          client_secret,
        }
        await control.apply({ applications: [application] } as Parameters<Control['apply']>[0])
        const send = (url: string, form: Readonly<Record<string, string>>) =>
          post(target, url, { client_id, ...form })
        const { json } = await send(deviceUrl(target), { scope: 'read_builds', client_secret })
        const form = { grant_type: deviceGrant, device_code: json.device_code }
        for (const secret of [{}, { client_secret: 'wrong' }, {}] as readonly Readonly<
          Record<string, string>
        >[]) {
          const refused = await send(tokenUrl(target), { ...form, ...secret })
          expectOAuthError(refused, 400, 'invalid_client', 'Client authentication failed')
        }
        assert.equal(
          (await send(tokenUrl(target), { ...form, client_secret })).json.error,
          'authorization_pending',
        )
      },
    'PL13 D oauth/polling: a user who left gets no token; a disabled application is an unknown client':
      async (target) => {
        const { control, poll, approve } = await login(target, 'row-pl13')
        await approve()
        await control.apply({ users: [{ email: user, active: false }] })
        try {
          expectOAuthError(await poll(), 400, 'invalid_grant', used)
        } finally {
          await control.apply({ users: [{ email: user, active: true }] })
        }
        const other = await login(target, 'row-pl13-disabled')
        await other.approve()
        await control.apply({
          applications: [{ client_id: 'row-pl13-disabled', enabled: false }],
        } as object)
        expectOAuthError(await other.poll(), 400, 'invalid_client', 'Client authentication failed')
      },
    'PL14 M oauth/polling: expires_in and refresh_token are sent if the application has them':
      async (target) => {
        const both = await login(target, 'row-pl14', {
          accessTokenTtlSeconds: 60,
          refreshTokens: true,
        })
        const token = await both.token()
        assert.equal(token.expires_in, 60)
        assert.match(token.access_token, /^bwua_[A-Za-z0-9]{43}$/)
        assert.match(token.refresh_token, /^bwrt_[A-Za-z0-9]{43}$/)
        expectStatus(await ask(target, '/v2/user', { as: token.access_token }), 200)
        await both.wait(59_999)
        expectStatus(await ask(target, '/v2/user', { as: token.access_token }), 200)
        await both.wait(1)
        expectStatus(await ask(target, '/v2/user', { as: token.access_token }), 401)
      },
    'PL15 D oauth/device: an application of the exchange may not use the device grant': async (
      target,
    ) => {
      for (const url of [deviceUrl(target), tokenUrl(target)]) {
        const form = {
          client_id: 'conformance-exchange',
          scope: 'read_builds',
          grant_type: deviceGrant,
          device_code: 'x',
        }
        const answer = await post(target, url, form)
        expectOAuthError(
          answer,
          400,
          'unauthorized_client',
          'The application may not use this grant type',
        )
      }
    },
  }),
]
