import { timestamp } from '../domain/timestamp.js'
import type { Given, Table } from '../fields/composites.js'
import { entriesOf, type IssueList, isPlainObject, type Path } from '../fields/field.js'
import { type Defaults, type Merged, merge } from '../fields/merge.js'
import type { Collection, Records } from '../records/records.js'
import { type NaturalKeys, naturalKeys } from '../store/natural-keys.js'
import type { Transaction } from '../store/store.js'
import type { SeedContext } from './context.js'
import { readTime } from './words.js'

const organizationLists = ['members', 'queues', 'agents', 'pipelines', 'suites'] as const

interface Kind {
  readonly by: keyof NaturalKeys
  /** The key that carries the name. */
  readonly key: string
  /** What lies inside it and is looked at on its own. */
  readonly lists?: readonly string[]
}

/** What a document names, and by what natural key it is found. */
const kinds = {
  user: { by: 'userByEmail', key: 'email' },
  organization: { by: 'organizationBySlug', key: 'slug', lists: organizationLists },
  pipeline: { by: 'pipelineBySlug', key: 'slug', lists: ['builds'] },
  suite: { by: 'suiteBySlug', key: 'slug', lists: ['tests'] },
  queue: { by: 'queueByKey', key: 'key' },
  agent: { by: 'agentByName', key: 'name' },
  test: { by: 'testByName', key: 'name' },
  application: { by: 'applicationByClientId', key: 'client_id' },
  'access token': { by: 'accessTokenByName', key: 'name' },
} as const satisfies Readonly<Record<string, Kind>>

type KindName = keyof typeof kinds
type KeyOf<K extends KindName> = NaturalKeys[(typeof kinds)[K]['by']]
type Found<K extends KindName> = Records[KeyOf<K>['collection']]
type Own<K extends KindName> = { readonly [N in 'id' | (typeof kinds)[K]['key']]: () => string }

const declaredIn = (document: unknown): ReadonlySet<string> => {
  const organizations = entriesOf(document, 'organizations')
  const names = (kind: KindName, owners: readonly unknown[]): readonly string[] =>
    owners
      .flatMap((owner) => entriesOf(owner, `${kind}s`))
      .map((item) => `${kind}\0${String(item[kinds[kind].key]).toLowerCase()}`)
  return new Set([
    ...(['user', 'application', 'organization'] as const).flatMap((kind) => names(kind, [document])),
    ...(['pipeline', 'suite', 'queue'] as const).flatMap((kind) => names(kind, organizations)),
  ])
}

/** What one document does to a store, while it is read. */
export type Loading = ReturnType<typeof startLoading>

export const startLoading = (tx: Transaction, context: SeedContext, issues: IssueList, document: unknown) => {
  const faulty = issues.issues.map(({ path }) => path)
  const counts = { created: 0, updated: 0 }
  const seen = new Map<string, Path>()
  const declared = declaredIn(document)
  const created = new Set<string>()
  const { state } = tx
  const loading = {
    tx,
    state,
    context,
    issues,
    counts,
    /** Writes a record and counts it as made or changed. */
    put<C extends Collection>(collection: C, record: Records[C], stored: Records[C] | undefined): void {
      if (stored === undefined) {
        counts.created += 1
        created.add(record.id)
      } else if (!created.has(record.id)) counts.updated += 1
      tx.put(collection, record)
    },
    /** False when the shape check found a fault in this very object; its `lists` are looked at on their own. */
    sound: (at: Path, lists: readonly string[] = []): boolean =>
      !faulty.some((path) => at.every((part, n) => path[n] === part) && !lists.includes(String(path[at.length]))),
    /** The entries of a list, each with its place. What is no list or no object is left out: it is reported already. */
    entries: <T>(list: readonly T[] | null | undefined, at: Path): readonly (readonly [T, Path])[] =>
      Array.isArray(list) && loading.sound(at, [...list.keys()].map(String))
        ? list.flatMap((entry: T, n) => (isPlainObject(entry) ? [[entry, [...at, n]] as const] : []))
        : [],
    /** Refuses a natural key or id that this document gives twice. */
    once(kind: string, name: string, at: Path): boolean {
      const key = `${kind}\0${name}`
      const first = seen.get(key)
      if (first === undefined) seen.set(key, at)
      else issues.issue(at, `${JSON.stringify(name)} is already given earlier in this document`)
      return first === undefined
    },
    /** What a name means; reports one that means nothing, unless its thing stands in the document and is faulty itself. */
    refer<K extends KindName>(kind: K, at: Path, ...parts: KeyOf<K>['parts']): Found<K> | undefined {
      const found = state.find(kinds[kind].by, ...parts)
      const name = String(parts.at(-1))
      const isFaulty = faulty.length > 0 && declared.has(`${kind}\0${name.toLowerCase()}`)
      if (found === undefined && !isFaulty) issues.issue(at, `there is no ${kind} ${JSON.stringify(name)}`)
      return found as Found<K> | undefined
    },
    /**
     * Which record an entry of the document means, by id, else by name; a new one gets the next id. Undefined, and
     * reported, where the entry is faulty. `own`: what is known of it already.
     */
    identify<K extends KindName>(
      kind: K,
      given: { readonly id?: string | null | undefined },
      at: Path,
      ...within: readonly string[]
    ): { stored: Found<K> | undefined; id: string; name: string; own: Own<K> } | undefined {
      const { by, key, lists = [] }: Kind = kinds[kind]
      if (!loading.sound(at, lists)) return undefined
      const { collection, fold = String } = naturalKeys[by]
      const find = (name: string) => (state as Finder).find(by, ...within, name) as Found<K> | undefined
      const wanted: unknown = Reflect.get(given, key)
      const stored = given.id ? (state.get(collection, given.id) as Found<K> | undefined) : find(String(wanted ?? ''))
      const name: unknown = wanted ?? (stored && Reflect.get(stored, key))
      if (typeof name !== 'string') {
        issues.issue([...at, key], `is required for a new ${kind}`)
        return undefined
      }
      if (!loading.once(`${kind} of ${JSON.stringify(within)}`, fold(name), [...at, key])) return undefined
      const known = stored?.id ?? given.id
      const holder = find(name)
      if (holder && holder.id !== known) {
        issues.issue([...at, key], `belongs to another ${kind}`)
        return undefined
      }
      const id = known ?? context.uuid(kind === 'access token' ? 'accessToken' : kind)
      return { stored, id, name, own: { id: () => id, [key]: () => name } as Own<K> }
    },
    merge: <T extends Table, const D extends Defaults<T>>(
      table: T,
      given: Given<T>,
      stored: object | undefined,
      defaults: D,
    ): Merged<T, D> => merge(table, given, stored, defaults, context.now),
    time: (given: string): string => timestamp(readTime(given, context.now) ?? context.now),
  }
  return loading
}

interface Finder {
  find(key: keyof NaturalKeys, ...parts: readonly string[]): unknown
}
