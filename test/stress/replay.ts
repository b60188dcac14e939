import { type Answer, type OAuthServer, startServer } from '../mock-server/oauth/oauth-server.js'
import { ec, rsa } from '../mock-server/oauth/seed.js'
import type { StressTask } from './task.js'

interface Round {
  readonly sent: number
  /** Responses that granted a token; a single-use credential allows one. */
  readonly granted: number
  /** Tokens that are in the store after the round. */
  readonly minted: number
}

const granted = (answers: readonly Answer[]): number =>
  answers.filter(({ status }) => status === 200).length

/**
 * One assertion is sent many times, in some requests with other errors: exactly one token may be
 * granted.
 */
const replayAssertion = async (s: OAuthServer, roll: () => number): Promise<Round> => {
  const before = s.liveTokens().length
  const key = roll() < 0.5 ? ec : rsa
  const jti = crypto.randomUUID()
  const once = s.assertion({ jti }, key)
  const bad = [
    { scope: 'nope' },
    { audience: 'nowhere' },
    { subject_token: 'x' },
    { expires_in: '0' },
  ]
  const sent = 2 + Math.floor(roll() * 60)
  const racing = Array.from({ length: sent }, (_, n) => {
    // The first request is valid, so that one succeeds. A re-signed JWT with the same jti counts as
    // the same assertion.
    const changes = n > 0 && roll() < 0.3 ? bad[Math.floor(roll() * bad.length)] : {}
    return s.exchange(n > 0 && roll() < 0.5 ? s.assertion({ jti }, key) : once, changes)
  })
  const answers = await Promise.all(racing)
  return { sent, granted: granted(answers), minted: s.liveTokens().length - before }
}

/** One approved device code is sent many times. */
const redeemCode = async (s: OAuthServer, roll: () => number): Promise<Round> => {
  const before = s.liveTokens().length
  const { device_code, user_code } = await s.start()
  await s.approve(user_code)
  const sent = 2 + Math.floor(roll() * 60)
  const answers = await Promise.all(Array.from({ length: sent }, () => s.poll(device_code)))
  return { sent: sent + 2, granted: granted(answers), minted: s.liveTokens().length - before }
}

/**
 * One refresh token is sent many times: one request succeeds, and the reuse by the others revokes
 * the whole family.
 */
const reuseRefreshToken = async (s: OAuthServer, roll: () => number): Promise<Round> => {
  const before = s.liveTokens().length
  const { refresh_token } = await s.login('refreshing')
  const sent = 2 + Math.floor(roll() * 30)
  const form = { grant_type: 'refresh_token', client_id: 'refreshing', refresh_token }
  const answers = await Promise.all(Array.from({ length: sent }, () => s.token(form)))
  return { sent: sent + 3, granted: granted(answers), minted: s.liveTokens().length - before + 1 }
}

const kinds = [replayAssertion, redeemCode, reuseRefreshToken]

/**
 * Races for single-use credentials, with commits that are delayed at random. The tokens in the
 * store are counted.
 */
export const run: StressTask = async ({ within, roll, requests = 200_000, log }) => {
  let rounds = 0
  let sent = 0
  let failure: string | undefined
  while (sent < requests && failure === undefined && within()) {
    // Each server serves some hundred rounds, so that counting stays fast.
    await using s = await startServer()
    for (let n = 0; n < 200 && sent < requests && failure === undefined && within(); n++) {
      if (roll() < 0.3) s.persistence.delay = new Promise((resolve) => setImmediate(resolve))
      const kind = kinds[Math.floor(roll() * kinds.length)] ?? replayAssertion
      const round = await kind(s, roll)
      rounds += 1
      sent += round.sent
      if (round.granted !== 1 || round.minted !== 1) {
        failure = `round ${rounds} (${kind.name}): ${round.sent} sent, ${round.granted} granted, ${round.minted} in the store`
      }
      await s.clock.advance(1000)
    }
    log(`${rounds} rounds`)
  }
  if (rounds === 0) failure ??= 'nothing was sent'
  return { figures: { rounds, requests: sent }, failure }
}
