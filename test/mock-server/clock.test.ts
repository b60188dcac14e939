import { describe, expect, it } from 'vitest'
import type { DueSource, Fired } from '../../mock-server/src/base/virtual-clock.js'
import { type Clock, VirtualClock } from '../../mock-server/src/index.js'
import { deviceGrant, startServer } from './oauth/harness.js'

const start = Date.parse('2026-03-01T09:00:00Z')

/** Work due at fixed times, which may make more work when it runs. */
function work(
  times: number[],
  then: (at: number) => readonly number[] = () => [],
): DueSource & { readonly ran: number[] } {
  const ran: number[] = []
  return {
    ran,
    nextDueAt: () => (times.length === 0 ? null : Math.min(...times)),
    runDue(): readonly Fired[] {
      const at = Math.min(...times)
      times.splice(times.indexOf(at), 1)
      times.push(...then(at))
      ran.push(at)
      return [{ at, kind: 'work', id: String(ran.length), state: 'done' }]
    },
  }
}

/** A host clock that a test moves by hand. */
function handClock(): Clock & { move(ms: number): void; readonly waiting: number } {
  let now = start
  const waiters = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => now,
    monotonic: () => now - start,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const waiter = { at: now + ms, wake: resolve }
        waiters.add(waiter)
        signal?.addEventListener('abort', () => {
          waiters.delete(waiter)
          reject(signal.reason)
        })
      }),
    move(ms) {
      now += ms
      for (const waiter of waiters) {
        if (waiter.at <= now && waiters.delete(waiter)) waiter.wake()
      }
    },
    get waiting() {
      return waiters.size
    },
  }
}

describe('VirtualClock', () => {
  it('does not move until it is advanced', async () => {
    const clock = new VirtualClock({ now: start })
    expect(clock.now()).toBe(start)
    await clock.advance(1_500)
    expect(clock.now()).toBe(start + 1_500)
    expect(clock.monotonic()).toBe(1_500)
  })

  it('runs due work in time order, each at its own time, including new work', async () => {
    const clock = new VirtualClock({ now: start })
    const one = work([start + 300, start + 100])
    const two = work([start + 200], (at) => (at < start + 400 ? [at + 100] : []))
    const order: string[] = []
    const note = (name: string, source: DueSource): DueSource => ({
      nextDueAt: () => source.nextDueAt(),
      runDue: () => {
        const fired = source.runDue()
        order.push(`${name}@${(fired[0]?.at ?? 0) - start}`)
        expect(clock.now()).toBe(fired[0]?.at)
        return fired
      },
    })
    clock.attach(note('one', one))
    clock.attach(note('two', two))
    const result = await clock.advance(1_000)
    expect(order).toEqual(['one@100', 'two@200', 'one@300', 'two@300', 'two@400'])
    expect(result).toMatchObject({ firedCount: 5 })
    expect(result.fired.map(({ at }) => at - start)).toEqual([100, 200, 300, 300, 400])
    expect(clock.now()).toBe(start + 1_000)
  })

  it('wakes sleepers in order, and each reaches its next wait before the next wakes', async () => {
    const clock = new VirtualClock({ now: start })
    const woken: number[] = []
    const loop = async (): Promise<void> => {
      for (let n = 0; n < 5; n++) {
        await clock.sleep(100)
        woken.push(clock.now() - start)
      }
    }
    const done = loop()
    await clock.advance(1_000)
    await done
    expect(woken).toEqual([100, 200, 300, 400, 500])
  })

  it('keeps nothing of an aborted sleep', async () => {
    const clock = new VirtualClock({ now: start })
    const stop = new AbortController()
    const sleeping = clock.sleep(100, stop.signal)
    stop.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
    await expect(clock.sleep(100, stop.signal)).rejects.toThrow('enough')
  })

  it('never goes back', async () => {
    const clock = new VirtualClock({ now: start })
    await expect(clock.advance(-1)).rejects.toThrow(RangeError)
    await expect(clock.advance(Number.NaN)).rejects.toThrow(RangeError)
    expect(() => new VirtualClock({ now: 'tomorrow' })).toThrow(TypeError)
  })

  it('runs with its host clock: an alarm starts due work, and advance adds time', async () => {
    const host = handClock()
    const clock = new VirtualClock({ mode: 'real', host })
    const source = work([start + 100, start + 5_000])
    clock.attach(source)
    expect(host.waiting).toBe(1)
    host.move(100)
    await Promise.resolve()
    expect(source.ran).toEqual([start + 100])
    await clock.advance(10_000)
    expect(source.ran).toEqual([start + 100, start + 5_000])
    expect(clock.mode).toBe('offset')
    expect(clock.offsetMs).toBe(10_000)
    host.move(50)
    expect(clock.now()).toBe(start + 10_150)
    expect(host.waiting).toBe(0)
  })

  it('an advance of a running clock brings its alarm forward', async () => {
    const host = handClock()
    const clock = new VirtualClock({ mode: 'real', host })
    const source = work([start + 5_000])
    clock.attach(source)
    await clock.advance(3_000)
    host.move(2_000)
    await Promise.resolve()
    expect(source.ran).toEqual([start + 5_000])
  })

  describe('after a hundred moves', () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve))

    /** A clock with 250 due moves, of which the first hundred have been made. */
    async function busyClock(held: Promise<void>) {
      const host = handClock()
      const clock = new VirtualClock({ mode: 'real', host })
      const source = work(Array.from({ length: 250 }, () => start + 1))
      clock.attach(source)
      const ending = clock.hold(held)
      host.move(1)
      await Promise.resolve()
      expect(source.ran).toHaveLength(100)
      return { host, ending, moves: () => source.ran.length }
    }

    it('held work goes first', async () => {
      let resolve = (): void => undefined
      const promise = new Promise<void>((done) => {
        resolve = done
      })
      const { ending, moves } = await busyClock(promise)
      for (let turns = 0; turns < 5; turns++) await turn()
      expect(moves()).toBe(100)
      resolve()
      await ending
      await turn()
      expect(moves()).toBe(200)
      await turn()
      expect(moves()).toBe(250)
    })

    it('the next hundred waits for held work no longer than 20 ms', async () => {
      const { host, moves } = await busyClock(new Promise(() => undefined))
      await turn()
      host.move(19)
      await turn()
      expect(moves()).toBe(100)
      host.move(1)
      await turn()
      expect(moves()).toBe(200)
    })
  })

  it('stops an advance that would run for ever, and returns the time', async () => {
    const clock = new VirtualClock({ now: start })
    clock.attach(work([start + 1], (at) => [at]))
    const result = await clock.advance(10)
    expect(result.firedCount).toBe(1_000_000)
    expect(result.fired).toHaveLength(1_000)
    expect(result.stoppedAt).toBe(start + 1)
  })
})

describe('a server on a virtual clock', () => {
  it('lets a client with the same clock poll for 600 seconds without waiting', async () => {
    await using s = await startServer()
    await s.server.listen()
    const { device_code } = await s.start()
    const errors: string[] = []
    const login = async (): Promise<void> => {
      while (errors.at(-1) !== 'expired_token') {
        await s.clock.sleep(5_000)
        const body = new URLSearchParams({
          grant_type: deviceGrant,
          client_id: 'public',
          device_code,
        })
        const answer = await fetch(s.tokenUrl, { method: 'POST', body })
        errors.push(((await answer.json()) as { error: string }).error)
      }
    }
    const done = login()
    await s.clock.advance(600_000)
    await done
    expect(errors).toEqual([
      ...Array.from({ length: 119 }, () => 'authorization_pending'),
      'expired_token',
    ])
  })
})
