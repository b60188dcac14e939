import { type OperationId, operations } from '@buildwire/sdk/contract'
import { groups } from '../../base/groups.js'
import {
  type AnsweredRecord,
  contentTarget,
  grantTypes,
  keyOf,
  listOf,
  nextPageOf,
  pageOf,
  type SeenRequest,
} from './requests.js'

interface KindFacts {
  readonly mayFail?: boolean
  readonly mayBeDropped?: boolean
  readonly bringsToken?: boolean
}

/**
 * What a client may do when requests of a kind fail: fail itself, or pass without the response.
 * `extra` are logs, artifacts and annotations.
 */
const kinds = {
  list: {},
  read: {},
  extra: { mayBeDropped: true },
  write: { mayFail: true },
  start: { bringsToken: true },
  device: { bringsToken: true },
  exchange: { bringsToken: true },
  refresh: { mayFail: true, bringsToken: true },
} as const

export type RequestKind = keyof typeof kinds

/** An operation or a grant that a client uses, with its requests in the run without a fault. */
export interface Use {
  readonly target: string
  readonly kind: RequestKind
  readonly requests: readonly SeenRequest[]
  /** All requests of the run, also those of other operations. */
  readonly everything: readonly SeenRequest[]
}

export function kindOf(target: string): RequestKind {
  if (Object.hasOwn(grantTypes, target)) return target as RequestKind
  if (target === 'oauth.deviceAuthorization') return 'start'
  if (target === contentTarget) return 'extra'
  const { method, result, retrySafe } = operations[target as OperationId]
  const isRead = retrySafe && (method === 'GET' || method === 'POST')
  if (!isRead) return 'write'
  if (/^(?:artifacts|annotations)\.|^jobs\.log/.test(target)) return 'extra'
  return result === 'page' ? 'list' : 'read'
}

export function factsOf(kind: RequestKind): KindFacts {
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
    everything: base,
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
  return /^(?:page|record)$/.test(operations[target as OperationId]?.result)
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

/** Pages of the setting `maxPerPage` under the fault. */
export const smallPage = 2

/** A list that the client reads to its end, and that fills several small pages. */
function wholeList({ kind, requests }: Use): SeenRequest | undefined {
  if (kind !== 'list') return undefined
  const lists = groups(
    requests.filter(({ good }) => good),
    listOf,
  )
  return [...lists.values()]
    .map((pages) => pages.toSorted((a, b) => pageOf(a) - pageOf(b)))
    .find((pages) => {
      const last = pages.at(-1)
      const records = pages.flatMap((page) => page.records)
      return last && nextPageOf(last) === undefined && records.length > smallPage
    })?.[0]
}

function createdIds(everything: readonly SeenRequest[]): ReadonlySet<unknown> {
  const creates = everything.filter(
    ({ operation, done }) => done && /^builds\.(?:create|rebuild)$/.test(operation ?? ''),
  )
  return new Set(creates.map(({ records }) => records[0]?.id))
}

/** The build of a response that a client may wait for: one that it created, or the first. */
export function awaitedBuild(
  { records }: SeenRequest,
  everything: readonly SeenRequest[],
): AnsweredRecord | undefined {
  const created = createdIds(everything)
  return records.find(({ id }) => created.has(id)) ?? records[0]
}

/**
 * The first read of a build that the client waits for: it created it, or reads it until its end. A
 * list is read so only for a build that the client created.
 */
function waitStart({ target, kind, requests, everything }: Use): SeenRequest | undefined {
  const isList = kind === 'list' && target.startsWith('builds.')
  if (!isList && target !== 'builds.get') return undefined
  const created = createdIds(everything)
  const good = requests.filter((request) => request.good)
  for (const polls of groups(good, keyOf).values()) {
    const builds = polls.flatMap((poll) => awaitedBuild(poll, everything) ?? [])
    const [first] = builds
    const last = builds.at(-1)
    if (first === undefined || last === undefined || !isOver(last)) continue
    const isCreated = created.has(first.id)
    const isWatched = !isOver(first)
    if (isList ? isCreated && isWatched : isCreated || isWatched) return polls[0]
  }
  return undefined
}

/** A list of builds that the client reads before it creates one. */
function listBeforeCreate({ kind, target, requests, everything }: Use): SeenRequest | undefined {
  const create = everything.find(({ operation, done }) => done && operation === 'builds.create')
  if (kind !== 'list' || !target.startsWith('builds.') || create === undefined) return undefined
  return requests.find(
    (one) => one.good && one.startedAt < create.startedAt && one.records.length > 0,
  )
}

/** A create of a build that the client changes afterwards. */
function createOfChanged({ target, requests, everything }: Use): SeenRequest | undefined {
  if (target !== 'builds.create') return undefined
  const changes = everything.filter(
    ({ done, target: name }) => done && name && kindOf(name) === 'write',
  )
  return requests.find(
    ({ done, path, records: [build] }) =>
      done && changes.some((change) => change.path.startsWith(`${path}/${build?.number}/`)),
  )
}

/** The first read of a build that the client had canceled. */
function cancelRead({ target, requests, everything }: Use): SeenRequest | undefined {
  if (target !== 'builds.get') return undefined
  const canceled = new Set(
    everything
      .filter(({ operation, done }) => done && operation === 'builds.cancel')
      .map(({ records }) => records[0]?.id),
  )
  return requests.find(
    ({ good, records: [build] }) => good && build?.state === 'canceled' && canceled.has(build.id),
  )
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
  wholeLists: { whom: 'reading a list to its end', struck: wholeList },
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
  cancels: who('canceling a build', ['write'], (target) => target === 'builds.cancel'),
  listsBeforeCreates: {
    whom: 'reading a list of builds before creating one',
    struck: listBeforeCreate,
  },
  createsOfChanged: {
    whom: 'creating a build and changing it',
    struck: createOfChanged,
  },
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
  const other = use.requests.findLast(
    (one) => one.good && pageOf(one) === 1 && keyOf(one) !== keyOf(first),
  )
  return [
    ...(page ? [['page-2', page] as const] : []),
    ...(other ? [['later', other] as const] : []),
  ]
}
