import { requestDeviceAuthorization } from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { failure } from './support/failure.js'
import { HandClock } from './support/hand-clock.js'
import { ReferenceServer } from './support/reference-server.js'

/** A login whose client clock runs at `rate` of the server's, and that the machine sleeps through for a while at its third wait. */
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

describe.each([0.96, 1, 1.04])('D2 at the reference server, with a client clock at %d of its own', (rate) => {
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
})
