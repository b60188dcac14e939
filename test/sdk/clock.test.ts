import { getEventListeners } from 'node:events'
import { systemClock } from '@buildwire/sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTimer } from '../../sdk/src/base/clock.js'
import { Cancellation, follow, race, SignalHub } from '../../sdk/src/transport/cancellation.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const month = 30 * 86_400_000

describe('the system clock', () => {
  test('sleeps longer than a timer of Node can', async () => {
    let over = false
    const sleep = systemClock.sleep(month).then(() => {
      over = true
    })
    await vi.advanceTimersByTimeAsync(month - 1)
    expect(over).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await sleep
    expect(vi.getTimerCount()).toBe(0)
  })

  test('wakes at once for an abort and leaves neither timer nor listener', async () => {
    const controller = new AbortController()
    const sleep = systemClock.sleep(month, controller.signal)
    controller.abort('reason')
    await expect(sleep).rejects.toBe('reason')
    await expect(systemClock.sleep(1, controller.signal)).rejects.toBe('reason')
    expect(vi.getTimerCount()).toBe(0)
    const later = new AbortController()
    const over = systemClock.sleep(5, later.signal)
    await vi.advanceTimersByTimeAsync(5)
    await over
    expect(getEventListeners(later.signal, 'abort')).toEqual([])
  })
})

describe('a guard', () => {
  test.each([5, month])('of %d ms runs once, or never when it is stopped', (ms) => {
    const run = vi.fn()
    const stop = startTimer(ms, run)
    startTimer(ms, run)
    stop()
    vi.advanceTimersByTime(ms)
    expect(run).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('without a limit starts no timer', () => {
    startTimer(Number.POSITIVE_INFINITY, () => expect.fail('ran'))()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a cancellation', () => {
  test('tells each listener once, also one that comes too late, and none that has left', () => {
    const cancellation = new Cancellation()
    const heard: string[] = []
    cancellation.onCancel(() => heard.push('first'))
    cancellation.onCancel(() => heard.push('left'))()
    cancellation.cancel('reason')
    cancellation.cancel('another')
    cancellation.onCancel(() => heard.push('late'))
    expect(heard).toEqual(['first', 'late'])
    expect(cancellation.signal.reason).toBe('reason')
    expect(() => cancellation.throwIfCancelled()).toThrow('reason')
  })

  test('aborts the signal that was read before it', () => {
    const cancellation = new Cancellation()
    const { signal } = cancellation
    cancellation.cancel('reason')
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toBe('reason')
  })

  test('wins a race against what ignores it', async () => {
    const cancellation = new Cancellation()
    const raced = race(new Promise<never>(() => {}), cancellation)
    cancellation.cancel('reason')
    await expect(raced).rejects.toBe('reason')
    await expect(race(Promise.reject(new Error('own')), new Cancellation())).rejects.toThrow('own')
    expect(await race(Promise.resolve('value'), new Cancellation())).toBe('value')
  })
})

test('a hub keeps one listener per signal, however many watch and leave', () => {
  const hub = new SignalHub()
  const controller = new AbortController()
  const heard: number[] = []
  const leaves = Array.from({ length: 20 }, (_, n) => hub.watch(controller.signal, () => heard.push(n)))
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
  for (const leave of leaves) leave()
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  const leave = hub.watch(controller.signal, () => heard.push(99))
  controller.abort()
  leave()
  expect(heard).toEqual([99])
  expect(() => follow(hub, controller.signal)).toThrow(controller.signal.reason)
})
