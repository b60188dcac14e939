import { type OperationId, operations } from '@buildwire/sdk/contract'
import { grantTypes, listOf, pageOf, type Seen } from './seen.js'

/** What can go wrong depends on it; `create` is a write that must not be done twice. */
type Kind = 'list' | 'read' | 'create' | 'write' | 'start' | 'device' | 'exchange' | 'refresh'

/** What the fault-free run showed that a client uses. */
export interface Use {
  /** An operation, or a grant of the token endpoint. */
  readonly target: string
  readonly kind: Kind
  /** Its requests, by arrival. */
  readonly own: readonly Seen[]
  /** Its requests before the first that succeeded. */
  readonly skip: number
  /** Its requests before the first page of a walk over several pages; -1 when it never walked on. */
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
  return own.findIndex((seen) => next && seen.good && pageOf(seen) === 1 && listOf(seen) === listOf(next))
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
  /** In words. */
  readonly whom: string
  /** How many requests of a use pass before one is struck; -1: the use does not meet the fault. */
  readonly skip: (use: Use) => number
}

const who = (
  whom: string,
  kinds: readonly Kind[] | null,
  isMet: (target: string) => boolean = () => true,
): Audience => ({
  whom,
  skip: ({ kind, skip, target }) => ((kinds?.includes(kind) ?? true) && isMet(target) ? skip : -1),
})
const isJson = (target: string) => /^(?:page|record)$/.test(operations[target as OperationId].result)
const isBuild = (target: string) => isJson(target) && /^(?:builds|jobs)\./.test(target)

export const by = {
  requests: who('every request', null),
  creates: who('creating and rebuilding', ['create']),
  reads: who('reading', ['list', 'read']),
  jsonReads: who('reading JSON', ['list', 'read'], isJson),
  buildReads: who('reading builds and jobs', ['list', 'read'], isBuild),
  downloads: who('downloading artifacts', null, (target) => target === 'artifacts.download'),
  logins: who('starting a device login', ['start']),
  polls: who('polling for a device login', ['device']),
  repeats: who('reading, starting and polling for a device login', ['list', 'read', 'start', 'device']),
  exchanges: who('exchanging tokens', ['exchange']),
  refreshes: who('refreshing a login', ['refresh']),
  walks: { whom: 'walking over pages', skip: ({ walk }) => walk },
  buildWalks: {
    whom: 'walking over pages of builds',
    skip: ({ walk, target }) => (target.startsWith('builds.') ? walk : -1),
  },
} satisfies Record<string, Audience>
