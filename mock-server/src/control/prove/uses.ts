import { type OperationId, operations } from '@buildwire/sdk/contract'
import { groups } from '../../base/groups.js'
import {
  type AnsweredRecord,
  grantTypes,
  keyOf,
  listOf,
  pageOf,
  type SeenRequest,
} from './requests.js'

/**
 * What a client may do when requests of a kind fail: fail itself, or pass without the response.
 * `extra` are logs, artifacts and annotations.
 */
const kinds = {
  list: { mayFail: false, mayBeDropped: false },
  read: { mayFail: false, mayBeDropped: false },
  extra: { mayFail: false, mayBeDropped: true },
  write: { mayFail: true, mayBeDropped: false },
  start: { mayFail: false, mayBeDropped: true },
  device: { mayFail: false, mayBeDropped: true },
  exchange: { mayFail: false, mayBeDropped: true },
  refresh: { mayFail: true, mayBeDropped: true },
} as const

export type RequestKind = keyof typeof kinds

/** An operation or a grant that a client uses, with its requests in the run without a fault. */
export interface Use {
  readonly target: string
  readonly kind: RequestKind
  readonly requests: readonly SeenRequest[]
}

export function kindOf(target: string): RequestKind {
  if (Object.hasOwn(grantTypes, target)) return target as RequestKind
  if (target === 'oauth.deviceAuthorization') return 'start'
  const { method, result, retrySafe } = operations[target as OperationId]
  const isRead = retrySafe && (method === 'GET' || method === 'POST')
  if (!isRead) return 'write'
  if (/^(?:artifacts|annotations)\.|^jobs\.log/.test(target)) return 'extra'
  return result === 'page' ? 'list' : 'read'
}

export function factsOf(kind: RequestKind): (typeof kinds)[RequestKind] {
  return kinds[kind]
}

/** A write that does its work again when it is sent again. */
export function isOnce(target: string): boolean {
  return (
    kindOf(target) === 'write' &&
    target !== 'graphql' &&
    !operations[target as OperationId].retrySafe
  )
}

/** The operations and grants that succeeded at least once, in the order of their first use. */
export function usesOf(base: readonly SeenRequest[]): readonly Use[] {
  const targets = new Set(base.filter(({ good }) => good).flatMap(({ target }) => target ?? []))
  return [...targets].map((target) => ({
    target,
    kind: kindOf(target),
    requests: base.filter((request) => request.target === target),
  }))
}

const ends: readonly unknown[] = ['passed', 'failed', 'canceled', 'skipped', 'not_run']

/** A build that moves no more; one that waits at a gate keeps the state that it had before. */
export function isOver({ state, blocked }: AnsweredRecord): boolean {
  return ends.includes(state) && blocked !== true
}

export interface Audience {
  readonly whom: string
  /** The request of the use that is struck; undefined: the use does not meet the fault. */
  readonly struck: (use: Use) => SeenRequest | undefined
}

function firstGood({ kind, requests }: Use): SeenRequest | undefined {
  return kind === 'device' ? requests[0] : requests.find(({ good }) => good)
}

function who(
  whom: string,
  some: readonly RequestKind[] | null,
  isMet: (target: string) => boolean = () => true,
): Audience {
  return {
    whom,
    struck: (use) =>
      (some?.includes(use.kind) ?? true) && isMet(use.target) ? firstGood(use) : undefined,
  }
}

function isJson(target: string): boolean {
  return /^(?:page|record)$/.test(operations[target as OperationId].result)
}

function isBuild(target: string): boolean {
  return isJson(target) && /^(?:builds|jobs)\./.test(target)
}

/** The first page of the first list that is read beyond it. */
function walkStart({ kind, requests }: Use): SeenRequest | undefined {
  if (kind !== 'list') return undefined
  const next = requests.find((request) => request.good && pageOf(request) > 1)
  return requests.find(
    (request) => next && request.good && pageOf(request) === 1 && listOf(request) === listOf(next),
  )
}

/** The first request of a build that is asked for until it is over. */
function waitStart({ target, requests }: Use): SeenRequest | undefined {
  if (target !== 'builds.get') return undefined
  const good = requests.filter((request) => request.good)
  for (const polls of groups(good, keyOf).values()) {
    const states = polls.flatMap(({ records }) => records.slice(0, 1))
    const last = states.at(-1)
    if (states[0] && last && !isOver(states[0]) && isOver(last)) return polls[0]
  }
  return undefined
}

/** A build that is read as canceled. */
function cancelRead({ target, requests }: Use): SeenRequest | undefined {
  return target === 'builds.get'
    ? requests.find(({ good, records: [build] }) => good && build?.state === 'canceled')
    : undefined
}

function withToken(isMeant: (request: SeenRequest) => boolean): Audience['struck'] {
  return ({ requests }) =>
    requests.find((one) => one.good && one.accessTokenId !== null && isMeant(one))
}

const reading = ['list', 'read', 'extra'] as const

export const by = {
  requests: who('every request', null),
  api: who('reading and writing', [...reading, 'write']),
  onceWrites: who('creating, rebuilding, retrying and annotating', ['write'], isOnce),
  reads: who('reading', reading),
  streams: who('reading lists, logs and artifacts', ['list', 'extra']),
  json: who('reading JSON and writing', [...reading, 'write'], isJson),
  jsonReads: who('reading JSON', reading, isJson),
  buildReads: who('reading builds and jobs', reading, isBuild),
  starts: who('starting a device login', ['start']),
  polls: who('polling for a device login', ['device']),
  repeats: who('reading, writing, starting and polling for a device login', [
    ...reading,
    'write',
    'start',
    'device',
  ]),
  exchanges: who('exchanging tokens', ['exchange']),
  refreshes: who('refreshing a login', ['refresh']),
  walks: { whom: 'walking over pages', struck: walkStart },
  buildWalks: {
    whom: 'walking over pages of builds',
    struck: (use) => (use.target.startsWith('builds.') ? walkStart(use) : undefined),
  },
  givenTokens: {
    whom: 'using a token that it was given',
    struck: withToken(({ client_id }) => client_id === null),
  },
  grantedTokens: {
    whom: 'using a token of a grant',
    struck: withToken(({ client_id }) => client_id !== null),
  },
  waits: { whom: 'waiting for the end of a build', struck: waitStart },
  cancelReads: { whom: 'canceling a build and reading it', struck: cancelRead },
} satisfies Record<string, Audience>

/**
 * Where else a fault strikes a use: at the second page of a walk, and at the last request that asks
 * for something else than the first.
 */
export function laterRequests(use: Use): readonly (readonly [name: string, SeenRequest])[] {
  const first = firstGood(use)
  if (first === undefined || !['list', 'read', 'extra', 'write'].includes(use.kind)) return []
  const start = walkStart(use)
  const page =
    start &&
    use.requests.find((one) => one.good && pageOf(one) === 2 && listOf(one) === listOf(start))
  const other = use.requests.findLast((one) => one.good && one.path !== first.path)
  return [
    ...(page ? [['page-2', page] as const] : []),
    ...(other ? [['later', other] as const] : []),
  ]
}
