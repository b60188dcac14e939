import { timestamp } from '../domain/timestamp.js'
import type { IssueList, Path } from '../fields/field.js'
import { isPlainObject } from '../fields/field.js'
import type { Collection, Records } from '../store/records.js'
import type { ReadonlyState, Transaction } from '../store/store.js'
import type { SeedContext } from './context.js'
import { readTime } from './times.js'

/** What one document does to a store, while it is read. */
export interface Loading {
  readonly tx: Transaction
  readonly state: ReadonlyState
  readonly context: SeedContext
  readonly issues: IssueList
  readonly created: ReadonlySet<string>
  /** Writes a record and counts it as made or changed. */
  put<C extends Collection>(collection: C, record: Records[C], stored: Records[C] | undefined): void
  readonly counts: { created: number; updated: number }
  /** False when the shape check found a fault in this very object; its `lists` are looked at on their own. */
  sound(at: Path, lists?: readonly string[]): boolean
  /** Refuses a natural key or id that this document gives twice. */
  once(kind: string, name: string, at: Path): boolean
  /** Reports a reference that leads nowhere, unless the thing stands in the document and is faulty itself. */
  dangling(kind: DeclaredKind, name: string, at: Path, noun: string): void
  time(given: string): string
}

type DeclaredKind = 'user' | 'organization' | 'pipeline' | 'suite' | 'queue' | 'application'

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

export const startLoading = (tx: Transaction, context: SeedContext, issues: IssueList, document: unknown): Loading => {
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
    created,
    put(collection, record, stored) {
      if (stored === undefined) {
        counts.created += 1
        created.add(record.id)
      } else if (!created.has(record.id)) counts.updated += 1
      tx.put(collection, record)
    },
    sound: (at, lists = []) =>
      !faulty.some((path) => at.every((part, n) => path[n] === part) && !lists.includes(String(path[at.length]))),
    once(kind, name, at) {
      const key = `${kind}\0${name}`
      const first = seen.get(key)
      if (first === undefined) seen.set(key, at)
      else issues.issue(at, `${JSON.stringify(name)} is already given earlier in this document`)
      return first === undefined
    },
    dangling(kind, name, at, noun) {
      if (faulty.length > 0 && declared.has(`${kind}\0${name.toLowerCase()}`)) return
      issues.issue(at, `there is no ${noun} ${JSON.stringify(name)}`)
    },
    time: (given) => timestamp(readTime(given, context.now) ?? context.now),
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
