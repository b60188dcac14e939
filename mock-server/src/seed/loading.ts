import { timestamp } from '../domain/timestamp.js'
import type { IssueList, Path } from '../fields/field.js'
import { isPlainObject } from '../fields/field.js'
import type { NaturalKeys } from '../store/natural-keys.js'
import type { Collection, Records } from '../store/records.js'
import type { Transaction } from '../store/store.js'
import type { SeedContext } from './context.js'
import { readTime } from './words.js'

/** By what natural key a document names things. */
const keysOf = {
  user: 'userByEmail',
  organization: 'organizationBySlug',
  pipeline: 'pipelineBySlug',
  suite: 'suiteBySlug',
  queue: 'queueByKey',
  application: 'applicationByClientId',
} as const
type DeclaredKind = keyof typeof keysOf

const declaredIn = (document: unknown): ReadonlySet<string> => {
  const names = new Set<string>()
  const each = (owner: unknown, list: string, visit: (item: Readonly<Record<string, unknown>>) => void) => {
    const items = isPlainObject(owner) ? owner[list] : undefined
    if (Array.isArray(items)) for (const item of items) if (isPlainObject(item)) visit(item)
  }
  const note = (kind: DeclaredKind, name: unknown) => names.add(`${kind}\0${String(name).toLowerCase()}`)
  each(document, 'users', (user) => note('user', user['email']))
  each(document, 'applications', (application) => note('application', application['client_id']))
  each(document, 'organizations', (organization) => {
    note('organization', organization['slug'])
    each(organization, 'pipelines', (pipeline) => note('pipeline', pipeline['slug']))
    each(organization, 'suites', (suite) => note('suite', suite['slug']))
    each(organization, 'queues', (queue) => note('queue', queue['key']))
  })
  return names
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
  return {
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
    /** Refuses a natural key or id that this document gives twice. */
    once(kind: string, name: string, at: Path): boolean {
      const key = `${kind}\0${name}`
      const first = seen.get(key)
      if (first === undefined) seen.set(key, at)
      else issues.issue(at, `${JSON.stringify(name)} is already given earlier in this document`)
      return first === undefined
    },
    /** What a name means; reports one that means nothing, unless its thing stands in the document and is faulty itself. */
    refer<K extends DeclaredKind>(kind: K, at: Path, ...parts: NaturalKeys[(typeof keysOf)[K]]['parts']) {
      const found = state.find(keysOf[kind], ...parts)
      const name = String(parts.at(-1))
      const isFaulty = faulty.length > 0 && declared.has(`${kind}\0${name.toLowerCase()}`)
      if (found === undefined && !isFaulty) issues.issue(at, `there is no ${kind} ${JSON.stringify(name)}`)
      return found
    },
    time: (given: string): string => timestamp(readTime(given, context.now) ?? context.now),
  }
}

interface Named<C extends Collection> {
  readonly collection: C
  readonly noun: string
  /** Within what the name is unique. */
  readonly within?: string
  /** The key that carries the name. */
  readonly key: string
  readonly find: (name: string) => Records[C] | undefined
  readonly fold?: (name: string) => string
}

/** Which record an entry of the document means, by id, else by name; a new one gets the next id. */
export const identify = <C extends Collection>(
  { state, context, issues, once }: Loading,
  { collection, noun, within = '', key, find, fold = (name) => name }: Named<C>,
  given: { readonly id?: string | null | undefined },
  at: Path,
): { readonly stored: Records[C] | undefined; readonly id: string; readonly name: string } | undefined => {
  const wanted: unknown = Reflect.get(given, key)
  const stored = given.id ? state.get(collection, given.id) : find(String(wanted ?? ''))
  const name: unknown = wanted ?? (stored && Reflect.get(stored, key))
  if (typeof name !== 'string') {
    issues.issue([...at, key], `is required for a new ${noun}`)
    return undefined
  }
  if (!once(`${noun} of ${within}`, fold(name), [...at, key])) return undefined
  const id = stored?.id ?? given.id
  const holder = find(name)
  if (holder && holder.id !== id) {
    issues.issue([...at, key], `belongs to another ${noun}`)
    return undefined
  }
  const stream = collection === 'accessTokens' ? 'accessToken' : noun
  return { stored, id: id ?? context.uuid(stream), name }
}
