import type { TokenProvider, TokenStore } from '@buildwire/sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ada, mint, type Scene, scene } from './support/exchange.js'

// Only the guards of real time: everything else here waits for promises.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const silence = (): Promise<never> => new Promise(() => {})
const store: TokenStore = { get: async () => null, set: async () => {}, delete: async () => {} }

function withStore(change: Partial<TokenStore>): Scene & { provider: TokenProvider } {
  const made = scene([mint()], { store: { ...store, ...change } })
  return { ...made, provider: made.exchange.tokenProvider(ada) }
}

const failures = ({ events }: Scene): unknown[] =>
  events.filter(({ type }) => type === 'store_error')

test.each<[string, 'get' | 'set', Partial<TokenStore>, number]>([
  ['get', 'get', { get: silence }, 10_000],
  ['set', 'set', { set: silence }, 5_000],
])(
  'a store whose %s never answers costs five seconds and an event, not the token',
  async (_, action, change, ms) => {
    const made = withStore(change)
    const token = made.provider.getToken()
    await vi.advanceTimersByTimeAsync(ms)
    expect((await token).value).toMatch(/^bwtx_token/)
    expect(failures(made)[0]).toEqual({ type: 'store_error', action, code: 'timeout' })
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('a lock that never comes is gone without, and one that comes too late exchanges nothing more', async () => {
  const late: (() => Promise<unknown>)[] = []
  const withLock = <T>(_key: string, _ttlMs: number, run: () => Promise<T>): Promise<T> => {
    late.push(run)
    return silence()
  }
  const made = withStore({ withLock })
  const token = made.provider.getToken()
  await vi.advanceTimersByTimeAsync(14_999)
  expect(made.asked).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect((await token).value).toMatch(/^bwtx_token/)
  expect(failures(made)).toEqual([{ type: 'store_error', action: 'lock', code: 'timeout' }])
  await late[0]?.()
  expect(made.asked).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('a removal that never ends does not keep the next token', async () => {
  const made = withStore({
    delete: silence,
    get: async () => JSON.stringify({ value: 'kept', expiresAt: 9e15 }),
  })
  const first = await made.provider.getToken()
  made.provider.invalidate(first)
  const second = made.provider.getToken()
  await vi.advanceTimersByTimeAsync(5_000)
  expect((await second).value).not.toBe(first.value)
})

test('an exchange under a lock may take longer than the lock is waited for', async () => {
  const withLock = <T>(_key: string, _ttlMs: number, run: () => Promise<T>): Promise<T> => run()
  const slow = (): Promise<{ json: object }> =>
    new Promise((resolve) => setTimeout(() => resolve(mint()() as { json: object }), 20_000))
  const made = scene([slow], { store: { ...store, withLock } })
  const token = made.exchange.tokenProvider(ada).getToken()
  await vi.advanceTimersByTimeAsync(20_000)
  await token
  expect(failures(made)).toEqual([])
})
