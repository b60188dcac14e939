import { seededIds } from '../../base/ids.js'
import type { Exchange } from '../../request/exchange.js'
import type { ExaminedExchange, Examiner } from '../../request/overlay.js'
import { createRules } from '../../rules/rules.js'
import { type FaultEffect, type SeenRequest, seenRequest } from './requests.js'

/** Something that happens in the service after the request that met the fault was answered. */
export type ServiceEvent = (
  exchange: Exchange,
  records: SeenRequest['records'],
) => Promise<unknown> | undefined

/** What is shorter may be a word of any text. */
const leastToken = 16

/** Rules that apply before all others, and a record of all requests while they do. */
export function createExam(effect: FaultEffect = {}, event?: ServiceEvent) {
  const rules = createRules(seededIds(1))
  const all: SeenRequest[] = []
  const events: Promise<unknown>[] = []
  const tokens = new Set<string>()
  return {
    /** The body is read in any case: also requests that the server does not answer are compared. */
    rules: Object.assign({}, rules, { wantsBody: () => true }),
    see(sight: ExaminedExchange) {
      const seen = seenRequest(sight.entry, sight.exchange.sandbox.id, effect, sight)
      all.push(seen)
      const [, token = ''] =
        /^Bearer (.+)/i.exec(sight.exchange.headers.get('authorization') ?? '') ?? []
      if (token.length >= leastToken) tokens.add(token)
      if (!seen.isFault) return
      const happening = event?.(sight.exchange, seen.records)
      if (happening === undefined) return
      // seen() rejects with it.
      happening.catch(() => undefined)
      events.push(happening)
    },
    /** Whether a text has a token in it that a request carried. */
    showsToken: (text: string): boolean => [...tokens].some((token) => text.includes(token)),
    async seen(): Promise<readonly SeenRequest[]> {
      await Promise.all(events)
      return all.toSorted((a, b) => a.startedAt - b.startedAt)
    },
  } satisfies Examiner & Record<string, unknown>
}

export type Exam = ReturnType<typeof createExam>
