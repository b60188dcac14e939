import type { PathKind } from '../http/target.js'
import { cannedResponse, patchResponse, presetAnswers, spoil } from './answers.js'
import type { Action, SocketFault } from './rule.js'

/** A response that breaks HTTP on purpose; the adapter that took the request sends it. */
export type WireFault =
  | { readonly kind: 'networkError' }
  | {
      readonly kind: 'socket'
      readonly socket: SocketFault
      readonly bytesPerSecond: number
      /** The answer that is torn, dripped or spoilt. */
      readonly answer: Response
    }

/**
 * What a door without socket makes of a fault. `networkError` looks as a reset connection does to
 * `fetch`: `cause.code` is ECONNRESET. A socket fault cannot be played here: `code` is
 * `fault_needs_port`.
 */
export class FaultError extends TypeError {
  readonly code: 'ECONNRESET' | 'fault_needs_port'
  readonly fault: WireFault

  constructor(fault: WireFault) {
    const code = fault.kind === 'networkError' ? 'ECONNRESET' : 'fault_needs_port'
    const message =
      fault.kind === 'networkError'
        ? 'fetch failed'
        : `The socket fault ${fault.socket} needs a port: call listen() and use its URL`
    super(message, {
      cause: Object.assign(new Error(code === 'ECONNRESET' ? 'read ECONNRESET' : message), {
        code,
      }),
    })
    this.name = 'FaultError'
    this.code = code
    this.fault = fault
  }
}

/** A rule that applies to one request; `dice` is its own stream for this very match. */
export interface AppliedRule {
  readonly id: string
  readonly actions: readonly Action[]
  dice(draw: number): number
}

export interface RuleEffects {
  /** What serves the path: presets speak its words. */
  readonly kind: PathKind
  /** Waits on host time; rejects when the client leaves or the server stops. */
  delay(ms: number): Promise<void>
  now(): number
  advanceClock(ms: number): Promise<unknown>
  answer(): Promise<Response>
}

/** Faults that spoil an answer on its way; the others need none. */
const spoilsAnswer: ReadonlySet<SocketFault> = new Set([
  'resetMidBody',
  'malformedChunk',
  'dripBody',
])

function stopgap() {
  return cannedResponse({ status: 200, json: { message: 'This answer does not arrive whole' } })
}

function delayOf(
  delay: number | { readonly min: number; readonly max: number },
  dice: number,
): number {
  return typeof delay === 'number'
    ? delay
    : Math.round(delay.min + dice * Math.max(0, delay.max - delay.min))
}

/**
 * Times of the wire have years of four digits: a rule that would lead out of them advances no more.
 */
const lastMoment = Date.parse('9999-12-31T00:00:00Z')

/**
 * Plays a rule's actions in their order. @throws FaultError; what `delay` rejects with when the
 * client leaves
 */
export async function performRule(rule: AppliedRule, stage: RuleEffects): Promise<Response> {
  let response: Response | null = null
  const current = async (): Promise<Response> => {
    response ??= await stage.answer()
    return response
  }
  for (const [n, action] of rule.actions.entries()) {
    if ('delayMs' in action) await stage.delay(delayOf(action.delayMs, rule.dice(n + 1)))
    else if ('advanceClockMs' in action) {
      if (stage.now() + action.advanceClockMs <= lastMoment)
        await stage.advanceClock(action.advanceClockMs)
    } else if ('respond' in action) response = cannedResponse(action.respond)
    else if ('preset' in action) {
      const canned = presetAnswers[action.preset]?.(stage.kind, stage.now())
      response = canned ? cannedResponse(canned) : await spoil(action.preset, await current())
    } else if ('patchResponse' in action)
      response = await patchResponse(await current(), action.patchResponse)
    else if ('networkError' in action) {
      if (action.networkError === 'afterCommit') await current()
      throw new FaultError({ kind: 'networkError' })
    } else {
      const { socket, commit, bytesPerSecond } = action
      const answer =
        (commit ?? spoilsAnswer.has(socket)) ? await current() : (response ?? stopgap())
      throw new FaultError({ kind: 'socket', socket, bytesPerSecond: bytesPerSecond ?? 64, answer })
    }
  }
  return current()
}
