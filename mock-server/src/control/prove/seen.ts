import { type OperationId, operations } from '@buildwire/sdk/contract'
import { seededIds } from '../../base/ids.js'
import { parseJson } from '../../domain/json.js'
import type { Exchange } from '../../request/exchange.js'
import type { RequestEntry } from '../../request/log/log-exchange.js'
import type { Examiner, Sight } from '../../request/overlay.js'
import type { Rule } from '../../rules/rule.js'
import { createRules } from '../../rules/rules.js'

/** The grants of the token endpoint, each a target of its own. */
export const grantTypes: Readonly<Record<string, string>> = {
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  refresh: 'refresh_token',
}

/** The rule that makes a fault: the entry of a request that met it names it. */
export const faultRuleId = 'prove:fault'

export interface Seen extends RequestEntry {
  /** The operation, or the grant that the token endpoint was asked for; null for pages and unknown paths. */
  readonly target: string | null
  /** Sandbox, method and path. */
  readonly where: string
  /** Host time in ms: gaps between them are real. */
  readonly startedAt: number
  readonly answeredAt: number
  readonly good: boolean
  readonly isFault: boolean
  readonly ids: readonly unknown[]
}

/** Without a sight: what a log knows of an exchange, which keeps no host time and no whole body. */
export function seenOf(entry: RequestEntry, place: string, sight?: Sight): Seen {
  const { operation, status, method, path } = entry
  const row = operations[operation as OperationId]
  const at = Date.parse(entry.at)
  const rows = row?.result === 'page' && sight ? parseJson(Buffer.from(sight.body).toString())?.value : null
  return {
    ...entry,
    target: operation === 'oauth.token' ? grantOf(entry) : operation,
    where: `${place} ${method} ${path}`,
    startedAt: sight?.startedAt ?? at,
    answeredAt: sight?.answeredAt ?? at + entry.durationMs,
    good: entry.outcome === 'answered' && status !== null && (status < 300 || status === row?.status),
    isFault: entry.ruleId === faultRuleId,
    ids: Array.isArray(rows) ? rows.map((one: { id?: unknown } | null) => one?.id) : [],
  }
}

/** A form parameter of a request; secrets are stand-ins, equal for equal ones. */
export const formOf = ({ request }: RequestEntry, name: string): string =>
  new URLSearchParams(request.body ?? '').get(name) ?? ''

function grantOf(entry: RequestEntry): string | null {
  const asked = formOf(entry, 'grant_type')
  return Object.keys(grantTypes).find((name) => grantTypes[name] === asked) ?? null
}

export const pageOf = ({ query }: Seen): number => Number(new URLSearchParams(query).get('page') ?? 1)

/** The list that a request reads a page of: its filters, without what a walk changes. */
export function listOf({ query, where }: Seen): string {
  const filters = [...new URLSearchParams(query)].filter(([name]) => !/^(?:page|per_page|created_to)$/.test(name))
  return `${where}?${new URLSearchParams(filters.toSorted())}`
}

/** What a fault does to the server's state when it strikes. */
export type Reaction = (exchange: Exchange, ids: Seen['ids']) => Promise<unknown>

/** Lays rules over a server and keeps what the server saw. */
export function createExam(laid: readonly Rule[], react?: Reaction) {
  const rules = createRules(seededIds(1))
  for (const rule of laid) rules.create(rule)
  const all: Seen[] = []
  const reactions: Promise<unknown>[] = []
  return {
    rules,
    see(sight: Sight) {
      const seen = seenOf(sight.entry, sight.exchange.sandbox.id, sight)
      all.push(seen)
      if (!seen.isFault || react === undefined) return
      const reaction = react(sight.exchange, seen.ids)
      // Whoever asks for what was seen hears of it.
      reaction.catch(() => undefined)
      reactions.push(reaction)
    },
    /** What was seen, in the order of arrival. */
    async seen(): Promise<readonly Seen[]> {
      await Promise.all(reactions)
      return all.toSorted((a, b) => a.startedAt - b.startedAt)
    },
  } satisfies Examiner & Record<string, unknown>
}
export type Exam = ReturnType<typeof createExam>
