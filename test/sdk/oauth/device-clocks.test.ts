import { isCiError, requestDeviceAuthorization, type TokenSet } from '@buildwire/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../support/hand-clock.js'
import { pending, slowDown, startLogin, token } from './support/device.js'
import { failure } from './support/failure.js'
import { ReferenceServer } from './support/reference-server.js'
import { netError, type Reply, refusal } from './support/scripted-transport.js'

/**
 * A login whose client clock runs at `rate` of the server's, and that the machine sleeps through
 * for a while at its third wait.
 */
async function scene(rate: number, suspendMs: number) {
  const reference = new ReferenceServer()
  const clock = new HandClock({ rate })
  let waits = 0
  clock.onSleep = () => (++waits === 3 ? suspendMs : 0)
  const sleep = clock.sleep.bind(clock)
  let told = 0
  clock.sleep = async (ms, signal) => {
    await sleep(ms, signal)
    await reference.clock.advance(clock.trueMs - told)
    told = clock.trueMs
  }
  const { authUrl, transport } = reference
  const device = await requestDeviceAuthorization(
    { client_id: 'cli', scope: 'read_builds' },
    { authUrl, transport, clock },
  )
  return { reference, clock, device }
}

describe.each([0.96, 1, 1.04])(
  'D2 at the reference server, with a client clock at %d of its own',
  (rate) => {
    test.each([0, 30_000, 700_000])(
      'and a sleep of %d ms: no slow_down is earned, and the login ends',
      async (suspendMs) => {
        const { reference, clock, device } = await scene(rate, suspendMs)
        await using _ = reference
        const kinds: string[] = []
        const ended = await failure(
          device.poll({ onEvent: (event) => event.type === 'device' && kinds.push(event.kind) }),
        )
        expect(ended).toMatchObject({ code: 'device_authorization', error: 'expired_token' })
        expect(kinds).not.toContain('slow_down')
        expect(clock.trueMs).toBeLessThan(Math.max(600_000 / 0.95, suspendMs + 25_000))
        expect(reference.count('/oauth/token')).toBe(kinds.length)
      },
    )
  },
)

const moves = ['pending', 'slow', 'reset', 'refused', 'bad_gateway', 'portal', 'busy'] as const
type Move = (typeof moves)[number]

/**
 * A server that counts milliseconds, from the issue of the code on, and accepts no poll before its
 * interval.
 */
class StrictServer {
  early = 0
  polls = 0
  approvedAt: number
  #interval: number
  #last = 0
  readonly #clock: HandClock
  readonly #life: number
  readonly #moves: readonly Move[]

  /** Interval and life in seconds; `approval` in lives. */
  constructor(
    clock: HandClock,
    interval: number,
    life: number,
    moveList: readonly Move[],
    approval: number,
  ) {
    this.#clock = clock
    this.#interval = interval * 1000
    this.#life = life * 1000
    this.#moves = moveList
    this.approvedAt = approval * life * 1000
  }

  answer(): Reply {
    const now = this.#clock.trueMs
    const move = this.#moves[this.polls++ % this.#moves.length] ?? 'pending'
    if (move === 'refused') throw netError('ECONNREFUSED', 'connect')
    if (move === 'portal') return { headers: { 'content-type': 'text/html' }, text: '<html>' }
    if (now >= this.#life) return refusal('expired_token')
    if (now - this.#last < this.#interval) this.early++
    this.#last = now
    if (move === 'reset') throw netError('ECONNRESET', 'read')
    if (move === 'bad_gateway') return { status: 502, text: 'no' }
    if (move === 'busy')
      return {
        status: 503,
        headers: { 'retry-after': '7' },
        json: { error: 'temporarily_unavailable' },
      }
    if (now >= this.approvedAt) return token
    if (move === 'pending') return pending
    this.#interval += 5000
    return slowDown
  }
}

const bend = fc.record({
  suspendMs: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    fc.integer({ min: 1, max: 900_000 }),
  ),
  wallStepMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    fc.integer({ min: -3_600_000, max: 3_600_000 }),
  ),
  latencyMs: fc.integer({ min: 0, max: 3000 }),
})

test('whatever the clocks do: no gap below the server’s interval, and always an end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.96, max: 1.04, noNaN: true }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 60, max: 900 }),
      fc.array(fc.constantFrom(...moves), { minLength: 1, maxLength: 12 }),
      fc.array(bend, { minLength: 1, maxLength: 10 }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      async (rate, interval, expires_in, moveList, bends, approval) => {
        const clock = new HandClock({ rate })
        const server = new StrictServer(clock, interval, expires_in, moveList, approval)
        let sleeps = 0
        let slept = 0
        const bendOf = (index: number) => bends[index % bends.length]
        clock.onSleep = (ms) => {
          slept += ms
          clock.stepWall(bendOf(sleeps)?.wallStepMs ?? 0)
          return bendOf(sleeps++)?.suspendMs ?? 0
        }
        const step = (): Reply => {
          try {
            return server.answer()
          } finally {
            clock.trueMs += bendOf(server.polls)?.latencyMs ?? 0
          }
        }
        const { device } = await startLogin([step], { clock, answer: { interval, expires_in } })
        const result: unknown = await device.poll().catch((error: unknown) => error)
        expect(server.early).toBe(0)
        expect(slept).toBeLessThanOrEqual(expires_in * 1000)
        expect(server.polls).toBeLessThanOrEqual(expires_in / interval + 1)
        const ended =
          (result as TokenSet).access_token === 'bwua_token1' ||
          isCiError(result, 'device_authorization') ||
          isCiError(result, 'invalid_response')
        expect(ended).toBe(true)
      },
    ),
    { numRuns: 400 },
  )
})

test('with working clocks and a working network an approval before the last call always gives the token', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.96, max: 1.04, noNaN: true }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 60, max: 900 }),
      fc.array(fc.constantFrom<Move>('pending', 'slow'), { minLength: 1, maxLength: 12 }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      async (rate, interval, expires_in, moveList, approval) => {
        const clock = new HandClock({ rate: Math.max(1, rate) })
        const server = new StrictServer(clock, interval, expires_in, moveList, approval)
        const { device, times } = await startLogin([() => server.answer()], {
          clock,
          answer: { interval, expires_in },
        })
        const result: unknown = await device.poll().catch((error: unknown) => error)
        const lastCall = times.at(-1) ?? 0
        if (server.approvedAt <= lastCall)
          expect((result as TokenSet).access_token).toBe('bwua_token1')
        else expect(result).toMatchObject({ error: 'expired_token' })
        expect(server.early).toBe(0)
      },
    ),
    { numRuns: 200, examples: [[0.96, 8, 150, ['slow', 'pending', 'slow'], 0.7760000000000001]] },
  )
})
