import { inspect } from 'node:util'
import { staticToken, type TokenResponse, TokenSet } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { isBearerToken } from '../../../sdk/src/http/token-provider.js'
import { readLoginToken } from '../../../sdk/src/oauth/token-set.js'
import { failure } from './support/failure.js'

const startedAt = Date.UTC(2026, 2, 1)
const response: TokenResponse = {
  access_token: 'bwua_a',
  refresh_token: 'refresh-a',
  token_type: 'Bearer',
  issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  expires_in: 60,
  scope: 'read_builds',
}

describe('a token set', () => {
  test('gives each field of the answer, and its end from when the request started', () => {
    const tokens = new TokenSet(response, startedAt)
    const {
      access_token,
      refresh_token,
      token_type,
      issued_token_type,
      expires_in,
      scope,
      expiresAt,
    } = tokens
    expect({
      access_token,
      refresh_token,
      token_type,
      issued_token_type,
      expires_in,
      scope,
    }).toEqual(response)
    expect(expiresAt).toBe(startedAt + 60_000)
    expect(tokens.reveal()).toEqual({ ...response, expiresAt })
  })

  test.each([
    ['no end is known', {}, null],
    ['an end that was stored counts more than seconds', { expires_in: 60, expiresAt: 5 }, 5],
    ['and so does a stored "no end"', { expires_in: 60, expiresAt: null }, null],
  ])('%s', (_, change, expiresAt) => {
    const tokens = new TokenSet(
      { access_token: 'bwua_a', token_type: 'Bearer', ...change },
      startedAt,
    )
    expect([tokens.expiresAt, tokens.reveal().expiresAt]).toEqual([expiresAt, expiresAt])
    expect([tokens.scope, tokens.refresh_token, tokens.issued_token_type]).toEqual([
      '',
      undefined,
      undefined,
    ])
  })

  test('reveals a copy: who changes it changes nothing here', () => {
    const tokens = new TokenSet(response, startedAt)
    tokens.reveal().access_token = 'changed'
    expect(tokens.access_token).toBe('bwua_a')
  })

  test('prints as what it is, without its secrets', () => {
    const tokens = new TokenSet(response, startedAt)
    expect(JSON.parse(JSON.stringify(tokens))).toEqual({
      access_token: '[redacted]',
      token_type: 'Bearer',
      scope: 'read_builds',
      expiresAt: startedAt + 60_000,
    })
    expect([`${tokens}`, inspect(tokens), inspect({ tokens })]).toEqual([
      '[redacted]',
      'TokenSet [redacted]',
      '{ tokens: TokenSet [redacted] }',
    ])
  })
})

describe('the answer of a token endpoint', () => {
  const urn = 'urn:ietf:params:oauth:token-type:access_token'
  const body = { access_token: 'bwua_a', token_type: 'bEARER' }

  test('of a login gives what is usable of it', () => {
    expect(readLoginToken('refresh', body, undefined)).toEqual({
      access_token: 'bwua_a',
      token_type: 'Bearer',
    })
    const full = {
      ...body,
      expires_in: '60',
      refresh_token: 'r',
      scope: 'read_builds',
      issued_token_type: urn,
    }
    expect(readLoginToken('refresh', full, 'write_builds')).toEqual({
      access_token: 'bwua_a',
      token_type: 'Bearer',
      expires_in: 60,
      refresh_token: 'r',
      scope: 'read_builds',
    })
    for (const scope of ['', 7, null, undefined])
      expect(readLoginToken('refresh', { ...body, scope }, 'write_builds').scope).toBe(
        'write_builds',
      )
    for (const refresh_token of ['', 7, null])
      expect(
        readLoginToken('refresh', { ...body, refresh_token }, undefined).refresh_token,
      ).toBeUndefined()
    for (const expires_in of [0, 'soon', null])
      expect(
        readLoginToken('refresh', { ...body, expires_in }, undefined).expires_in,
      ).toBeUndefined()
  })
})

describe('what can travel as a bearer token', () => {
  test.each(['a', 'A-Za-z0-9._~+/-', 'abc=', 'abc==', 'x'.repeat(8192)])('%s can', (text) => {
    expect(isBearerToken(text)).toBe(true)
  })

  test.each([
    ['nothing', undefined],
    ['a number', 5],
    ['a list that reads like a token', ['abc']],
    ['an empty text', ''],
    ['padding alone', '='],
    ['padding in the middle', 'a=b'],
    ['a blank before it', ' abc'],
    ['a line break behind it', 'abc\n'],
    ['one character more than 8 KiB', 'x'.repeat(8193)],
  ])('%s cannot', (_, value) => {
    expect(isBearerToken(value)).toBe(false)
  })
})

describe('a token that never changes', () => {
  test('is handed out as the same promise, has no known end, and outlives a refusal', async () => {
    const provider = staticToken('bwua_a')
    const token = await provider.getToken()
    expect([token.value, token.expiresAt, 'scope' in token]).toEqual(['bwua_a', null, false])
    provider.invalidate(token)
    expect(provider.getToken()).toBe(provider.getToken({}))
    expect(await provider.getToken({ signal: new AbortController().signal })).toBe(token)
  })

  test('is not handed out to a caller that has left', async () => {
    expect(
      await failure(staticToken('bwua_a').getToken({ signal: AbortSignal.abort('left') })),
    ).toBe('left')
  })

  test('that cannot be one is refused in words that help', () => {
    expect(() => staticToken('bwua_a\n')).toThrow(
      expect.objectContaining({
        code: 'config',
        option: 'auth',
        message: expect.stringContaining('stray line break'),
      }),
    )
  })
})
