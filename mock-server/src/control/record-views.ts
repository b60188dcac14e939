import { isLive } from '../domain/access-token.js'
import { asciiLower } from '../domain/ascii-lower.js'
import { findUserCode } from '../oauth/user-codes.js'
import type { Collection, Records } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'

/** Collections that can be read, and what one of each is; secrets are digests in the store, and not even these are shown. */
export const nouns = {
  organizations: 'organization',
  users: 'user',
  members: 'member',
  queues: 'queue',
  pipelines: 'pipeline',
  agents: 'agent',
  suites: 'suite',
  tests: 'test',
  applications: 'application',
  accessTokens: 'access token',
  refreshFamilies: 'refresh family',
  grants: 'grant',
  deviceAuthorizations: 'device authorization',
  builds: 'build',
  annotations: 'annotation',
  artifacts: 'artifact',
} as const satisfies { readonly [C in Collection]?: string }

export type ShownCollection = keyof typeof nouns
export const shownCollections = Object.keys(nouns) as readonly ShownCollection[]

/** Secrets, and what is long: the content of an artifact. */
const hidden = new Set(['digest', 'clientSecretDigest', 'deviceCodeDigest', 'userCodeDigest', 'content'])

/** Natural keys of what a record names by id. */
const references: Readonly<Record<string, (state: ReadonlyState, id: (key: string) => string) => unknown>> = {
  user: (state, id) => state.get('users', id('userId'))?.email,
  creator: (state, id) => state.get('users', id('creatorId'))?.email,
  organization: (state, id) => state.get('organizations', id('organizationId'))?.slug,
  pipeline: (state, id) => state.get('pipelines', id('pipelineId'))?.slug,
  suite: (state, id) => state.get('suites', id('suiteId'))?.slug,
  build: (state, id) => state.get('builds', id('buildId'))?.number,
  client_id: (state, id) => state.get('applications', id('applicationId'))?.client_id,
}

const referred = (state: ReadonlyState, record: object, name: string): unknown =>
  references[name]?.(state, (key) => String(Reflect.get(record, key) ?? ''))

/** What follows from a record's fields, as far as there is something. */
const beside = (state: ReadonlyState, record: object, now: number): Readonly<Record<string, unknown>> => {
  const found = Object.keys(references).map((name): [string, unknown] => [name, referred(state, record, name)])
  const listed: unknown = Reflect.get(record, 'organizationIds')
  if (Array.isArray(listed)) {
    const slugs = listed.flatMap((id) => state.get('organizations', String(id))?.slug ?? [])
    found.push(['organizations', slugs], ['live', isLive(record as Records['accessTokens'], now)])
  }
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

/** A record as the control API shows it: without secrets, with natural keys beside the ids. */
export type RecordView = Readonly<Record<string, unknown>> & { readonly id: string }

export const viewRecord = (state: ReadonlyState, record: Records[Collection], now: number): RecordView => ({
  ...beside(state, record, now),
  ...Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name))),
  id: record.id,
})

/** The parts of each collection's natural key, from the outside in. */
const keyParts: { readonly [C in ShownCollection]?: readonly string[] } = {
  organizations: ['slug'],
  users: ['email'],
  members: ['organization', 'user'],
  queues: ['organization', 'key'],
  pipelines: ['organization', 'slug'],
  agents: ['organization', 'name'],
  suites: ['organization', 'slug'],
  tests: ['suite', 'scope', 'name'],
  applications: ['client_id'],
  accessTokens: ['name'],
  builds: ['organization', 'pipeline', 'number'],
}

/** The record with this id or natural key, its parts joined by `:`; the e-mail's ASCII case does not matter. */
export const findByKey = <C extends ShownCollection>(
  state: ReadonlyState,
  collection: C,
  key: string,
): Records[C] | undefined => {
  const byId = state.get(collection, key.toLowerCase()) ?? state.get(collection, key)
  if (byId) return byId
  if (collection === 'deviceAuthorizations') {
    const found = findUserCode(state, key)
    return found?.state === 'pending' ? (found as Records[C]) : undefined
  }
  const parts = keyParts[collection]
  if (!parts) return undefined
  const folded = (text: string) => (collection === 'users' || collection === 'members' ? asciiLower(text) : text)
  for (const record of state.values(collection)) {
    const own = parts.map((part) => Reflect.get(record, part) ?? referred(state, record, part))
    const suite = collection === 'tests' && state.get('suites', (record as Records['tests']).suiteId)
    if (suite) own.unshift(referred(state, suite, 'organization'))
    if (own.every((part) => part !== null && part !== undefined) && folded(own.join(':')) === folded(key)) return record
  }
  return undefined
}
