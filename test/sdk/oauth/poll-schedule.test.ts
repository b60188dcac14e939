import { describe, expect, test } from 'vitest'
import {
  afterCall,
  afterLoss,
  afterPending,
  afterSlowDown,
  nextPoll,
  type PollSchedule,
  startSchedule,
} from '../../../sdk/src/oauth/poll-schedule.js'

/** Ten minutes at the default interval, changed as a test needs: the floor is 5250 ms, the guard 2000 ms. */
const schedule = (change: Partial<PollSchedule> = {}): PollSchedule => ({ ...startSchedule(600_000, 5), ...change })

describe('a fresh schedule', () => {
  test.each([
    ['ten minutes', 600_000, 5, { guardMs: 2000, longestMs: 480_000, intervalMs: 5000 }],
    ['ten seconds', 10_000, 5, { guardMs: 1000, longestMs: 8000, intervalMs: 5000 }],
    ['ten seconds with a longer interval', 10_000, 9, { guardMs: 1000, longestMs: 8000, intervalMs: 8000 }],
    ['one second', 1000, 5, { guardMs: 100, longestMs: 800, intervalMs: 800 }],
    ['a hurried server', 600_000, '0.5', { guardMs: 2000, longestMs: 480_000, intervalMs: 1000 }],
  ])('%s: the guard, the longest interval and the interval itself', (_, lifeMs, interval, times) => {
    const rest = { lifeMs, margin: 0.05, lastMs: 0, backoffMs: 0, serverWaitMs: 0 }
    expect(startSchedule(lifeMs, interval)).toEqual({ ...rest, ...times })
  })
})

describe('the next call', () => {
  test('comes one interval and its margin after the last', () => {
    expect(nextPoll(schedule())).toEqual({ dueMs: 5250, final: false })
    expect(nextPoll(schedule({ lastMs: 100_000 }))).toEqual({ dueMs: 105_250, final: false })
    expect(nextPoll(schedule({ margin: 0.2 }))).toEqual({ dueMs: 6000, final: false })
  })

  test('waits for the longest of the interval, the server and our own backoff', () => {
    expect(nextPoll(schedule({ serverWaitMs: 42_000, backoffMs: 10_000 }))).toEqual({ dueMs: 42_000, final: false })
    expect(nextPoll(schedule({ serverWaitMs: 7000, backoffMs: 10_000 }))).toEqual({ dueMs: 10_000, final: false })
    expect(nextPoll(schedule({ serverWaitMs: 1000, backoffMs: 5000 }))).toEqual({ dueMs: 5250, final: false })
  })

  test('is the last where none would fit behind it, and is then made just before the end', () => {
    const room = 5250 + 5250 + 2000
    expect(nextPoll(schedule({ lastMs: 600_000 - room }))).toEqual({ dueMs: 592_750, final: false })
    expect(nextPoll(schedule({ lastMs: 600_001 - room }))).toEqual({ dueMs: 598_000, final: true })
  })

  test('of a lost connection does not sleep past the last call', () => {
    expect(nextPoll(schedule({ lastMs: 580_000, backoffMs: 30_000 }))).toEqual({ dueMs: 598_000, final: true })
  })

  test('keeps the interval and the server’s wait even at the end, and is none beyond it', () => {
    expect(nextPoll(schedule({ lastMs: 594_000 }))).toEqual({ dueMs: 599_250, final: true })
    expect(nextPoll(schedule({ lastMs: 594_750 }))).toEqual({ dueMs: 600_000, final: true })
    expect(nextPoll(schedule({ lastMs: 594_751 }))).toBeUndefined()
    expect(nextPoll(schedule({ lastMs: 500_000, serverWaitMs: 99_000 }))).toEqual({ dueMs: 599_000, final: true })
    expect(nextPoll(schedule({ lastMs: 500_000, serverWaitMs: 100_000 }))).toEqual({ dueMs: 600_000, final: true })
    expect(nextPoll(schedule({ lastMs: 500_000, serverWaitMs: 100_001 }))).toBeUndefined()
  })
})

describe('after an answer', () => {
  test('a call moves the last moment and sets the server’s wait for the next call only', () => {
    const before = schedule({ serverWaitMs: 9000, backoffMs: 10_000 })
    expect(afterCall(before, 20_000, 0)).toEqual({ ...before, lastMs: 20_000, serverWaitMs: 0 })
  })

  test('a pending one ends our own backoff', () => {
    const before = schedule({ backoffMs: 10_000, lastMs: 20_000 })
    expect(afterPending(before)).toEqual({ ...before, backoffMs: 0 })
  })

  test.each([
    [5000, undefined, 10_000],
    [5000, 10, 10_000],
    [5000, 11, 11_000],
    [5000, '30', 30_000],
    [5000, 10_000, 480_000],
    [479_000, undefined, 484_000],
  ])('slow_down at %d ms that names %j leads to %d ms', (intervalMs, named, expected) => {
    const before = schedule({ intervalMs, backoffMs: 10_000, lastMs: 20_000 })
    expect(afterSlowDown(before, named)).toEqual({ ...before, intervalMs: expected, backoffMs: 0, margin: 0.2 })
  })

  test('losses double our own wait from the interval on, up to half a minute', () => {
    let now = schedule()
    const waits = Array.from({ length: 4 }, () => {
      now = afterLoss(now)
      return now.backoffMs
    })
    expect(waits).toEqual([10_000, 20_000, 30_000, 30_000])
    expect(now).toEqual(schedule({ backoffMs: 30_000 }))
  })

  test('a longer interval is the bound itself', () => {
    expect(afterLoss(schedule({ intervalMs: 20_000 })).backoffMs).toBe(30_000)
    expect(afterLoss(schedule({ intervalMs: 45_000 })).backoffMs).toBe(45_000)
  })
})
