import { digest } from '../base/digest.js'
import type { ClockMode } from '../base/virtual-clock.js'
import { byText } from '../domain/order.js'
import { timestamp } from '../domain/timestamp.js'
import { optional, required } from '../fields/composites.js'
import { type Field, formatPath, isPlainObject } from '../fields/field.js'
import { anything, flag } from '../fields/scalars.js'
import { type Collection, collections, type Records } from '../records/records.js'
import type { RulesSnapshot } from '../rules/rules.js'
import type { Generation, Sandbox } from '../sandbox/sandbox.js'
import { drawnFrom } from '../sandbox/seeded-state.js'
import { loadDocument } from '../seed/load.js'
import { openSeed } from '../seed/seed.js'
import type { SeedDocument } from '../seed/tables.js'
import { formatVersion } from '../store/journal-writer.js'
import { putInto } from '../store/open-store.js'
import { State } from '../store/state.js'
import { type Calls, ControlError, invalidAt } from './host.js'
import { checkActions } from './rules-control.js'
import { seedChoice } from './sandboxes-control.js'

/** Creates and changes the records of a seed document, all or none, from the next request on. */
export function createApply(isListening: () => boolean, { bare }: Calls) {
  return bare(async (document: SeedDocument, generation) => {
    const { store, rules } = generation
    const loaded = await store.update((tx) => {
      const read = loadDocument(document, tx, drawnFrom(generation))
      checkActions(document.rules ?? [], (n) => `rules[${n}].`, isListening())
      return read
    })
    let replaced = 0
    for (const rule of loaded.rules) {
      if (rule.id && rules.get(rule.id)) {
        rules.set(rule.id, rule)
        replaced += 1
      } else rules.create(rule)
    }
    return {
      created: loaded.created + loaded.rules.length - replaced,
      updated: loaded.updated + replaced,
      accessTokens: loaded.accessTokens,
      clientSecrets: loaded.clientSecrets,
      /** Parts of the document that were ignored. */
      notices: loaded.notices.map(({ path, message }) => ({ path: formatPath(path), message })),
    }
  })
}

export type Applied = Readonly<Awaited<ReturnType<ReturnType<typeof createApply>>>>

/** A sandbox as one JSON document: state, clock, rules, counters. Secrets are digests in it. */
export interface Snapshot {
  readonly formatVersion: number
  readonly clock: { readonly mode: ClockMode; readonly now: string; readonly offsetMs?: number }
  readonly rules: RulesSnapshot
  readonly records: Readonly<Partial<Record<Collection, readonly Records[Collection][]>>>
  /** SHA-256 of the rest; a changed snapshot is refused. */
  readonly digest: string
}

const confirm = optional(flag)

function clockOf({ clock }: Generation): Snapshot['clock'] {
  return {
    mode: clock.mode,
    now: timestamp(clock.now()),
    ...(clock.mode === 'offset' && { offsetMs: clock.offsetMs }),
  }
}

function digestOf({
  digest: _,
  ...rest
}: Omit<Snapshot, 'digest'> & { readonly digest?: string }): string {
  return digest(JSON.stringify(rest))
}

function take(generation: Generation): Snapshot {
  const state = generation.store.state as State
  state.writeCounters()
  const records = Object.fromEntries(
    collections.map((collection) => [
      collection,
      [...state.values(collection)].sort((a, b) => byText(a.id, b.id)),
    ]),
  )
  const snapshot = {
    formatVersion,
    clock: clockOf(generation),
    rules: generation.rules.snapshot(),
    records,
  }
  return { ...snapshot, digest: digestOf(snapshot) }
}

function isRecord(value: unknown): value is Records[Collection] {
  return isPlainObject(value) && typeof value['id'] === 'string'
}

function readSnapshot(document: unknown): { readonly snapshot: Snapshot; readonly state: State } {
  if (!isPlainObject(document)) throw invalidAt('document', 'must be a snapshot')
  const version = document['formatVersion']
  if (typeof version === 'number' && version > formatVersion) {
    throw invalidAt(
      'document.formatVersion',
      `is newer than ${formatVersion}, which this server reads`,
    )
  }
  if (version !== formatVersion)
    throw invalidAt('document.formatVersion', `must be ${formatVersion}`)
  const snapshot = document as unknown as Snapshot
  if (snapshot.digest !== digestOf(snapshot))
    throw invalidAt('document.digest', 'does not fit: the snapshot was changed')
  const state = new State()
  for (const collection of collections) {
    for (const record of snapshot.records[collection] ?? []) {
      if (!isRecord(record)) throw invalidAt(`document.records.${collection}`, 'must hold records')
      putInto(state, collection, record)
    }
  }
  return { snapshot, state }
}

/** Refuses to destroy durable data without `confirm`. */
function requireConfirmation(sandbox: Sandbox, given: boolean | undefined): void {
  if (sandbox.current.store.durable && given !== true) {
    throw new ControlError(
      'conflict',
      'This destroys data in the data directory: confirm with "confirm": true',
    )
  }
}

export function createSnapshotControl({ call, plain }: Calls) {
  return {
    get: plain(take),
    /** @throws ControlError (409) on a durable `main` without `confirm` */
    set: call(
      { document: required(anything as Field<Snapshot>), confirm },
      async ({ document, confirm: sure }, _, sandbox) => {
        requireConfirmation(sandbox, sure)
        const { snapshot, state } = readSnapshot(document)
        const { mode, now, offsetMs } = snapshot.clock
        const clock = mode === 'frozen' ? { mode, now: Date.parse(now) } : { mode, offsetMs }
        const generation = await sandbox.replace(state, { clock })
        generation.rules.restore(snapshot.rules)
        return { generation: generation.store.generation }
      },
    ),
  }
}

/** Starts a sandbox again from its own seed or another one, with the clock at its first time. */
export function createReset({ call }: Calls) {
  return call(
    { seed: optional(seedChoice), confirm },
    async ({ seed, confirm: sure }, _, sandbox) => {
      requireConfirmation(sandbox, sure)
      const generation = await sandbox.reset(seed && (await openSeed(seed)))
      return {
        generation: generation.store.generation,
        accessTokens: generation.seeded.accessTokens,
      }
    },
  )
}

export type ResetResult = Readonly<Awaited<ReturnType<ReturnType<typeof createReset>>>>
