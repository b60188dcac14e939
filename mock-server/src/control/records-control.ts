import { isLive } from '../domain/access-token.js'
import { asciiLower } from '../domain/order.js'
import { object, required } from '../fields/composites.js'
import type { Accepted } from '../fields/field.js'
import { oneOf, text } from '../fields/scalars.js'
import { findUserCode } from '../oauth/oauth-state.js'
import type { Collection, Lifecycle, Records } from '../records/records.js'
import type { Generation } from '../sandbox/sandbox.js'
import type { Settings } from '../seed/settings.js'
import type { ReadonlyState, Transaction } from '../store/store.js'
import { type Calls, invalidAt, notFound, readParams } from './host.js'

/** The collections that can be read, and the noun for one record of each. */
const nouns = {
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

type ShownCollection = keyof typeof nouns
const shownCollections = Object.keys(nouns) as readonly ShownCollection[]

/** Fields that are not shown: digests of secrets, and the content of artifacts. */
const hidden = new Set([
  'digest',
  'clientSecretDigest',
  'deviceCodeDigest',
  'userCodeDigest',
  'content',
])

const references: Readonly<
  Record<string, (state: ReadonlyState, id: (key: string) => string) => unknown>
> = {
  user: (state, id) => state.get('users', id('userId'))?.email,
  creator: (state, id) => state.get('users', id('creatorId'))?.email,
  organization: (state, id) => state.get('organizations', id('organizationId'))?.slug,
  pipeline: (state, id) => state.get('pipelines', id('pipelineId'))?.slug,
  suite: (state, id) => state.get('suites', id('suiteId'))?.slug,
  build: (state, id) => state.get('builds', id('buildId'))?.number,
  client_id: (state, id) => state.get('applications', id('applicationId'))?.client_id,
}

function naturalKeyOf(state: ReadonlyState, record: object, name: string): unknown {
  return references[name]?.(state, (key) => String(Reflect.get(record, key) ?? ''))
}

function naturalKeys(
  state: ReadonlyState,
  record: object,
  now: number,
): Readonly<Record<string, unknown>> {
  const found = Object.keys(references).map((name): [string, unknown] => [
    name,
    naturalKeyOf(state, record, name),
  ])
  const listed: unknown = Reflect.get(record, 'organizationIds')
  if (Array.isArray(listed)) {
    const slugs = listed.flatMap((id) => state.get('organizations', String(id))?.slug ?? [])
    found.push(['organizations', slugs], ['live', isLive(record as Records['accessTokens'], now)])
  }
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

/** A record as the control API shows it: without secrets, with natural keys beside the ids. */
export type RecordView = Readonly<Record<string, unknown>> & { readonly id: string }

export function viewRecord(
  state: ReadonlyState,
  record: Records[Collection],
  now: number,
): RecordView {
  return {
    ...naturalKeys(state, record, now),
    ...Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name))),
    id: record.id,
  }
}

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

/**
 * Finds a record by its id or its natural key. The parts of a key are joined by `:`; ASCII case
 * does not matter in e-mail addresses.
 */
function findByKey<C extends ShownCollection>(
  state: ReadonlyState,
  collection: C,
  key: string,
): Records[C] | undefined {
  const byId = state.get(collection, key.toLowerCase()) ?? state.get(collection, key)
  if (byId) return byId
  if (collection === 'deviceAuthorizations') {
    const found = findUserCode(state, key)
    return found?.state === 'pending' ? (found as Records[C]) : undefined
  }
  const parts = keyParts[collection]
  if (!parts) return undefined
  const folded = (text: string) =>
    collection === 'users' || collection === 'members' ? asciiLower(text) : text
  for (const record of state.values(collection)) {
    const values = parts.map(
      (part) => Reflect.get(record, part) ?? naturalKeyOf(state, record, part),
    )
    const suite =
      collection === 'tests' && state.get('suites', (record as Records['tests']).suiteId)
    if (suite) values.unshift(naturalKeyOf(state, suite, 'organization'))
    const isComplete = values.every((part) => part !== null && part !== undefined)
    if (isComplete && folded(values.join(':')) === folded(key)) return record
  }
  return undefined
}

/**
 * Records that are deleted with a record, by the key that names it: unreachable ones and rights.
 */
const dependents: {
  readonly [C in Collection]?: readonly [key: string, collections: readonly Collection[]]
} = {
  organizations: [
    'organizationId',
    ['members', 'pipelines', 'suites', 'queues', 'agents', 'grants', 'deviceAuthorizations'],
  ],
  users: [
    'userId',
    ['members', 'grants', 'accessTokens', 'refreshFamilies', 'deviceAuthorizations', 'logins'],
  ],
  pipelines: ['pipelineId', ['builds']],
  suites: ['suiteId', ['tests']],
  applications: [
    'applicationId',
    ['grants', 'accessTokens', 'refreshFamilies', 'deviceAuthorizations'],
  ],
  grants: ['grantId', ['accessTokens', 'refreshFamilies', 'deviceAuthorizations']],
  refreshFamilies: ['familyId', ['accessTokens', 'usedRefreshTokens']],
}

function deleteRecord(tx: Transaction, collection: Collection, id: string): void {
  const [key, others] = dependents[collection] ?? ['', []]
  for (const other of others) {
    const named = [...tx.state.values(other)].filter((record) => Reflect.get(record, key) === id)
    for (const record of named) deleteRecord(tx, other, record.id)
  }
  if (collection === 'organizations') {
    for (const token of [...tx.state.values('accessTokens')]) {
      const { organizationIds } = token
      if (!organizationIds.includes(id)) continue
      if (organizationIds.length === 1) deleteRecord(tx, 'accessTokens', token.id)
      else
        tx.put('accessTokens', {
          ...token,
          organizationIds: organizationIds.filter((other) => other !== id),
        })
    }
  }
  if (collection === 'builds') {
    for (const annotation of [...tx.state.list('annotations', id)])
      tx.delete('annotations', annotation.id)
    for (const artifact of [...tx.state.list('artifacts', id)]) tx.delete('artifacts', artifact.id)
  }
  tx.delete(collection, id)
}

const collection = oneOf(...shownCollections)
const one = { collection: required(collection), key: required(text({ min: 1, max: 2100 })) }
const many = object(
  { collection: required(oneOf(...shownCollections, 'settings', 'lifecycle')) },
  { unknownKeys: 'dropped' },
)

/** Compares as text, because a query string has no other types. */
function equals(value: unknown, wanted: unknown): boolean {
  return Array.isArray(value)
    ? value.some((item) => equals(item, wanted))
    : String(value ?? '') === String(wanted ?? '')
}

function view(
  { store, clock, oauth }: Generation,
  name: ShownCollection,
  record: Records[ShownCollection],
): RecordView {
  return {
    ...viewRecord(store.state, record, clock.now()),
    ...(name === 'deviceAuthorizations' && {
      user_code: oauth.userCodes.of(record as Records['deviceAuthorizations']),
    }),
  }
}

function find(state: ReadonlyState, name: ShownCollection, key: string): Records[ShownCollection] {
  return findByKey(state, name, key) ?? notFound(nouns[name])
}

export function createRecordsControl({ bare, call }: Calls) {
  return {
    list: bare((params: Accepted<typeof many>, generation): unknown => {
      const { collection: name, ...filters } = params
      readParams(many, { collection: name })
      if (name === 'settings' || name === 'lifecycle') {
        const [filter] = Object.keys(filters)
        if (filter !== undefined) throw invalidAt(filter, `${name} has nothing to choose from`)
        return generation[name]
      }
      const views = [...generation.store.state.values(name)].map((record) =>
        view(generation, name, record),
      )
      const wanted = Object.entries(filters).filter(([, value]) => value !== undefined)
      const unknown =
        views[0] && wanted.find(([field]) => !views.some((shown) => Object.hasOwn(shown, field)))
      if (unknown) throw invalidAt(unknown[0], `is not a field of ${name}`)
      return views.filter((shown) => wanted.every(([field, value]) => equals(shown[field], value)))
    }) as {
      /** The settings in force. */
      (params: { readonly collection: 'settings' }): Promise<Settings>
      /** The lifecycle of builds whose pipeline names none. */
      (params: { readonly collection: 'lifecycle' }): Promise<Lifecycle>
      /** All records of a collection; every further key filters by a field of that name. */
      (
        params: { readonly collection: ShownCollection } & Readonly<Record<string, unknown>>,
      ): Promise<readonly RecordView[]>
    },
    get: call(one, ({ collection: name, key }, generation) =>
      view(generation, name, find(generation.store.state, name, key)),
    ),
    /** Deletes a record with all that depends on it. */
    delete: call(one, ({ collection: name, key }, { store }) =>
      store.update((tx) => deleteRecord(tx, name, find(tx.state, name, key).id)),
    ),
  }
}
