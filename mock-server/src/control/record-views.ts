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

/** Natural keys of the records that a record names by id, and what follows from its fields. */
const references = (state: ReadonlyState, record: object, now: number): Readonly<Record<string, unknown>> => {
  const id = (name: string): string => String(Reflect.get(record, name) ?? '')
  const found: Record<string, unknown> = {
    user: state.get('users', id('userId'))?.email,
    creator: state.get('users', id('creatorId'))?.email,
    organization: state.get('organizations', id('organizationId'))?.slug,
    pipeline: state.get('pipelines', id('pipelineId'))?.slug,
    suite: state.get('suites', id('suiteId'))?.slug,
    build: state.get('builds', id('buildId'))?.number,
    client_id: state.get('applications', id('applicationId'))?.client_id,
  }
  const listed: unknown = Reflect.get(record, 'organizationIds')
  if (Array.isArray(listed)) {
    found['organizations'] = listed.flatMap(
      (organizationId) => state.get('organizations', String(organizationId))?.slug ?? [],
    )
    found['live'] = isLive(record as Records['accessTokens'], now)
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** A record as the control API shows it: without secrets, with natural keys beside the ids. */
export type RecordView = Readonly<Record<string, unknown>> & { readonly id: string }

export const viewRecord = (state: ReadonlyState, record: Records[Collection], now: number): RecordView => ({
  ...references(state, record, now),
  ...Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name))),
  id: record.id,
})

type KeyParts = {
  readonly [C in ShownCollection]?: (
    state: ReadonlyState,
    record: Records[C],
  ) => readonly (string | number | null | undefined)[]
}

const slugOf = (state: ReadonlyState, organizationId: string) => state.get('organizations', organizationId)?.slug

/** The parts of each collection's natural key, from the outside in. */
const keyParts: KeyParts = {
  organizations: (_, { slug }) => [slug],
  users: (_, { email }) => [email],
  members: (state, { organizationId, userId }) => [slugOf(state, organizationId), state.get('users', userId)?.email],
  queues: (state, { organizationId, key }) => [slugOf(state, organizationId), key],
  pipelines: (state, { organizationId, slug }) => [slugOf(state, organizationId), slug],
  agents: (state, { organizationId, name }) => [slugOf(state, organizationId), name],
  suites: (state, { organizationId, slug }) => [slugOf(state, organizationId), slug],
  tests: (state, { suiteId, scope, name }) => {
    const suite = state.get('suites', suiteId)
    return [suite && slugOf(state, suite.organizationId), suite?.slug, scope, name]
  },
  applications: (_, { client_id }) => [client_id],
  accessTokens: (_, { name }) => [name],
  builds: (state, { organizationId, pipelineId, number }) => [
    slugOf(state, organizationId),
    state.get('pipelines', pipelineId)?.slug,
    number,
  ],
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
    const own = parts(state, record)
    if (own.every((part) => part !== null && part !== undefined) && folded(own.join(':')) === folded(key)) return record
  }
  return undefined
}
