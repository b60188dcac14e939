import { type CiEvent, requestDeviceAuthorization } from '@buildwire/sdk'
import { HandClock } from '../../support/hand-clock.js'
import { type Reply, type Step, scripted } from './scripted-transport.js'

export const deviceAnswer = {
  device_code: 'device-code-canary-1f2e3d',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://ci.example/oauth/device',
  verification_uri_complete: 'https://ci.example/oauth/device?user_code=WDJB-MJHT',
  expires_in: 600,
  interval: 5,
}

const tokenAnswer = { access_token: 'bwua_token1', token_type: 'Bearer', scope: 'read_builds' }
export const pending: Reply = { status: 400, json: { error: 'authorization_pending' } }
export const slowDown: Reply = { status: 400, json: { error: 'slow_down' } }
export const token: Reply = { json: tokenAnswer }

/**
 * A device login whose polls are answered by the steps; `times` are those of each poll, in the
 * world's milliseconds since it began.
 */
export async function startLogin(
  steps: readonly Step[],
  options: { answer?: Record<string, unknown>; clock?: HandClock; timeoutMs?: number } = {},
) {
  const clock = options.clock ?? new HandClock()
  const times: number[] = []
  const timed = steps.map(
    (step): Step =>
      async (asked) => {
        times.push(clock.trueMs)
        return typeof step === 'function' ? step(asked) : step
      },
  )
  const { transport, asked } = scripted({ json: { ...deviceAnswer, ...options.answer } }, ...timed)
  const events: CiEvent[] = []
  const device = await requestDeviceAuthorization(
    { client_id: 'cli', client_secret: 'client-secret-canary-77', scope: ['read_builds'] },
    {
      authUrl: 'https://auth.ci.example',
      transport,
      clock,
      onEvent: (event) => events.push(event),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    },
  )
  return { device, clock, asked, events, times }
}

/** The differences between neighbours, the first one from 0. */
export function gaps(times: readonly number[]): number[] {
  return times.map((time, index) => time - (times[index - 1] ?? 0))
}
