import { inspect } from 'node:util'
import { staticToken } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { isBearerToken, SecretAccessToken } from '../../../sdk/src/oauth/token-provider.js'
import { failure } from './support/failure.js'

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
    expect(await failure(staticToken('bwua_a').getToken({ signal: AbortSignal.abort('left') }))).toBe('left')
  })

  test('that cannot be one is refused in words that help', () => {
    expect(() => staticToken('bwua_a\n')).toThrow(
      expect.objectContaining({ code: 'config', option: 'auth', message: expect.stringContaining('stray line break') }),
    )
  })
})

describe('an access token in a log', () => {
  const token = new SecretAccessToken('bwua_a', 1_770_000_000_000, 'read_builds')

  test('shows its end and its scope, and [redacted] for its value', () => {
    expect(JSON.parse(JSON.stringify(token))).toEqual({
      value: '[redacted]',
      expiresAt: 1_770_000_000_000,
      scope: 'read_builds',
    })
    expect(`${token}`).toBe('[redacted]')
    expect(inspect(token)).toBe('AccessToken [redacted]')
    expect(inspect({ token })).toBe('{ token: AccessToken [redacted] }')
  })
})
