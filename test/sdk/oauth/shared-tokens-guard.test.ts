import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { instant } from '../../../sdk/src/base/clock.js'
import { sharedTokens } from '../../../sdk/src/oauth/shared-tokens.js'
import { HandClock } from '../support/hand-clock.js'
import { MemoryStore, unreachable } from './support/memory-store.js'

/** The guard around a store alone, and the codes of the events that it told. */
function guarded(store: MemoryStore = new MemoryStore()) {
  const clock = new HandClock()
  const told: string[] = []
  const shared = sharedTokens(store, clock, (event) => {
    if (event.type === 'store_error') told.push(`${event.action} ${event.code}`)
  })
  const token = (value: string, seconds: number) => ({
    value,
    expiresAt: clock.now() + seconds * 1000,
  })
  const fresh = (value: string, seconds: number) => ({
    token: token(value, seconds),
    started: instant(clock),
    ttlMs: seconds * 1000,
  })
  return { store, clock, told, shared, token, fresh }
}

describe('the guard around a store', () => {
  test('three errors in a row close it for exactly 5 s, and three more close it again', async () => {
    const { store, clock, told, shared } = guarded()
    store.broken = unreachable
    for (let round = 1; round <= 2; round++) {
      for (let call = 0; call < 5; call++) await shared.read('k', [])
      expect(store.calls).toHaveLength(3 * round)
      await clock.advance(4_999)
      await shared.read('k', [])
      expect(store.calls).toHaveLength(3 * round)
      await clock.advance(1)
    }
    expect(told).toHaveLength(6)
    await shared.read('k', [])
    expect(store.calls).toHaveLength(7)
  })

  test('an answer between them ends the row', async () => {
    const { store, shared } = guarded()
    for (let round = 0; round < 3; round++) {
      store.broken = unreachable
      await shared.read('k', [])
      await shared.read('k', [])
      store.broken = undefined
      await shared.read('k', [])
    }
    expect(store.calls).toHaveLength(9)
  })

  test('an event names the code of an error, else its class, and a thrown text not at all', async () => {
    const { store, told, shared } = guarded()
    for (const broken of [unreachable, new TypeError('secret'), 'secret']) {
      store.broken = broken
      await shared.read('k', [])
    }
    expect(told).toEqual(['get ECONNREFUSED', 'get TypeError', 'get unknown'])
  })

  test('an event says what was tried: reading, writing, removing or locking', async () => {
    const { store, told, shared, token, fresh } = guarded()
    store.values.set('k', JSON.stringify(token('bwtx_a', 60)))
    store.delete = () => Promise.reject(unreachable)
    await shared.drop('k', 'bwtx_a')
    store.broken = unreachable
    await shared.drop('k', 'bwtx_a')
    store.broken = undefined
    await shared.read('k', [])
    store.broken = unreachable
    await shared.write('k', fresh('bwtx_b', 60))
    await shared.locked('k', async () => {})
    expect(told).toEqual([
      'set ECONNREFUSED',
      'get ECONNREFUSED',
      'set ECONNREFUSED',
      'lock ECONNREFUSED',
    ])
  })

  test('a lock that throws at once leaves no timer', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { store, told, shared } = guarded()
    store.withLock = () => {
      throw unreachable
    }
    expect(await shared.locked('k', async () => 'ran')).toBe('ran')
    expect([told, vi.getTimerCount()]).toEqual([['lock ECONNREFUSED'], 0])
  })

  test('a token is taken up to its last moment, and its scope only as a text', async () => {
    const { store, clock, shared, token } = guarded()
    store.values.set('k', JSON.stringify({ ...token('bwtx_a', 60), scope: ['read_builds'] }))
    await clock.advance(59_999)
    const last = await shared.read('k', [])
    expect(last?.ttlMs).toBe(1)
    expect(last?.token.scope).toBeUndefined()
    await clock.advance(1)
    expect(await shared.read('k', [])).toBeUndefined()
  })

  test('a token is stored for as long as it is usable, in whole milliseconds', async () => {
    const { store, clock, shared, fresh } = guarded()
    const token = fresh('bwtx_a', 60)
    await clock.advance(10_000.5)
    await shared.write('k', token)
    expect(store.lives).toEqual([43_999])
    expect(JSON.parse(store.values.get('k') ?? '')).toEqual(token.token)
    await clock.advance(43_998.5)
    await shared.write('k', token)
    await clock.advance(1)
    await shared.write('k', token)
    expect(store.lives).toEqual([43_999, 1])
  })

  test('a token without a known end is not shared', async () => {
    const { store, clock, shared } = guarded()
    const token = { value: 'bwtx_a', expiresAt: null }
    await shared.write('k', { token, started: instant(clock), ttlMs: Number.POSITIVE_INFINITY })
    expect(store.calls).toEqual([])
  })

  test('only the given token is removed: not its successor, and not a value that is not a token', async () => {
    const { store, told, shared, token } = guarded()
    for (const text of [JSON.stringify(token('bwtx_next', 60)), 'garbage']) {
      store.values.set('k', text)
      await shared.drop('k', 'bwtx_a')
      expect(store.values.get('k')).toBe(text)
    }
    store.values.clear()
    await shared.drop('k', 'bwtx_a')
    expect(store.calls).not.toContain('delete')
    store.values.set('k', JSON.stringify(token('bwtx_a', 60)))
    await shared.drop('k', 'bwtx_a')
    expect([...store.values]).toEqual([])
    expect(told).toEqual([])
  })

  test('a store without a lock, and one whose lock runs nothing, are gone without', async () => {
    const lockless = { get: async () => null, set: async () => {}, delete: async () => {} }
    const idle = { ...lockless, withLock: async () => undefined as never }
    for (const store of [lockless, idle]) {
      const told: unknown[] = []
      const shared = sharedTokens(store, new HandClock(), (event) => told.push(event))
      expect(await shared.locked('k', async () => 'ran')).toBe('ran')
      expect(told).toEqual([])
    }
  })
})
