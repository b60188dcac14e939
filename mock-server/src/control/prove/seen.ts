import { type OperationId, operations } from '@buildwire/sdk/contract'
import { seededIds } from '../../base/ids.js'
import { parseJson } from '../../domain/json.js'
import type { Exchange } from '../../request/exchange.js'
import type { RequestEntry } from '../../request/log/log-exchange.js'
import type { ExaminedExchange, Examiner } from '../../request/overlay.js'
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
  /**
   * The operation, or the grant that the token endpoint was asked for; null for pages and unknown
   * paths.
   */
  readonly target: string | null
  readonly where: string
  /** Host time in ms: gaps between them are real. */
  readonly startedAt: number
  readonly answeredAt: number
  readonly good: boolean
  readonly isFault: boolean
  readonly ids: readonly unknown[]
}

/** Without a sight: what a log knows of an exchange, which keeps no host time and no whole body. */
export function seenOf(entry: RequestEntry, place: string, sight?: ExaminedExchange): Seen {
  const { operation, status, method, path } = entry
  const row = operations[operation as OperationId]
  const at = Date.parse(entry.at)
  const rows =
    row?.result === 'page' && sight ? parseJson(Buffer.from(sight.body).toString())?.value : null
  return {
    ...entry,
    target: operation === 'oauth.token' ? grantOf(entry) : operation,
    where: `${place} ${method} ${path}`,
    startedAt: sight?.startedAt ?? at,
    answeredAt: sight?.answeredAt ?? at + entry.durationMs,
    good:
      entry.outcome === 'answered' && status !== null && (status < 300 || status === row?.status),
    isFault: entry.ruleId === faultRuleId,
    ids: Array.isArray(rows) ? rows.map((one: { id?: unknown } | null) => one?.id) : [],
  }
}

/** A form parameter of a request; secrets are stand-ins, equal for equal ones. */
export function formOf({ request }: RequestEntry, name: string): string {
  return new URLSearchParams(request.body ?? '').get(name) ?? ''
}

function grantOf(entry: RequestEntry): string | null {
  const asked = formOf(entry, 'grant_type')
  return Object.keys(grantTypes).find((name) => grantTypes[name] === asked) ?? null
}

export function pageOf({ query }: Seen): number {
  return Number(new URLSearchParams(query).get('page') ?? 1)
}

/** The list that a request reads a page of: its filters, without what a walk changes. */
export function listOf({ query, where }: Seen): string {
  const filters = [...new URLSearchParams(query)].filter(
    ([name]) => !/^(?:page|per_page|created_to)$/.test(name),
  )
  return `${where}?${new URLSearchParams(filters.toSorted())}`
}

export type Reaction = (exchange: Exchange, ids: Seen['ids']) => Promise<unknown>

export function createExam(laid: readonly Rule[], react?: Reaction) {
  const rules = createRules(seededIds(1))
  for (const rule of laid) rules.create(rule)
  const all: Seen[] = []
  const reactions: Promise<unknown>[] = []
  return {
    rules,
    see(sight: ExaminedExchange) {
      const seen = seenOf(sight.entry, sight.exchange.sandbox.id, sight)
      all.push(seen)
      if (!seen.isFault || react === undefined) return
      const reaction = react(sight.exchange, seen.ids)
      // Whoever asks for what was seen hears of it.
      reaction.catch(() => undefined)
      reactions.push(reaction)
    },
    async seen(): Promise<readonly Seen[]> {
      await Promise.all(reactions)
      return all.toSorted((a, b) => a.startedAt - b.startedAt)
    },
  } satisfies Examiner & Record<string, unknown>
}

export type Exam = ReturnType<typeof createExam>

/** What can go wrong depends on it; `create` is a write that must not be done twice. */
type Kind = 'list' | 'read' | 'create' | 'write' | 'start' | 'device' | 'exchange' | 'refresh'

export interface Use {
  /** An operation, or a grant of the token endpoint. */
  readonly target: string
  readonly kind: Kind
  readonly own: readonly Seen[]
  /** Its requests before the first that succeeded. */
  readonly skip: number
  /**
   * Its requests before the first page of a walk over several pages; -1 when it never walked on.
   */
  readonly walk: number
}

function kindOf(target: string): Kind {
  if (Object.hasOwn(grantTypes, target)) return target as Kind
  if (target === 'oauth.deviceAuthorization') return 'start'
  if (target === 'builds.create' || target === 'builds.rebuild') return 'create'
  const { method, result, retrySafe } = operations[target as OperationId]
  if (!retrySafe || (method !== 'GET' && method !== 'POST')) return 'write'
  return result === 'page' ? 'list' : 'read'
}

function walkOf(own: readonly Seen[]): number {
  const next = own.find((seen) => seen.good && pageOf(seen) > 1)
  return own.findIndex(
    (seen) => next && seen.good && pageOf(seen) === 1 && listOf(seen) === listOf(next),
  )
}

/** The operations and grants that succeeded at least once, in the order of their first use. */
export function usesOf(base: readonly Seen[]): readonly Use[] {
  const targets = new Set(base.filter(({ good }) => good).flatMap(({ target }) => target ?? []))
  return [...targets].map((target) => {
    const own = base.filter((seen) => seen.target === target)
    const kind = kindOf(target)
    const skip = kind === 'device' ? 0 : own.findIndex(({ good }) => good)
    return { target, kind, own, skip, walk: kind === 'list' ? walkOf(own) : -1 }
  })
}

export interface Audience {
  readonly whom: string
  /** How many requests of a use pass before one is struck; -1: the use does not meet the fault. */
  readonly skip: (use: Use) => number
}

function who(
  whom: string,
  kinds: readonly Kind[] | null,
  isMet: (target: string) => boolean = () => true,
): Audience {
  return {
    whom,
    skip: ({ kind, skip, target }) =>
      (kinds?.includes(kind) ?? true) && isMet(target) ? skip : -1,
  }
}

function isJson(target: string) {
  return /^(?:page|record)$/.test(operations[target as OperationId].result)
}

function isBuild(target: string) {
  return isJson(target) && /^(?:builds|jobs)\./.test(target)
}

export const by = {
  requests: who('every request', null),
  creates: who('creating and rebuilding', ['create']),
  reads: who('reading', ['list', 'read']),
  jsonReads: who('reading JSON', ['list', 'read'], isJson),
  buildReads: who('reading builds and jobs', ['list', 'read'], isBuild),
  downloads: who('downloading artifacts', null, (target) => target === 'artifacts.download'),
  logins: who('starting a device login', ['start']),
  polls: who('polling for a device login', ['device']),
  repeats: who('reading, starting and polling for a device login', [
    'list',
    'read',
    'start',
    'device',
  ]),
  exchanges: who('exchanging tokens', ['exchange']),
  refreshes: who('refreshing a login', ['refresh']),
  walks: { whom: 'walking over pages', skip: ({ walk }) => walk },
  buildWalks: {
    whom: 'walking over pages of builds',
    skip: ({ walk, target }) => (target.startsWith('builds.') ? walk : -1),
  },
} satisfies Record<string, Audience>
