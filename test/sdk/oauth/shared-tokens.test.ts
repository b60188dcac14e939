import { describe, expect, test } from 'vitest'
import { signalled } from '../support/client.js'
import { HandClock, settle } from '../support/hand-clock.js'
import { ada, mint, scene } from './support/exchange.js'
import { failure } from './support/failure.js'
import { MemoryStore, unreachable } from './support/memory-store.js'
import { refusal } from './support/scripted-transport.js'

describe('a store between processes', () => {
  test('a stored token that is to be renewed is not used: it is exchanged, and another process adopts the successor', async () => {
    const store = new MemoryStore()
    const clock = new HandClock()
    const one = scene([mint({ expires_in: 100 })], { store, clock })
    const two = scene([mint({ expires_in: 100 })], { store, clock })
    const first = await one.exchange.tokenProvider(ada).getToken()
    await two.exchange.tokenProvider(ada).getToken()
    clock.trueMs += 85_000
    await one.exchange.tokenProvider(ada).getToken()
    await settle()
    expect(one.asked).toHaveLength(2)
    await two.exchange.tokenProvider(ada).getToken()
    await settle()
    expect((await two.exchange.tokenProvider(ada).getToken()).value).not.toBe(first.value)
    expect(two.asked).toHaveLength(0)
  })

  test('an invalidated token is dropped from the store too, and does not come back from it', async () => {
    const store = new MemoryStore()
    const { exchange, asked } = scene([mint()], { store })
    const provider = exchange.tokenProvider(ada)
    const old = await provider.getToken()
    provider.invalidate(old)
    const next = await provider.getToken()
    expect(next.value).not.toBe(old.value)
    expect(asked).toHaveLength(2)
    expect([...store.values.values()].join()).toContain(next.value)
    provider.invalidate(old)
    await settle()
    expect([...store.values.values()].join()).toContain(next.value)
  })

  test('a slow removal never removes the successor', async () => {
    const store = new MemoryStore()
    const { exchange } = scene([mint()], { store })
    const provider = exchange.tokenProvider(ada)
    const old = await provider.getToken()
    const gate = signalled()
    const get = store.get.bind(store)
    let slow = true
    store.get = async (key) => {
      const text = await get(key)
      if (slow) {
        slow = false
        await gate.done
      }
      return text
    }
    provider.invalidate(old)
    const renewing = provider.getToken()
    await settle()
    gate.fire()
    const next = await renewing
    await settle()
    expect([...store.values.values()].join()).toContain(next.value)
  })

  test('a refusal under the lock is the refusal itself, asked for once', async () => {
    const store = new MemoryStore()
    const { exchange, asked, events } = scene([refusal('invalid_target')], { store })
    expect(await failure(exchange.tokenProvider(ada).getToken())).toMatchObject({
      error: 'invalid_target',
    })
    expect(asked).toHaveLength(1)
    expect(events.some(({ type }) => type === 'store_error')).toBe(false)
  })

  test('T12 an unreachable store: calls succeed, one exchange per process, event store_error', async () => {
    const store = new MemoryStore()
    store.broken = unreachable
    const { exchange, asked, events } = scene([mint()], { store })
    const provider = exchange.tokenProvider(ada)
    const tokens = await Promise.all([
      provider.getToken(),
      provider.getToken(),
      provider.getToken(),
    ])
    expect(new Set(tokens).size).toBe(1)
    await provider.getToken()
    expect(asked).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'store_error')).toEqual([
      { type: 'store_error', action: 'get', code: 'ECONNREFUSED' },
      { type: 'store_error', action: 'lock', code: 'ECONNREFUSED' },
      { type: 'store_error', action: 'get', code: 'ECONNREFUSED' },
    ])
  })

  test.each([
    'garbage',
    '{}',
    '[]',
    'null',
    '{"value":"a b","expiresAt":1e99}',
    '{"value":"bwtx_a","expiresAt":"soon"}',
  ])('T12 a store that answers %j is a miss and an event', async (text) => {
    const store = new MemoryStore()
    store.get = async () => text
    const { exchange, asked, events } = scene([mint()], { store })
    await exchange.tokenProvider(ada).getToken()
    expect(asked).toHaveLength(1)
    expect(events).toContainEqual({ type: 'store_error', action: 'get', code: 'invalid_value' })
  })

  test('a lock whose release fails changes nothing', async () => {
    const store = new MemoryStore()
    store.withLock = async (_key, _ttlMs, run) => {
      await run()
      throw unreachable
    }
    const { exchange, asked } = scene([mint()], { store })
    await exchange.tokenProvider(ada).getToken()
    expect(asked).toHaveLength(1)
  })
})
