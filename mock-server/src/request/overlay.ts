import { addAbortListener } from 'node:events'
import { systemClock } from '../base/clock.js'
import type { VirtualClock } from '../base/virtual-clock.js'
import { parseJson } from '../domain/json.js'
import { failureAnswer, failureOf } from '../http/failure.js'
import type { MatchableRequest } from '../rules/match.js'
import { FaultError, performRule } from '../rules/perform.js'
import type { Rules } from '../rules/rules.js'
import { StoreError } from '../store/errors.js'
import { streamed } from './answer.js'
import type { Exchange } from './exchange.js'
import {
  copyBody,
  type ExchangeOutcome,
  loggedExchange,
  pairsOf,
  parseForm,
  type RequestEntry,
} from './log/log-exchange.js'
import type { RequestLog } from './log/request-log.js'

export interface ExaminedExchange {
  readonly exchange: Exchange
  readonly entry: RequestEntry
  readonly startedAt: number
  readonly answeredAt: number
  readonly body: Uint8Array
}

/**
 * Examines a client. Its rules come before all others and outlive a reset, and it sees all
 * exchanges.
 */
export interface Examiner {
  readonly rules: Pick<Rules, 'take' | 'wantsBody'>
  see(sight: ExaminedExchange): void
}

interface OverlayOptions {
  readonly rules: Rules
  readonly log: RequestLog
  /** The clock of the sandbox. Delays and durations use host time. */
  readonly clock: VirtualClock
  readonly examiner: () => Examiner | undefined
}

function subjectOf({
  operation,
  method,
  path,
  query,
  headers,
  parameters,
}: Exchange): MatchableRequest {
  const { org_slug, pipeline_slug, number } = parameters
  const named = {
    org_slug,
    pipeline_slug,
    number: number === undefined ? undefined : Number(number),
  }
  return { operation, method, path, query, headers: pairsOf(headers), ...named }
}

export type Overlay = ReturnType<typeof createOverlay>

export function createOverlay({ rules, log, clock, examiner }: OverlayOptions) {
  const closing = new AbortController()
  const brokenOff = new Error('The server closes')

  const subjectFor = async (exchange: Exchange): Promise<MatchableRequest> => {
    const subject = subjectOf(exchange)
    if (!rules.wantsBody(subject) && examiner()?.rules.wantsBody(subject) !== true) return subject
    const bytes = await exchange.body()
    if (!bytes) return subject
    const text = Buffer.from(bytes).toString()
    return { ...subject, json: parseJson(text)?.value, form: parseForm(text) }
  }

  const play = async (exchange: Exchange, real: () => Promise<Response>): Promise<Response> => {
    const subject = await subjectFor(exchange)
    const rule = examiner()?.rules.take(subject) ?? rules.take(subject)
    if (!rule) return real()
    exchange.ruleId = rule.id
    const over = new AbortController()
    // Disposed of below, so that no listener stays on the signal that lives longer.
    const links = [exchange.client.signal, closing.signal].map((signal) =>
      addAbortListener(signal, () => over.abort(signal.reason)),
    )
    try {
      return await performRule(rule, {
        kind: exchange.kind,
        // A delay of a rule must not block the clock of the sandbox.
        delay: (ms) => clock.unheld(() => systemClock.sleep(ms, over.signal)),
        now: () => clock.now(),
        advanceClock: (ms) => clock.unheld(() => clock.advance(ms)),
        answer: async () => streamed(await real()),
      })
    } finally {
      for (const link of links) link[Symbol.dispose]()
    }
  }

  return {
    /**
     * Answers an exchange, by a rule or else by `real()`. A rejection means that the connection
     * breaks.
     */
    async answer(exchange: Exchange, real: () => Promise<Response>): Promise<Response> {
      const startedAt = systemClock.monotonic()
      const logged = (outcome: ExchangeOutcome) =>
        loggedExchange(exchange, log, Math.round(systemClock.monotonic() - startedAt), outcome)
      const nothing = { status: null, headers: [], body: new Uint8Array() }
      const record = log.arrive(() => logged({ outcome: 'pending', ...nothing }))
      const end = (outcome: ExchangeOutcome) => {
        const answered = logged(outcome)
        record(answered)
        const { body } = outcome
        examiner()?.see({
          exchange,
          entry: answered.entry,
          startedAt,
          answeredAt: systemClock.monotonic(),
          body,
        })
      }
      try {
        const response = await play(exchange, real)
        const outcome = {
          outcome: exchange.client.left ? 'aborted' : 'answered',
          status: response.status,
        } as const
        const body = await copyBody(response)
        end({ ...outcome, headers: pairsOf(response.headers), body })
        return response
      } catch (error) {
        // The client has left, or the server closes: the connection ends without an answer.
        const gone = exchange.client.left || error === brokenOff
        if (gone || error instanceof FaultError) {
          const outcome = error instanceof FaultError ? 'faulted' : 'aborted'
          end({ ...nothing, outcome })
          throw error instanceof FaultError ? error : new FaultError({ kind: 'networkError' })
        }
        // The caller of this function answers errors of a handler.
        const { status } = failureAnswer(failureOf(error), 'rest')
        end({ ...nothing, outcome: 'answered', status })
        throw error
      }
    },
    /** Ends all waits: with a refusal at a reset, else as a broken connection. */
    close(reset: boolean): void {
      closing.abort(reset ? new StoreError('reset', 'Sandbox was reset') : brokenOff)
      log.close()
    },
  }
}
