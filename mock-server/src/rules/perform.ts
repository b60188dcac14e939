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
      /** The answer that is cut, slowed down or damaged. */
      readonly answer: Response
    }

/**
 * The error that a client in process gets for a fault. `networkError` looks like a reset connection
 * in `fetch`: `cause.code` is ECONNRESET. A socket fault needs a real port: `code` is
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

/** A rule that applies to a request. `dice` is a random stream of this match. */
export interface AppliedRule {
  readonly id: string
  readonly actions: readonly Action[]
  dice(draw: number): number
}

export interface RuleEffects {
  /** Presets answer in the format of this part of the server. */
  readonly kind: PathKind
  /** Waits on host time; rejects if the client disconnects or the server stops. */
  delay(ms: number): Promise<void>
  now(): number
  advanceClock(ms: number): Promise<unknown>
  answer(): Promise<Response>
}

/** The faults that need an answer of the server, which they damage. */
const needsAnswer: ReadonlySet<SocketFault> = new Set([
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

/** The last time with a year of four digits. A rule does not advance the clock beyond it. */
const lastMoment = Date.parse('9999-12-31T00:00:00Z')

/**
 * Performs the actions of a rule in order. @throws FaultError; also rejects with the error of
 * `delay` if the client disconnects
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
      const answer = (commit ?? needsAnswer.has(socket)) ? await current() : (response ?? stopgap())
      throw new FaultError({ kind: 'socket', socket, bytesPerSecond: bytesPerSecond ?? 64, answer })
    }
  }
  return current()
}
