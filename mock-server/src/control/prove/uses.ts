import { type OperationId, operations } from '@buildwire/sdk/contract'
import type { Match } from '../../rules/rule.js'
import { grantTypes, isGrant, type Seen } from './exam.js'

/** What can go wrong depends on it; `create` is a write that must not be done twice. */
export type Kind = 'list' | 'read' | 'create' | 'write' | 'start' | 'device' | 'exchange' | 'refresh'

/** What the fault-free run showed that a client uses. */
export interface Use {
  /** An operation, or a grant of the token endpoint. */
  readonly target: string
  readonly kind: Kind
  readonly match: Match
  /** Its requests, by arrival. */
  readonly own: readonly Seen[]
  /** Its requests before the first that succeeded. */
  readonly skip: number
  /** Its requests before the first page of a walk over several pages; null when it never walked on. */
  readonly walk: number | null
}

const creates: ReadonlySet<string> = new Set(['builds.create', 'builds.rebuild'])

const kindOf = (target: string): Kind => {
  if (isGrant(target)) return target
  if (target === 'oauth.deviceAuthorization') return 'start'
  const { method, result, retrySafe } = operations[target as OperationId]
  if (creates.has(target)) return 'create'
  if (!retrySafe || (method !== 'GET' && method !== 'POST')) return 'write'
  return result === 'page' ? 'list' : 'read'
}

const matchOf = (target: string): Match =>
  isGrant(target) ? { operation: 'oauth.token', form: { grant_type: grantTypes[target] } } : { operation: target }

/** Which page of a list a request asks for. */
export const pageOf = ({ entry }: Seen): number => Number(new URLSearchParams(entry.query).get('page') ?? 1)

/** The list that a request reads a page of: its filters, without what a walk changes. */
export const listOf = ({ entry, place }: Seen): string => {
  const query = new URLSearchParams(entry.query)
  for (const name of ['page', 'per_page', 'created_to']) query.delete(name)
  query.sort()
  return `${place} ${entry.path}?${query}`
}

const walkOf = (own: readonly Seen[]): number | null => {
  const second = own.find((seen) => seen.good && pageOf(seen) > 1)
  if (second === undefined) return null
  const first = own.findIndex((seen) => seen.good && pageOf(seen) === 1 && listOf(seen) === listOf(second))
  return first < 0 ? null : first
}

/** The operations and grants that succeeded at least once, in the order of their first use. */
export const usesOf = (base: readonly Seen[]): readonly Use[] => {
  const targets = new Set(base.filter(({ good }) => good).flatMap(({ target }) => target ?? []))
  return [...targets].map((target) => {
    const own = base.filter((seen) => seen.target === target)
    const kind = kindOf(target)
    const skip = kind === 'device' ? 0 : own.findIndex(({ good }) => good)
    return { target, kind, match: matchOf(target), own, skip, walk: kind === 'list' ? walkOf(own) : null }
  })
}
