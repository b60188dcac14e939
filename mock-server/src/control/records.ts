import { object, optional, required } from '../fields/composites.js'
import { oneOf, text } from '../fields/scalars.js'
import type { Generation } from '../sandbox/sandbox.js'
import type { Settings } from '../sandbox/settings.js'
import type { Lifecycle, Records } from '../store/records.js'
import { deleteRecord } from './cascade.js'
import { invalidAt, notFound } from './control-error.js'
import { guarded, readParams } from './host.js'
import { findByKey, type RecordView, type ShownCollection, shownCollections, viewRecord } from './record-views.js'

/** Collections of one value, which has no key. */
export type SingleCollection = 'settings' | 'lifecycle'

export interface RecordsControl {
  /** The settings in force. */
  list(params: { readonly collection: 'settings' }): Promise<Settings>
  /** The lifecycle of builds whose pipeline names none. */
  list(params: { readonly collection: 'lifecycle' }): Promise<Lifecycle>
  /** All records of a collection; every further key filters by a field of that name. */
  list(
    params: { readonly collection: ShownCollection } & Readonly<Record<string, unknown>>,
  ): Promise<readonly RecordView[]>
  get(params: { readonly collection: ShownCollection; readonly key: string }): Promise<RecordView>
  /** Deletes a record with all that depends on it. */
  delete(params: { readonly collection: ShownCollection; readonly key: string }): Promise<void>
}

const collection = oneOf(...shownCollections)
const one = object({ collection: required(collection), key: required(text({ min: 1, max: 2100 })) })
const anyCollection = oneOf(...shownCollections, 'settings', 'lifecycle')
const many = object({ collection: required(anyCollection), live: optional(text()) }, { unknownKeys: 'dropped' })

const nouns: Readonly<Record<ShownCollection, string>> = {
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
}

/** Query strings carry text: a field equals it when their texts are equal. */
const equals = (value: unknown, wanted: unknown): boolean =>
  Array.isArray(value) ? value.some((item) => equals(item, wanted)) : String(value ?? '') === String(wanted ?? '')

const view = (
  { store, clock, oauth }: Generation,
  name: ShownCollection,
  record: Records[ShownCollection],
): RecordView => ({
  ...viewRecord(store.state, record, clock.now()),
  ...(name === 'deviceAuthorizations' && { user_code: oauth.userCodes.of(record as Records['deviceAuthorizations']) }),
})

export const createRecordsControl = (ground: () => Generation): RecordsControl => {
  const list = (params: { readonly collection: ShownCollection | SingleCollection }) =>
    guarded<unknown>(() => {
      const { collection: name, ...filters } = params
      readParams(many, { collection: name })
      const generation = ground()
      if (name === 'settings' || name === 'lifecycle') {
        const [filter] = Object.keys(filters)
        if (filter !== undefined) throw invalidAt(filter, `${name} has nothing to choose from`)
        return generation[name]
      }
      const views = [...generation.store.state.values(name)].map((record) => view(generation, name, record))
      const wanted = Object.entries(filters).filter(([, value]) => value !== undefined)
      const first = views[0]
      const unknown = first && wanted.find(([field]) => !views.some((view) => Object.hasOwn(view, field)))
      if (unknown) throw invalidAt(unknown[0], `is no field of ${name}`)
      return views.filter((view) => wanted.every(([field, value]) => equals(view[field], value)))
    })
  const get: RecordsControl['get'] = (params) =>
    guarded(() => {
      const { collection: name, key } = readParams(one, params)
      const generation = ground()
      const { state } = generation.store
      const record = findByKey(state, name, key)
      if (!record) throw notFound(nouns[name])
      return view(generation, name, record)
    })
  const remove: RecordsControl['delete'] = (params) =>
    guarded(async () => {
      const { collection: name, key } = readParams(one, params)
      await ground().store.update((tx) => {
        const record = findByKey(tx.state, name, key)
        if (!record) throw notFound(nouns[name])
        deleteRecord(tx, name, record.id)
      })
    })
  return { list: list as RecordsControl['list'], get, delete: remove }
}
