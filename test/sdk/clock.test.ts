import { getEventListeners } from 'node:events'
import { systemClock } from '@buildwire/sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTimer } from '../../sdk/src/base/clock.js'

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
