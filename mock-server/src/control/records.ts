import { object, required } from '../fields/composites.js'
import type { Accepted } from '../fields/field.js'
import { oneOf, text } from '../fields/scalars.js'
import type { Lifecycle, Records } from '../records/records.js'
import type { Generation } from '../sandbox/sandbox.js'
import type { Settings } from '../seed/settings.js'
import type { ReadonlyState } from '../store/store.js'
import { deleteRecord } from './cascade.js'
import { invalidAt, notFound } from './control-error.js'
import { type Calls, readParams } from './host.js'
import {
  findByKey,
  nouns,
  type RecordView,
  type ShownCollection,
  shownCollections,
  viewRecord,
} from './record-views.js'

const collection = oneOf(...shownCollections)
const one = { collection: required(collection), key: required(text({ min: 1, max: 2100 })) }
const many = object(
  { collection: required(oneOf(...shownCollections, 'settings', 'lifecycle')) },
  { unknownKeys: 'dropped' },
)

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

const find = (state: ReadonlyState, name: ShownCollection, key: string): Records[ShownCollection] =>
  findByKey(state, name, key) ?? notFound(nouns[name])

export const createRecordsControl = ({ bare, call }: Calls) => ({
  list: bare((params: Accepted<typeof many>, generation): unknown => {
    const { collection: name, ...filters } = params
    readParams(many, { collection: name })
    if (name === 'settings' || name === 'lifecycle') {
      const [filter] = Object.keys(filters)
      if (filter !== undefined) throw invalidAt(filter, `${name} has nothing to choose from`)
      return generation[name]
    }
    const views = [...generation.store.state.values(name)].map((record) => view(generation, name, record))
    const wanted = Object.entries(filters).filter(([, value]) => value !== undefined)
    const unknown = views[0] && wanted.find(([field]) => !views.some((shown) => Object.hasOwn(shown, field)))
    if (unknown) throw invalidAt(unknown[0], `is no field of ${name}`)
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
})
