import { performance } from 'node:perf_hooks'
import type { ChildResult } from '../cli/support/child.js'
import { openRenewable, type Renewable } from '../support/renewable.js'
import type { StressTask } from './task.js'

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: null } as const
type Ending = keyof typeof codes
const endings = Object.keys(codes) as Ending[]

const list = ['builds', 'list', '-p', 'acme/web', '--context', 'c']

/**
 * Renews a login and sends a signal this many milliseconds after the server has rotated its token.
 */
async function renewAndSignal(
  shop: Renewable,
  ending: Ending,
  delayMs: number,
): Promise<ChildResult> {
  let kill: () => void = () => undefined
  shop.onRenewal = () => void setTimeout(() => kill(), delayMs)
  const ended = await shop.ci(list, {
    onSpawn: (child) => {
      kill = () => child.kill(ending)
    },
  })
  shop.onRenewal = () => undefined
  return ended
}

/**
 * The error after one renewal that a signal interrupted. Null if the login works, or if the next
 * command explains why it has ended.
 */
export async function signalRound(
  shop: Renewable,
  ending: Ending,
  delayMs: number,
  limitMs: number,
) {
  await shop.logIn(['c'])
  const ended = await renewAndSignal(shop, ending, delayMs)
  const expected = codes[ending]
  // A signal after the last step of the command ends the process itself; shells report the same
  // code.
  const isEnded = ended.code === expected || ended.signal === ending || ended.code === 0
  if (!isEnded) return `${ending} ended it with ${ended.code}: ${ended.stderr}`
  const timed = async () => {
    const started = performance.now()
    const result = await shop.ci(list)
    return { ...result, ms: Math.round(performance.now() - started) }
  }
  const next = await timed()
  const lostLogin =
    /Error: the login of context c has ended\n {2}A command that renewed it was ended.*\n {2}Try: ci auth login/
  const isRight =
    next.code === 0 || (ending === 'SIGKILL' && next.code === 4 && lostLogin.test(next.stderr))
  if (!isRight)
    return `after ${ending} ${delayMs} ms in, the next command ended with ${next.code}: ${next.stderr}`
  if (next.ms <= limitMs) return null
  // On a busy machine every command is slow, so the time is compared with a command that has
  // nothing to renew.
  const usual = await timed()
  return next.ms - usual.ms > limitMs
    ? `after ${ending} the next command took ${next.ms} ms, then ${usual.ms}`
    : null
}

/** Sends each signal at random times of a renewal whose response is delayed by 300 ms. */
export const run: StressTask = async ({ within, roll, requests = 200, log }) => {
  await using shop = await openRenewable()
  shop.holdMs = 300
  let rounds = 0
  let failure: string | undefined
  while (rounds < requests && failure === undefined && within()) {
    const ending = endings[rounds % endings.length] ?? 'SIGINT'
    failure = (await signalRound(shop, ending, Math.floor(roll() * 400), 2_000)) ?? undefined
    rounds += 1
    if (rounds % 20 === 0) log(`${rounds} signals`)
  }
  return { figures: { signals: rounds }, failure }
}
