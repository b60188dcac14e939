import { type OAuthServer, startServer } from '../mock-server/oauth/oauth-server.js'
import type { StressTask } from './task.js'

/** A model of RFC 8628 for one code, independent of the server's code. */
interface Model {
  readonly device_code: string
  readonly user_code: string
  readonly issuedAt: number
  state: 'pending' | 'approved' | 'denied' | 'consumed'
  intervalSeconds: number
  polledAt: number | undefined
}

/** The expected response to this poll. Updates the model as the poll updates the server. */
const expectedAnswer = (model: Model, now: number): string => {
  const age = (now - model.issuedAt) / 1000
  if (age >= 1200 || model.state === 'consumed') return 'invalid_grant'
  if (age >= 600) return 'expired_token'
  if (model.state === 'denied') return 'access_denied'
  if (model.state === 'approved') {
    model.state = 'consumed'
    return 'granted'
  }
  const early = model.polledAt !== undefined && now - model.polledAt < model.intervalSeconds * 1000
  model.polledAt = now
  if (early) model.intervalSeconds += 5
  return early ? 'slow_down' : 'authorization_pending'
}

const decide = async (
  s: OAuthServer,
  model: Model,
  approve: boolean,
): Promise<string | undefined> => {
  const { status } = await (approve ? s.approve(model.user_code) : s.deny(model.user_code))
  const open = model.state === 'pending' && s.now - model.issuedAt < 600_000
  if (open && status === 200) model.state = approve ? 'approved' : 'denied'
  const right = open ? status === 200 : [404, 409].includes(status)
  return right ? undefined : `an answer to a ${open ? 'pending' : 'closed'} code was ${status}`
}

/**
 * Thousands of polls at random times, each checked against a model. Polls of other applications in
 * between must change nothing.
 */
export const run: StressTask = async ({ within, roll, requests = 200_000, log }) => {
  const counts: Record<string, number> = {}
  let polls = 0
  let devices = 0
  let failure: string | undefined
  const goesOn = () => polls < requests && failure === undefined && within()
  while (goesOn()) {
    await using s = await startServer()
    const models: Model[] = []
    let granted = 0
    for (let step = 0; step < 4000 && goesOn(); step++) {
      const model = models.slice(-12)[Math.floor(roll() * Math.min(12, models.length))]
      const choice = roll()
      if (model === undefined || choice < 0.02) {
        const { device_code, user_code } = await s.start()
        const started = {
          device_code,
          user_code,
          issuedAt: s.now,
          polledAt: undefined,
          intervalSeconds: 5,
        }
        models.push({ ...started, state: 'pending' })
        devices += 1
      } else if (choice < 0.05) failure = await decide(s, model, roll() < 0.6)
      else if (choice < 0.25)
        await s.clock.advance(Math.floor(roll() * (roll() < 0.05 ? 200_000 : 9000)))
      else if (choice < 0.35) {
        const { body } = await s.poll(model.device_code, roll() < 0.5 ? 'narrow' : 'confidential')
        if (body['error'] !== 'invalid_grant' && body['error'] !== 'invalid_client')
          failure = 'a stranger got an answer'
      } else {
        const burst = roll() < 0.05 ? 20 : 1
        const answers = await Promise.all(
          Array.from({ length: burst }, () => s.poll(model.device_code)),
        )
        for (const { status, body } of answers) {
          const answer = status === 200 ? 'granted' : String(body['error'])
          const expected = expectedAnswer(model, s.now)
          if (answer === 'granted') granted += 1
          counts[answer] = (counts[answer] ?? 0) + 1
          if (answer !== expected) failure ??= `poll ${polls}: ${answer} instead of ${expected}`
        }
        polls += burst
      }
    }
    if (s.liveTokens().length !== granted)
      failure ??= `${s.liveTokens().length} live tokens for ${granted} granted`
    log(`${polls} polls of ${devices} devices`)
  }
  if (polls === 0) failure ??= 'nothing was polled'
  return { figures: { polls, devices, ...counts }, failure }
}
