import { RateLimitError, type TokenResponse } from '@buildwire/sdk'
import { describe, expect, test, vi } from 'vitest'
import { signalled } from '../support/client.js'
import { settle } from '../support/hand-clock.js'
import { failure } from './support/failure.js'
import { login, next, SharedStore, scene } from './support/refresh.js'
import { fails, type Reply, refusal, type Step } from './support/scripted-transport.js'

const wait = (seconds: number, reply: Reply): Reply => ({
  ...reply,
  headers: { 'retry-after': String(seconds) },
})

/**
 * A login whose token has ended, and whose first refresh is answered by the step; the next one
 * succeeds.
 */
async function afterFirst(step: Step) {
  const made = scene([step, next(2)])
  made.clock.trueMs += 200_000
  const error = await failure(made.provider.getToken())
  return { ...made, error }
}

describe('what a failed refresh means for those who come next', () => {
  test.each([
    'invalid_client',
    'invalid_request',
    'invalid_scope',
    'invalid_target',
    'unauthorized_client',
    'unsupported_grant_type',
  ])('%s is told again for 5 s without a request', async (word) => {
    const { provider, asked, clock, error } = await afterFirst(refusal(word))
    expect(error).toMatchObject({ code: 'oauth_error', error: word })
    clock.trueMs += 4999
    expect(await failure(provider.getToken())).toBe(error)
    expect(asked).toHaveLength(1)
    clock.trueMs += 1
    expect((await provider.getToken()).value).toBe('bwua_access2')
  })

  test('a terminal word is one at a status of 500 too', async () => {
    const { provider, clock } = await afterFirst(refusal('invalid_client', undefined, 500))
    clock.trueMs += 5000
    expect((await provider.getToken()).value).toBe('bwua_access2')
  })

  test.each<[string, Step]>([
    ['another word', refusal('slow_down')],
    ['a word at 499', refusal('server_busy', undefined, 499)],
    ['a 403 without a word', { status: 403, text: '' }],
    ['a 429 without a wait', { status: 429, text: '' }],
    ['a certificate', fails('CERT_HAS_EXPIRED')],
    ['a refusal to connect', fails('ECONNREFUSED', 'connect')],
  ])('after %s the next call tries again', async (_, step) => {
    const { provider, asked } = await afterFirst(step)
    expect((await provider.getToken()).value).toBe('bwua_access2')
    expect(asked).toHaveLength(2)
  })

  test.each<[string, Reply]>([
    ['a 429', { status: 429, text: '' }],
    ['a word', refusal('slow_down', undefined, 429)],
    ['a 403', { status: 403, text: '' }],
  ])(
    'a wait that the server names with %s holds everyone back: the rest is told, nothing is sent',
    async (_, reply) => {
      const { provider, asked, clock } = await afterFirst(wait(100, reply))
      clock.trueMs += 58_500
      const error = await failure(provider.getToken())
      expect(error).toBeInstanceOf(RateLimitError)
      expect(error).toMatchObject({
        message: 'POST /oauth/token was not sent: the server asked to wait 42 s more',
        status: 429,
        operationId: 'oauth.token',
        method: 'POST',
        path: '/oauth/token',
        attempts: 0,
        retryAfterMs: 41_500,
        sent: 'no',
      })
      expect(asked).toHaveLength(1)
      clock.trueMs += 41_500
      expect((await provider.getToken()).value).toBe('bwua_access2')
    },
  )

  test.each<[string, Step, number]>([
    ['a word at 500', refusal('whatever', undefined, 500), 30_000],
    ['a word at 503 with a shorter wait', wait(5, refusal('server_error', undefined, 503)), 30_000],
    [
      'a word at 503 with a longer wait',
      wait(100, refusal('server_error', undefined, 503)),
      100_000,
    ],
    ['a 408', { status: 408, text: '' }, 30_000],
    ['a 425', { status: 425, text: '' }, 30_000],
    ['a 500', { status: 500, text: '' }, 30_000],
    ['a 502 with a longer wait', wait(45, { status: 502, text: '' }), 45_000],
    ['a success that is not JSON', { text: '<html>' }, 30_000],
    ['a success that is too large', { text: 'x'.repeat(65_537) }, 30_000],
    ['a reset', fails('ECONNRESET', 'read'), 30_000],
  ])(
    'after %s the refresh token may be spent: everyone is told so until the hold ends',
    async (_, step, holdMs) => {
      const { provider, asked, clock, error } = await afterFirst(step)
      expect(error).toMatchObject({
        code: expect.stringMatching(
          /^(oauth_error|server_error|http_error|connection|invalid_response)$/,
        ),
      })
      clock.trueMs += holdMs - 1
      expect(await failure(provider.getToken())).toBe(error)
      expect(asked).toHaveLength(1)
      clock.trueMs += 1
      expect((await provider.getToken()).value).toBe('bwua_access2')
      expect(asked.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1', 'refresh-1'])
    },
  )
})

describe('what a refused refresh says', () => {
  test.each([
    ['invalid_grant', 'The login has ended; log in again'],
    ['invalid_client', 'Check client_id; a confidential application also sends its client_secret'],
  ])(
    '%s comes with a hint, and without the old access token, which was not even sent',
    async (word, hint) => {
      const { error } = await afterFirst(refusal(word, 'No'))
      expect(error).toMatchObject({
        advice: hint,
        message: `POST /oauth/token answered 400: ${word}; No. ${hint}`,
      })
      const { error: repeating } = await afterFirst(refusal(word, 'bwua_access1'))
      expect(repeating).toMatchObject({ serverMessage: '[redacted]' })
    },
  )
})

describe('what a refresh takes from the store', () => {
  const ended: Partial<TokenResponse> = { expiresAt: 1 }

  test('nothing, when the store is empty or holds no login', async () => {
    for (const value of [
      null,
      login(5, { refresh_token: undefined }),
      login(5, { access_token: 'a b' }),
    ]) {
      const store = new SharedStore(value)
      const { provider, asked, clock } = scene([next(2)], { store })
      clock.trueMs += 200_000
      expect((await provider.getToken()).value).toBe('bwua_access2')
      expect(asked.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1'])
    }
  })

  test('nothing from one that forgets the login between two renewals', async () => {
    const store = new SharedStore(login(1))
    const { provider, asked, clock } = scene([next(2), next(3)], { store })
    clock.trueMs += 200_000
    await provider.getToken()
    store.load = async () => login(5, { refresh_token: '' })
    clock.trueMs += 200_000
    expect((await provider.getToken()).value).toBe('bwua_access3')
    expect(asked.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1', 'refresh-2'])
  })

  test('another login: no request, and its own scope and end', async () => {
    const { provider, asked, clock } = scene([], {
      store: new SharedStore(login(5, { scope: 'write_builds' })),
    })
    clock.trueMs += 200_000
    const token = await provider.getToken()
    expect(token).toMatchObject({
      value: 'bwua_access5',
      scope: 'write_builds',
      expiresAt: clock.now() + 100_000,
    })
    expect(asked).toHaveLength(0)
  })

  test('a renewed token that a server has refused already is renewed again', async () => {
    const store = new SharedStore()
    const { provider, asked } = scene([next(6)], { store })
    const first = await provider.getToken()
    store.value = login(5, { access_token: first.value })
    provider.invalidate(first)
    expect((await provider.getToken()).value).toBe('bwua_access6')
    expect(asked.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-5'])
  })

  test('after invalid_grant another login, and when that has ended, its renewal', async () => {
    const store = new SharedStore(login(1))
    const stolen = (): Reply => {
      store.value = login(7, ended)
      return refusal('invalid_grant')
    }
    const { provider, asked, clock } = scene([stolen, next(8)], { store })
    clock.trueMs += 200_000
    expect((await provider.getToken()).value).toBe('bwua_access8')
    expect(asked.map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1', 'refresh-7'])
    expect(store.value).toMatchObject({ access_token: 'bwua_access8' })
  })

  test('after invalid_grant without a store it is over: the same refusal, never asked again', async () => {
    const { provider, asked, clock, error, events } = await afterFirst(refusal('invalid_grant'))
    expect(await failure(provider.getToken())).toBe(error)
    expect(events.at(-1)).toEqual({ type: 'token', kind: 'negative' })
    clock.trueMs += 1e9
    expect(await failure(provider.getToken())).toBe(error)
    expect(asked).toHaveLength(1)
  })

  test('after another refusal the store is not asked again', async () => {
    const store = new SharedStore(login(1))
    const load = vi.spyOn(store, 'load')
    const { provider, clock } = scene([refusal('invalid_scope')], { store })
    clock.trueMs += 200_000
    await failure(provider.getToken())
    expect(load).toHaveBeenCalledOnce()
  })

  test('a store without a lock serves one process', async () => {
    const saved = new SharedStore()
    const store = { load: () => saved.load(), save: (tokens: TokenResponse) => saved.save(tokens) }
    const { provider, clock } = scene([next(2)], { store })
    clock.trueMs += 200_000
    expect((await provider.getToken()).value).toBe('bwua_access2')
    expect(saved.value).toMatchObject({ refresh_token: 'refresh-2' })
  })

  test('one renewal runs after the other, also when a caller’s patience ended before the last one did', async () => {
    const store = new SharedStore(login(1))
    const gate = signalled()
    const order: string[] = []
    const lock = store.withLock.bind(store)
    store.withLock = async (run) => {
      order.push('begin')
      if (order.length === 1) await gate.done
      return lock(run).finally(() => order.push('end'))
    }
    const { provider, asked, clock } = scene([next(2)], { store, timeoutMs: 500 })
    clock.trueMs += 200_000
    expect(await failure(provider.getToken())).toMatchObject({ code: 'timeout' })
    clock.trueMs += 60_000
    const second = provider.getToken()
    await settle()
    expect(order).toEqual(['begin'])
    gate.fire()
    expect((await second).value).toBe('bwua_access2')
    expect(order).toEqual(['begin', 'end', 'begin', 'end'])
    expect(asked).toHaveLength(1)
  })
})
