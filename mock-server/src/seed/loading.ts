import type { Ids } from '../base/ids.js'
import { knownScopes } from '../domain/scope.js'
import { timestamp } from '../domain/timestamp.js'
import type { FieldTable, InputOf } from '../fields/composites.js'
import type { IssueList, Path } from '../fields/field.js'
import { type Defaults, type Merged, merge } from '../fields/merge.js'
import type { Collection, Records } from '../records/records.js'
import { type NaturalKeys, naturalKeys } from '../store/natural-keys.js'
import type { Transaction } from '../store/store.js'
import { readTime } from './common-fields.js'

/** What loading a seed needs of its sandbox: the time, derived ids and dice, and secrets. */
export interface SeedContext extends Pick<Ids, 'uuid' | 'dice'> {
  /** The time of the sandbox clock, epoch ms. All generated times are before it. */
  readonly now: number
  /** The extra scopes of the settings, unless the document has its own. */
  readonly extraScopes: readonly string[]
  /** Makes the value of a new access token, which the ready line shows. */
  accessToken(name: string): string
  /** The value of this access token from the options, which overrides the seed; else undefined. */
  givenAccessToken?(name: string): string | undefined
  clientSecret(client_id: string): string
}

interface NamedRecordKind {
  readonly by: keyof NaturalKeys
  /** The key that contains the name. */
  readonly key: string
}

/** The records that a document refers to by name, and their natural keys. */
const kinds = {
  user: { by: 'userByEmail', key: 'email' },
  organization: { by: 'organizationBySlug', key: 'slug' },
  pipeline: { by: 'pipelineBySlug', key: 'slug' },
  suite: { by: 'suiteBySlug', key: 'slug' },
  queue: { by: 'queueByKey', key: 'key' },
  agent: { by: 'agentByName', key: 'name' },
  test: { by: 'testByName', key: 'name' },
  application: { by: 'applicationByClientId', key: 'client_id' },
  'access token': { by: 'accessTokenByName', key: 'name' },
} as const satisfies Readonly<Record<string, NamedRecordKind>>

type NamedNoun = keyof typeof kinds
type KeyOf<K extends NamedNoun> = NaturalKeys[(typeof kinds)[K]['by']]
type RecordOf<K extends NamedNoun> = Records[KeyOf<K>['collection']]
type Name = string | null | undefined

interface RecordDraft<K extends NamedNoun> {
  readonly stored: RecordOf<K> | undefined
  readonly name: string
  /** The id and the name of the record, as defaults for `merge`. */
  readonly own: { readonly [N in 'id' | (typeof kinds)[K]['key']]: () => string }
}

/** The entries of a list, each with its path. */
export function entries<T>(
  list: readonly T[] | null | undefined,
  at: Path,
): readonly (readonly [T, Path])[] {
  return (list ?? []).map((entry, n) => [entry, [...at, n]] as const)
}

/** The loading of one document into a transaction. */
export type Loading = ReturnType<typeof startLoading>

export function startLoading(tx: Transaction, context: SeedContext, issues: IssueList) {
  const counts = { created: 0, updated: 0 }
  /** The ids and natural keys of this document. */
  const identities = new Set<string>()
  const created = new Set<string>()
  const { state } = tx
  const loading = {
    tx,
    state,
    context,
    issues,
    counts,
    scopes: knownScopes(context.extraScopes),
    /** The values of new or changed tokens and secrets. The store keeps only digests. */
    shown: { accessTokens: new Map<string, string>(), clientSecrets: new Map<string, string>() },
    /** Writes a record and counts it as created or updated. */
    put<C extends Collection>(
      collection: C,
      record: Records[C],
      stored: Records[C] | undefined,
    ): void {
      if (stored === undefined) {
        counts.created += 1
        created.add(record.id)
      } else if (!created.has(record.id)) counts.updated += 1
      tx.put(collection, record)
    },
    /** False, and an issue, if this document gives a natural key or id twice. */
    once(kind: string, name: string, at: Path): boolean {
      const isNew = !identities.has(`${kind}\0${name}`)
      if (!isNew)
        issues.issue(at, `${JSON.stringify(name)} is already given earlier in this document`)
      identities.add(`${kind}\0${name}`)
      return isNew
    },
    /** Finds the record of a name; reports an unknown name. */
    refer<K extends NamedNoun>(
      kind: K,
      at: Path,
      ...parts: KeyOf<K>['parts']
    ): RecordOf<K> | undefined {
      const record = state.find(kinds[kind].by, ...parts)
      if (record === undefined)
        issues.issue(at, `there is no ${kind} ${JSON.stringify(String(parts.at(-1)))}`)
      return record as RecordOf<K> | undefined
    },
    /** The id of the user that an optional key names; the stored id if the key is absent. */
    userId(at: Path, email: Name, stored: Name): string | null {
      if (email === undefined) return stored ?? null
      return (email && loading.refer('user', at, email)?.id) || null
    },
    checkScopes(scopes: readonly string[] | null | undefined, at: Path): void {
      for (const [scope, here] of entries(scopes, at)) {
        if (!loading.scopes.has(scope))
          issues.issue(
            here,
            `${JSON.stringify(scope)} is not a known scope (extraScopes adds names)`,
          )
      }
    },
    /** Creates or updates the record of an entry, by id or name; undefined if it has issues. */
    load<K extends NamedNoun>(
      kind: K,
      given: { readonly id?: Name; readonly [key: string]: unknown },
      at: Path,
      within: readonly string[],
      make: (draft: RecordDraft<K>) => RecordOf<K> | undefined,
    ): RecordOf<K> | undefined {
      const { by, key }: NamedRecordKind = kinds[kind]
      const { collection, fold = String } = naturalKeys[by]
      const find = (name: string) =>
        (state as Finder).find(by, ...within, name) as RecordOf<K> | undefined
      const givenName = given[key]
      const stored = given.id
        ? (state.get(collection, given.id) as RecordOf<K> | undefined)
        : find(String(givenName ?? ''))
      const name: unknown = givenName ?? (stored && Reflect.get(stored, key))
      const knownId = stored?.id ?? given.id
      const refuse = (message: string): undefined =>
        issues.issue([...at, key], message) as undefined
      if (typeof name !== 'string') return refuse(`is required for a new ${kind}`)
      if (!loading.once(`${kind} of ${JSON.stringify(within)}`, fold(name), [...at, key]))
        return undefined
      const holder = find(name)
      if (holder && holder.id !== knownId) return refuse(`belongs to another ${kind}`)
      const id = knownId ?? context.uuid(kind === 'access token' ? 'accessToken' : kind)
      const record = make({
        stored,
        name,
        own: { id: () => id, [key]: () => name } as RecordDraft<K>['own'],
      })
      if (record !== undefined) loading.put(collection, record as never, stored as never)
      return record
    },
    merge: <T extends FieldTable, const D extends Defaults<T>>(
      table: T,
      given: InputOf<T>,
      stored: object | undefined,
      defaults: D,
    ): Merged<T, D> => merge(table, given, stored, defaults, context.now),
    time: (given: string): string => timestamp(readTime(given, context.now) ?? context.now),
    /** The default creation time. */
    yearAgo: (): string => loading.time('-365d'),
  }
  return loading
}

interface Finder {
  find(key: keyof NaturalKeys, ...parts: readonly string[]): unknown
}
