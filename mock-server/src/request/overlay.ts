import type { Clock } from '../base/clock.js'
import { parseJson } from '../domain/json.js'
import { failureAnswer, failureOf } from '../http/failure.js'
import { FaultError } from '../rules/fault.js'
import type { Subject } from '../rules/match.js'
import { performRule } from '../rules/perform.js'
import type { Rules } from '../rules/rules.js'
import { StoreError } from '../store/errors.js'
import { streamed } from './answer.js'
import type { Examiner, Exchange } from './exchange.js'
import { parseForm } from './log/bodies.js'
import { copyBody, dialectOf, loggedExchange, type Outcome, pairsOf } from './log/log-exchange.js'
import type { RequestLog } from './log/request-log.js'

interface OverlayOptions {
  readonly rules: Rules
  readonly log: RequestLog
  /** Delays and durations are the host's time. */
  readonly host: Clock
  now(): number
  advanceClock(ms: number): Promise<unknown>
  /** Whose rules go before the sandbox's own, and who sees every exchange. */
  readonly examiner: () => Examiner | undefined
  /** Runs what must not keep the sandbox clock from advancing, although the request does. */
  unheld<T>(work: () => Promise<T>): Promise<T>
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const subjectOf = (exchange: Exchange): Subject => {
  const { org_slug, pipeline_slug, number } = exchange.parameters
  return {
    operation: exchange.operation,
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    headers: pairsOf(exchange.headers),
    org_slug,
    pipeline_slug,
    number: number === undefined ? undefined : Number(number),
  }
}

/** Aborts with the first of two signals. Released, it leaves nothing behind on the one that lives longer. */
const linkSignals = (...signals: readonly AbortSignal[]) => {
  const either = new AbortController()
  const releases = signals.map((signal) => {
    const abort = () => either.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  return { signal: either.signal, release: () => releases.forEach((release) => void release()) }
}

/** Rules, and a log of all that was asked and answered. */
export type Overlay = ReturnType<typeof createOverlay>

export const createOverlay = (options: OverlayOptions) => {
  const { rules, log, host } = options
  const closing = new AbortController()
  const brokenOff = new Error('The server closes')

  const subjectFor = async (exchange: Exchange): Promise<Subject> => {
    const subject = subjectOf(exchange)
    if (!rules.wantsBody(subject) && options.examiner()?.rules.wantsBody(subject) !== true) return subject
    const bytes = await exchange.body()
    if (!bytes) return subject
    const text = textOf(bytes)
    return { ...subject, json: parseJson(text)?.value, form: parseForm(text) }
  }

  const play = async (exchange: Exchange, real: () => Promise<Response>): Promise<Response> => {
    const subject = await subjectFor(exchange)
    const rule = options.examiner()?.rules.take(subject) ?? rules.take(subject)
    if (!rule) return real()
    exchange.ruleId = rule.id
    const over = linkSignals(exchange.client.signal, closing.signal)
    try {
      const performed = await performRule(rule, {
        dialect: dialectOf(exchange),
        delay: (ms) => options.unheld(() => host.sleep(ms, over.signal)),
        now: () => options.now(),
        advanceClock: (ms) => options.unheld(() => options.advanceClock(ms)),
        answer: async () => streamed(await real()),
      })
      if (performed.kind === 'fault') throw new FaultError(performed.fault)
      return performed.response
    } finally {
      over.release()
    }
  }

  return {
    /** Answers the exchange, by `real()` unless a rule has it otherwise; a rejection is a broken connection. */
    async answer(exchange: Exchange, real: () => Promise<Response>): Promise<Response> {
      const startedAt = host.monotonic()
      const logged = (outcome: Outcome) =>
        loggedExchange(exchange, log, Math.round(host.monotonic() - startedAt), outcome)
      const nothing = { status: null, headers: [], body: new Uint8Array() }
      const record = log.arrive(() => logged({ outcome: 'pending', ...nothing }))
      const end = (outcome: Outcome) => {
        const answered = logged(outcome)
        record(answered)
        const { body } = outcome
        options.examiner()?.see({ exchange, entry: answered.entry, startedAt, answeredAt: host.monotonic(), body })
      }
      try {
        const response = await play(exchange, real)
        const outcome = { outcome: exchange.client.left ? 'aborted' : 'answered', status: response.status } as const
        const body = await copyBody(response)
        end({ ...outcome, headers: pairsOf(response.headers), body })
        return response
      } catch (error) {
        // Nobody waits for an answer any more: for whoever still listens the connection is gone.
        const gone = exchange.client.left || error === brokenOff
        if (gone || error instanceof FaultError) {
          const outcome = error instanceof FaultError ? 'faulted' : 'aborted'
          end({ ...nothing, outcome })
          throw error instanceof FaultError ? error : new FaultError({ kind: 'networkError' })
        }
        // What a handler throws is answered further out.
        const { status } = failureAnswer(failureOf(error), 'rest')
        end({ ...nothing, outcome: 'answered', status })
        throw error
      }
    },
    /** Ends waits: in a reset with its refusal, else as a broken connection. */
    close(reset: boolean): void {
      closing.abort(reset ? new StoreError('reset', 'Sandbox was reset') : brokenOff)
      log.close()
    },
  }
}
