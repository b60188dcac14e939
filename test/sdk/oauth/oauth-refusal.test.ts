import {
  ApiError,
  InvalidResponseError,
  OAuthError,
  requestDeviceAuthorization,
} from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { failure } from './support/failure.js'
import { type Reply, refusal, scripted } from './support/scripted-transport.js'

const asked = 'POST /oauth/device_authorization'

/** What a caller gets who is answered so, again and again. */
function refusedBy(reply: Reply, client_secret = 'canary'): Promise<unknown> {
  const authUrl = 'https://auth.ci.example'
  const { transport } = scripted(reply)
  const params = { client_id: 'cli', client_secret, scope: 'read_builds' }
  return failure(requestDeviceAuthorization(params, { authUrl, transport, clock: new HandClock() }))
}

describe('an answer without an error word', () => {
  test.each([
    [399, 'redirect_refused'],
    [401, 'unauthorized'],
    [410, 'http_error'],
    [500, 'server_error'],
  ])('of status %d has the code %s', async (status, code) => {
    const headers = { 'x-request-id': 'r-1' }
    const error = await refusedBy({
      status,
      headers,
      json: { message: 'no', nested: { text: 'canary' } },
    })
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      code,
      status,
      operationId: 'oauth.deviceAuthorization',
      method: 'POST',
      path: '/oauth/device_authorization',
      requestId: 'r-1',
      attempts: status === 500 ? 3 : 1,
      body: { message: 'no', nested: { text: '[redacted]' } },
    })
    expect((error as ApiError).retryAfterMs).toBeUndefined()
  })

  test.each<[number, Reply, string]>([
    [404, {}, '. Check authUrl'],
    [405, {}, '. Check authUrl'],
    [406, {}, ''],
    [199, {}, ''],
    [307, {}, '. Redirects are not followed'],
    [400, {}, ''],
    [
      300,
      { headers: { location: 'https://evil.example/x?canary' } },
      '. Redirects are not followed (this one leads to https://evil.example): set the final address as authUrl',
    ],
  ])('of status %d ends with what to do', async (status, reply, advice) => {
    const error = await refusedBy({ status, ...reply, json: { message: 'no' } })
    expect(error).toMatchObject({ message: `${asked} answered ${status}: no${advice}` })
  })

  test('keeps the server’s wait where there is one', async () => {
    const error = await refusedBy({ status: 403, headers: { 'retry-after': '7' }, json: {} })
    expect(error).toMatchObject({ code: 'forbidden', retryAfterMs: 7000 })
  })

  test.each([200, 299])(
    'of status %d is an InvalidResponseError that says what was expected',
    async (status) => {
      const error = await refusedBy({ status, text: '[]' })
      expect(error).toBeInstanceOf(InvalidResponseError)
      expect(error).toMatchObject({
        message: `${asked} answered ${status} with JSON that is an array; expected a device_code`,
        expected: 'a device_code',
        got: 'JSON that is an array',
      })
    },
  )
})

describe('an answer with an error word', () => {
  test.each([
    [
      'a sentence and a hint',
      refusal('invalid_scope', 'too much'),
      'invalid_scope; too much. Ask for scopes',
    ],
    ['a hint alone', refusal('invalid_scope'), 'invalid_scope. Ask for scopes'],
    ['a sentence alone', refusal('slow_down', 'too fast'), 'slow_down; too fast'],
    ['nothing else', refusal('slow_down'), 'slow_down'],
    [
      'a sentence that is none',
      { status: 400, json: { error: 'slow_down', error_description: 7 } },
      'slow_down',
    ],
  ])('is told with %s', async (_, reply, text) => {
    const error = (await refusedBy(reply)) as OAuthError
    expect(error).toBeInstanceOf(OAuthError)
    expect(error.message.startsWith(`${asked} answered 400: ${text}`)).toBe(true)
    expect(error.message.endsWith(error.advice ?? error.serverMessage ?? error.error)).toBe(true)
    expect(error.status).toBe(400)
  })

  test('has no sentence, hint or wait where the server named none', async () => {
    const { serverMessage, advice, retryAfterMs } = (await refusedBy(
      refusal('slow_down'),
    )) as OAuthError
    expect([serverMessage, advice, retryAfterMs]).toEqual([undefined, undefined, undefined])
    const waiting = await refusedBy({
      ...refusal('slow_down', 'soon'),
      headers: { 'retry-after': '3' },
    })
    expect(waiting).toMatchObject({ serverMessage: 'soon', retryAfterMs: 3000 })
  })

  test('keeps the headers of its answer, but for what was sent', async () => {
    const { headers } = (await refusedBy({
      ...refusal('slow_down'),
      headers: { 'x-echo': 'a canary' },
    })) as OAuthError
    expect(headers?.get('x-echo')).toBe('a [redacted]')
  })

  test.each([
    'access_denied',
    'authorization_pending',
    'expired_token',
    'invalid_client',
    'invalid_grant',
    'invalid_request',
    'invalid_scope',
    'invalid_target',
    'server_error',
    'slow_down',
    'temporarily_unavailable',
    'unauthorized_client',
    'unsupported_grant_type',
  ])('%s stays whole although it holds a secret, its sentence does not', async (word) => {
    const error = await refusedBy(refusal(word, `no ${word}`), word)
    expect(error).toMatchObject({ error: word, serverMessage: 'no [redacted]' })
    expect(await refusedBy(refusal(`x${word}`), word)).toMatchObject({ error: 'x[redacted]' })
  })

  test.each(['Too Many', 'quo"te', 'back\\slash', 'é', '', 7, null])(
    '%j is none',
    async (error) => {
      expect(await refusedBy({ status: 403, json: { error } })).toBeInstanceOf(ApiError)
    },
  )

  test.each(['!', '#[', ']~', 'a.b:c'])('%s is one', async (error) => {
    expect(await refusedBy({ status: 403, json: { error } })).toMatchObject({
      code: 'oauth_error',
      error,
    })
  })
})
