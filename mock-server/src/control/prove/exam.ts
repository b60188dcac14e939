import { type OperationId, operations } from '@buildwire/sdk/contract'
import { seededIds } from '../../base/ids.js'
import type { Examiner, Exchange, Sight } from '../../request/exchange.js'
import type { RequestEntry } from '../../request/log/entry.js'
import { createRules, type Rules } from '../../rules/rules.js'

/** The rule that makes a fault: a request whose entry names it has met the fault. */
export const faultRuleId = 'prove:fault'

/** One exchange, as judges look at it. */
export interface Seen {
  readonly entry: RequestEntry
  /** The operation, or the grant that the token endpoint was asked for; null for pages and unknown paths. */
  readonly target: string | null
  /** The sandbox. */
  readonly place: string
  /** Host time in ms: gaps between them are real. */
  readonly startedAt: number
  readonly answeredAt: number
  /** Whether the client got a success. */
  readonly good: boolean
  /** The ids of a list's records, in their order. */
  readonly ids: readonly unknown[]
}

/** The grants of the token endpoint, each a target of its own. */
export const grantTypes = {
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  refresh: 'refresh_token',
} as const
type GrantName = keyof typeof grantTypes

export const isGrant = (target: string): target is GrantName => Object.hasOwn(grantTypes, target)

/** A form parameter of a request; secrets are stand-ins, equal for equal ones. */
export const formValue = ({ request }: RequestEntry, name: string): string =>
  new URLSearchParams(request.body ?? '').get(name) ?? ''

/** Lists by key, keys in order of first occurrence (`Map.groupBy` is younger than Node 20). */
export const groups = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const byKey = new Map<string, T[]>()
  for (const item of items) byKey.set(keyOf(item), [...(byKey.get(keyOf(item)) ?? []), item])
  return byKey
}

const targetOf = (entry: RequestEntry): string | null => {
  if (entry.operation !== 'oauth.token') return entry.operation
  const asked = formValue(entry, 'grant_type')
  return Object.keys(grantTypes).find((name) => isGrant(name) && grantTypes[name] === asked) ?? null
}

const idsOf = ({ operation }: RequestEntry, body: Uint8Array): readonly unknown[] => {
  if (operation === null || operations[operation as OperationId].result !== 'page') return []
  try {
    const rows: unknown = JSON.parse(Buffer.from(body).toString())
    return Array.isArray(rows) ? rows.map((row: { id?: unknown } | null) => row?.id) : []
  } catch {
    return []
  }
}

/** An entry of a log that keeps no host time and no whole body. */
export const seenInLog = (entry: RequestEntry, place: string): Seen => ({
  entry,
  target: targetOf(entry),
  place,
  startedAt: Date.parse(entry.at),
  answeredAt: Date.parse(entry.at) + entry.durationMs,
  good: isGood(entry),
  ids: [],
})

const isGood = ({ operation, outcome, status }: RequestEntry): boolean =>
  outcome === 'answered' && status !== null && (status < 300 || status === operations[operation as OperationId]?.status)

/** What a fault does to the server's state when it strikes. */
export type Reaction = (exchange: Exchange, ids: Seen['ids']) => Promise<unknown>

/** Lays the rules of one fault over a server and keeps what the server saw. */
export class Exam implements Examiner {
  readonly rules: Rules = createRules(seededIds(1))
  readonly #seen: Seen[] = []
  readonly #react: Reaction | undefined
  readonly #reactions: Promise<unknown>[] = []

  constructor(react: Reaction | undefined) {
    this.#react = react
  }

  see(sight: Sight): void {
    const { exchange, entry, startedAt, answeredAt, body } = sight
    const ids = idsOf(entry, body)
    this.#seen.push({ ...seenInLog(entry, exchange.sandbox.id), startedAt, answeredAt, ids })
    if (entry.ruleId !== faultRuleId || this.#react === undefined) return
    const reaction = this.#react(exchange, ids)
    // Whoever asks for what was seen hears of it.
    reaction.catch(() => undefined)
    this.#reactions.push(reaction)
  }

  /** What was seen, in the order of arrival. */
  async seen(): Promise<readonly Seen[]> {
    await Promise.all(this.#reactions)
    return this.#seen.toSorted((a, b) => a.startedAt - b.startedAt)
  }
}
