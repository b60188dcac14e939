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

/** Given keys replace, null restores the default, absent ones keep what is stored. */
export const choose = <T>(given: T | null | undefined, stored: T | undefined, fallback: () => T): T => {
  if (given !== undefined && given !== null) return given
  return given === undefined && stored !== undefined ? stored : fallback()
}
