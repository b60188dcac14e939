import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from '../support/hand-clock.js'
import { ada, kinds, mint, minted, scene } from './support/exchange.js'
import { failure } from './support/failure.js'
import { fails, type Reply } from './support/scripted-transport.js'

/** A step that answers when the test says so. */
function gate(): { step: () => Promise<Reply>; open: (reply?: Reply) => void } {
  let open: (reply: Reply) => void = () => {}
  const answered = new Promise<Reply>((resolve) => {
    open = resolve
  })
  return { step: () => answered, open: (reply = minted()) => open(reply) }
}

describe('identities', () => {
  test('T1 other client_id and other authUrl with the same subject and audience are two requests and two tokens', async () => {
    const one = scene([mint()])
    const two = scene([mint()], { authUrl: 'https://other.ci.example' })
    const [first, second] = await Promise.all([
      one.exchange.tokenProvider(ada).getToken(),
      two.exchange.tokenProvider(ada).getToken(),
    ])
    expect(first.value).not.toBe(second.value)
    expect([...one.asked, ...two.asked].map(({ url }) => url)).toEqual([
      'https://auth.ci.example/oauth/token',
      'https://other.ci.example/oauth/token',
    ])
  })

  test('T1 each part of an identity is told apart, the order and repetition of scopes is not', async () => {
    const { exchange, asked } = scene([mint()])
    const identities = [
      ada,
      { ...ada, audience: 'globex' },
      { ...ada, subject_token: 'bob@acme.example' },
      { ...ada, scope: ['read_builds'] },
      { ...ada, scope: ['read_builds', 'write_builds'] },
      { ...ada, expires_in: 300 },
      { subject_token: 'ada@acme.example","acme', audience: 'acme' },
    ]
    const tokens = await Promise.all(
      identities.map((params) => exchange.tokenProvider(params).getToken()),
    )
    expect(new Set(tokens.map(({ value }) => value)).size).toBe(identities.length)
    expect(asked).toHaveLength(identities.length)
    const turned = exchange.tokenProvider({
      ...ada,
      scope: 'write_builds read_builds write_builds',
    })
    expect(await turned.getToken()).toBe(tokens[4])
    expect(asked).toHaveLength(identities.length)
  })

  test('a list of scopes that changes later does not change the identity', async () => {
    const { exchange, asked } = scene([mint()])
    const scope = ['read_builds']
    const provider = exchange.tokenProvider({ ...ada, scope })
    const before = await provider.getToken()
    scope.push('write_builds')
    expect(await provider.getToken()).toBe(before)
    expect(asked[0]?.form.get('scope')).toBe('read_builds')
  })

  test('10 000 concurrent callers over 100 identities are exactly 100 exchanges', async () => {
    const { exchange, asked } = scene([mint()])
    const calls = Array.from({ length: 10_000 }, (_, index) =>
      exchange
        .tokenProvider({ subject_token: `user${index % 100}@acme.example`, audience: 'acme' })
        .getToken(),
    )
    expect(new Set((await Promise.all(calls)).map(({ value }) => value)).size).toBe(100)
    expect(asked).toHaveLength(100)
  })
})

describe('one flight', () => {
  test('T2 A starts, B joins, A aborts: A rejects now, B gets the token, one exchange', async () => {
    const { step, open } = gate()
    const { exchange, asked } = scene([step])
    const controller = new AbortController()
    const a = failure(exchange.tokenProvider(ada).getToken({ signal: controller.signal }))
    const b = exchange.tokenProvider(ada).getToken()
    await settle()
    controller.abort('left')
    expect(await a).toBe('left')
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    expect(asked[0]?.options.signal.aborted).toBe(false)
    open()
    expect((await b).value).toMatch(/^bwtx_/)
    expect(asked).toHaveLength(1)
  })

  test('T2 when every caller leaves, the flight fills the cache all the same', async () => {
    const { step, open } = gate()
    const { exchange, asked } = scene([step])
    const controller = new AbortController()
    const provider = exchange.tokenProvider(ada)
    const left = failure(provider.getToken({ signal: controller.signal }))
    await settle()
    controller.abort()
    await left
    open()
    await settle()
    await provider.getToken()
    expect(asked).toHaveLength(1)
  })

  test('T5 1 000 cold callers are one request; after a first exchange that fails the next call tries again', async () => {
    const lost = fails('ECONNREFUSED', 'connect')
    const { exchange, asked } = scene([lost, lost, lost, mint()])
    const provider = exchange.tokenProvider(ada)
    const { signal } = new AbortController()
    const errors = await Promise.all(
      Array.from({ length: 1000 }, () => failure(provider.getToken({ signal }))),
    )
    expect(new Set(errors).size).toBe(1)
    expect(errors[0]).toMatchObject({ code: 'connection', sent: 'no', attempts: 3 })
    expect(asked).toHaveLength(3)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    await provider.getToken()
    expect(asked).toHaveLength(4)
  })

  test('an aborted signal rejects even when a token is cached', async () => {
    const { exchange } = scene([mint()])
    const provider = exchange.tokenProvider(ada)
    await provider.getToken()
    expect(await failure(provider.getToken({ signal: AbortSignal.abort('no') }))).toBe('no')
  })

  test('a signer that throws at once is a rejection, and the next call tries again', async () => {
    let calls = 0
    const { exchange } = scene([mint()], {
      signer: () => {
        calls++
        throw new Error('the key service is away')
      },
    })
    const provider = exchange.tokenProvider(ada)
    expect(String(await failure(provider.getToken()))).toContain('away')
    await failure(provider.getToken())
    expect(calls).toBe(2)
  })
})

describe('lifetimes', () => {
  test('a hit is the same resolved promise', async () => {
    const { exchange } = scene([mint()])
    const provider = exchange.tokenProvider(ada)
    await provider.getToken()
    expect(provider.getToken()).toBe(provider.getToken())
  })

  test('fresh, then stale while one refresh runs, then waited for: proportional windows', async () => {
    const clock = new HandClock()
    const { exchange, asked, events } = scene([mint({ expires_in: 100 })], { clock })
    const provider = exchange.tokenProvider(ada)
    const first = await provider.getToken()
    clock.trueMs += 80_900 // 100 − 20 · (1 − 10 % · 0.5) = 81 s
    expect(await provider.getToken()).toBe(first)
    clock.trueMs += 200
    expect(await provider.getToken()).toBe(first)
    expect(await provider.getToken()).toBe(first)
    await settle()
    expect(asked).toHaveLength(2)
    expect((await provider.getToken()).value).not.toBe(first.value)
    expect(kinds(events)).toEqual(['refresh', 'hit', 'refresh', 'stale', 'stale', 'hit'])
    clock.trueMs += 90_100
    await provider.getToken()
    expect(asked).toHaveLength(3)
  })

  test('a token counts from when its request started', async () => {
    const clock = new HandClock()
    const slow = (): Reply => {
      clock.trueMs += 20_000
      return minted({ expires_in: 60 })
    }
    const { exchange } = scene([slow], { clock })
    const start = clock.now()
    expect((await exchange.tokenProvider(ada).getToken()).expiresAt).toBe(start + 60_000)
  })

  test('the least recently used identity goes first, and no identity in flight', async () => {
    const { exchange, asked } = scene([mint()], { maxEntries: 2 })
    const of = (name: string) =>
      exchange.tokenProvider({ subject_token: `${name}@acme.example`, audience: 'acme' })
    await of('a').getToken()
    await of('b').getToken()
    await of('a').getToken()
    await of('c').getToken()
    expect(asked).toHaveLength(3)
    await of('a').getToken()
    expect(asked).toHaveLength(3)
    await of('b').getToken()
    expect(asked).toHaveLength(4)

    const { step, open } = gate()
    const busy = scene([step, mint()], { maxEntries: 1 })
    const first = busy.exchange.tokenProvider(ada)
    const flying = first.getToken()
    await settle()
    for (const name of ['x', 'y'])
      await busy.exchange
        .tokenProvider({ ...ada, subject_token: `${name}@acme.example` })
        .getToken()
    const joined = first.getToken()
    open()
    expect(await joined).toBe(await flying)
    expect(busy.asked).toHaveLength(3)
  })
})

describe('invalidate and clear', () => {
  test('a late 401 of the old token does not drop its successor', async () => {
    const { exchange, asked } = scene([mint()])
    const provider = exchange.tokenProvider(ada)
    const old = await provider.getToken()
    provider.invalidate(old)
    const next = await provider.getToken()
    expect(next.value).not.toBe(old.value)
    provider.invalidate(old)
    expect(await provider.getToken()).toBe(next)
    expect(asked).toHaveLength(2)
  })

  test('after clear a running flight fills nothing that a later call sees', async () => {
    const { step, open } = gate()
    const { exchange, asked } = scene([step, mint()])
    const provider = exchange.tokenProvider(ada)
    const old = provider.getToken()
    await settle()
    exchange.clear()
    const next = await provider.getToken()
    open()
    expect((await old).value).not.toBe(next.value)
    expect(await provider.getToken()).toBe(next)
    expect(asked).toHaveLength(2)
  })
})
