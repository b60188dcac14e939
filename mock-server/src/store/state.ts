import { once } from '../base/once.js'
import { changedJobs } from '../domain/changed-jobs.js'
import {
  type BuildRecord,
  type Collection,
  collections,
  type MetaRecord,
  type Records,
} from '../records/records.js'
import { BuildScopeIndex, emptyScope, type ScopedBuilds } from './build-index.js'
import { StateCounters } from './counters.js'
import { keyText, lists, type NaturalKeys, naturalKeys } from './natural-keys.js'
import type { Change } from './persistence.js'
import { SortedGroups } from './sorted-groups.js'

type RecordTables = { readonly [C in Collection]: Map<string, Records[C]> }
type KeyName = keyof NaturalKeys

const keyNames = Object.keys(naturalKeys) as KeyName[]
const keysOf = new Map(
  collections.map((collection) => [
    collection,
    keyNames.filter((key) => naturalKeys[key].collection === collection),
  ]),
)

function keyTexts(key: KeyName, record: Records[Collection] | null): readonly string[] {
  const of = naturalKeys[key].of as (
    record: Records[Collection],
  ) => readonly (readonly (string | number)[])[]
  return record === null ? [] : of(record).map((parts) => keyText(key, parts))
}

/** The key texts of both versions of a record, without those that certainly stay the same. */
function differingTexts(
  key: KeyName,
  before: Records[Collection] | null,
  after: Records[Collection] | null,
) {
  if (key !== 'buildByJob') return { gone: keyTexts(key, before), come: keyTexts(key, after) }
  const changed = changedJobs(
    (before as BuildRecord | null)?.jobs,
    (after as BuildRecord | null)?.jobs,
  )
  return {
    gone: changed.flatMap((jobs) => jobs.gone.map(({ id }) => id)),
    come: changed.flatMap((jobs) => jobs.come.map(({ id }) => id)),
  }
}

const counterPrefix = 'counter:'

/** The look-ups of a state. They use indexes, so each costs O(1) or O(page). */
export type ReadonlyState = Pick<State, 'get' | 'values' | 'count' | 'find' | 'builds' | 'list'>

/** All records in memory, with their indexes. Only `write` changes records. */
export class State {
  readonly counters: StateCounters
  readonly #tables: RecordTables
  readonly #scopes: Map<string, BuildScopeIndex>
  // Made at first use: loading writes every record, but needs few indexes.
  readonly #keys = new Map<KeyName, Map<string, string>>()
  readonly #lists = new Map<Collection, SortedGroups<Records[Collection]>>()

  /** @param from A state to copy; both share the records. */
  constructor(from?: State) {
    this.counters = new StateCounters(from?.counters)
    const tables = collections.map((collection) => [
      collection,
      new Map<string, unknown>(from ? from.#tables[collection] : []),
    ])
    this.#tables = Object.fromEntries(tables)
    this.#scopes = new Map(
      Array.from(from ? from.#scopes : [], ([id, scope]) => [id, new BuildScopeIndex(scope)]),
    )
  }

  get<C extends Collection>(collection: C, id: string): Records[C] | undefined {
    return this.#tables[collection].get(id) as Records[C] | undefined
  }

  values<C extends Collection>(collection: C): Iterable<Records[C]> {
    return this.#tables[collection].values() as Iterable<Records[C]>
  }

  count(collection: Collection): number {
    return this.#tables[collection].size
  }

  /** Finds a record by its natural key: slug, e-mail (ASCII case ignored), client_id, digest … */
  find<K extends KeyName>(
    key: K,
    ...parts: NaturalKeys[K]['parts']
  ): Records[NaturalKeys[K]['collection']] | undefined {
    const id = this.#index(key).get(keyText(key, parts))
    const found = id === undefined ? undefined : this.get(naturalKeys[key].collection, id)
    return found as Records[NaturalKeys[K]['collection']] | undefined
  }

  /** The builds of an organization or a pipeline in list order, with indexes and counts. */
  builds(scopeId: string): ScopedBuilds {
    return this.#scopes.get(scopeId) ?? emptyScope
  }

  /**
   * The pipelines of an organization, the tests of a suite, the annotations of a build, or the
   * artifacts of a build or job, in order.
   */
  list<C extends keyof typeof lists>(collection: C, groupId: string): readonly Records[C][] {
    const { groups, compare } = lists[collection]
    const made = once(
      this.#lists,
      collection,
      () =>
        new SortedGroups<Records[Collection]>(
          groups as never,
          compare as never,
          this.values(collection),
        ),
    )
    return made.group(groupId) as readonly Records[C][]
  }

  /** Puts or deletes a record and updates the indexes; returns the change that undoes it. */
  write(change: Change): Change {
    const { collection, id, record } = change
    const before = this.get(collection, id) ?? null
    const table = this.#tables[collection] as Map<string, Records[Collection]>
    if (record === null) table.delete(id)
    else table.set(id, record)
    if (collection === 'builds')
      this.#changeBuild(before as BuildRecord | null, record as BuildRecord | null)
    this.#reindex(collection, id, before, record)
    if (collection === 'meta') this.#readCounter(record as MetaRecord | null)
    this.#lists.get(collection)?.change(before, record)
    return { collection, id, record: before } as Change
  }

  /** Writes changed counters as records, so that they are stored and part of snapshots. */
  writeCounters(): readonly Change[] {
    return this.counters.takeChanged().map(([name, count]): Change => {
      const id = `${counterPrefix}${name}`
      const change: Change = { collection: 'meta', id, record: { id, value: count } }
      this.write(change)
      return change
    })
  }

  #readCounter(record: MetaRecord | null): void {
    if (record?.id.startsWith(counterPrefix) !== true || typeof record.value !== 'number') return
    this.counters.restore(record.id.slice(counterPrefix.length), record.value)
  }

  #index(key: KeyName): Map<string, string> {
    return once(this.#keys, key, () => {
      const made = new Map<string, string>()
      for (const record of this.values(naturalKeys[key].collection)) {
        for (const text of keyTexts(key, record)) made.set(text, record.id)
      }
      return made
    })
  }

  #reindex(
    collection: Collection,
    id: string,
    before: Records[Collection] | null,
    after: Records[Collection] | null,
  ) {
    for (const key of keysOf.get(collection) ?? []) {
      const index = this.#keys.get(key)
      if (index === undefined) continue
      const { gone, come } = differingTexts(key, before, after)
      const stay = new Set(come)
      for (const text of gone) if (!stay.has(text) && index.get(text) === id) index.delete(text)
      for (const text of come) if (before === null || index.get(text) !== id) index.set(text, id)
    }
  }

  #changeBuild(before: BuildRecord | null, after: BuildRecord | null): void {
    if (after !== null) this.counters.raise(`number:${after.pipelineId}`, after.number)
    const changed = changedJobs(before?.jobs, after?.jobs)
    const scopeIds = new Set<string>()
    for (const build of [before, after]) {
      if (build !== null) scopeIds.add(build.organizationId).add(build.pipelineId)
    }
    for (const scopeId of scopeIds) {
      const inScope = (build: BuildRecord | null): BuildRecord | null =>
        build?.organizationId === scopeId || build?.pipelineId === scopeId ? build : null
      once(this.#scopes, scopeId, () => new BuildScopeIndex()).change(
        inScope(before),
        inScope(after),
        changed,
      )
    }
  }
}
