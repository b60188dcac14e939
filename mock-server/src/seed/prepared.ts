import { timestamp } from '../domain/timestamp.js'
import type {
  AnnotationRecord,
  ArtifactRecord,
  BuildRecord,
  JobRecord,
} from '../records/records.js'
import type { State } from '../store/state.js'
import type { Loading, SeedContext } from './loading.js'

/**
 * Records of one collection: each is a copy of its template with other values in some columns. Times,
 * which are the keys that end in `_at`, are in ms after the moment of preparation.
 */
interface Table {
  /** For each set of keys, the first record that has it. */
  readonly templates: readonly object[]
  /** For each record, the position of its template. */
  readonly template: readonly number[]
  readonly columns: Readonly<Record<string, Column>>
}

interface Column {
  readonly values: readonly unknown[]
  /** For each record, the position of its value; -1 if it has the value of its template. */
  readonly at: readonly number[]
}

/** The builds of a seed, played once: loading moves them to the present. */
export interface PreparedBuilds {
  /** The moment of preparation, epoch ms. */
  readonly preparedAt: number
  /** Facts that are the same only if ids and dice are drawn as they were when it was prepared. */
  readonly origin: readonly unknown[]
  /** Counters of ids and of build numbers, after the builds were made. */
  readonly counters: Readonly<Record<string, number>>
  /** The key `jobs` of a build is the number of its jobs. */
  readonly builds: Table
  readonly jobs: Table
  readonly annotations: Table
  readonly artifacts: Table
}

function originOf(state: Pick<State, 'values'>, context: Pick<SeedContext, 'dice'>) {
  const ids = [...state.values('organizations')].map(({ id }) => id)
  return [...ids, context.dice('prepared', 0)]
}

function isTime(key: string): boolean {
  return key.endsWith('_at')
}

function columnOf(
  key: string,
  records: readonly object[],
  templateOf: (n: number) => object | undefined,
  now: number,
): Column {
  const positions = new Map<string, number>()
  const values: unknown[] = []
  const at = records.map((record, n) => {
    const value: unknown = Reflect.get(record, key)
    const text = JSON.stringify(value)
    const inTemplate = JSON.stringify(Reflect.get(templateOf(n) ?? {}, key))
    const isMoved = isTime(key) && typeof value === 'string'
    if (text === undefined || (text === inTemplate && !isMoved)) return -1
    const position =
      positions.get(text) ?? values.push(isMoved ? Date.parse(value) - now : value) - 1
    positions.set(text, position)
    return position
  })
  return { values, at }
}

function tableOf(records: readonly object[], now: number): Table {
  const byKeys = new Map<string, { readonly record: object; readonly position: number }>()
  const template = records.map((record) => {
    const keys = Object.keys(record).join(' ')
    const known = byKeys.get(keys) ?? { record, position: byKeys.size }
    byKeys.set(keys, known)
    return known.position
  })
  const templates = [...byKeys.values()].map(({ record }) => record)
  const keys = new Set(templates.flatMap((record) => Object.keys(record)))
  const columns = [...keys]
    .map((key) => [key, columnOf(key, records, (n) => templates[template[n] ?? 0], now)] as const)
    .filter(([, { values }]) => values.length > 0)
  return { templates, template, columns: Object.fromEntries(columns) }
}

function recordsOf<R>({ templates, template, columns }: Table, now: number): readonly R[] {
  const moved = Object.entries(columns).map(([key, { values, at }]) => {
    const isMoved = (value: unknown): value is number => isTime(key) && typeof value === 'number'
    return {
      key,
      at,
      values: values.map((value) => (isMoved(value) ? timestamp(now + value) : value)),
    }
  })
  return template.map((position, n) => {
    const record: Record<string, unknown> = { ...templates[position] }
    for (const { key, values, at } of moved) {
      const chosen = at[n] ?? -1
      if (chosen >= 0) record[key] = values[chosen]
    }
    return record as R
  })
}

/** Prepares the builds of a state that holds a seed without applications, tokens and grants. */
export function prepareBuilds(
  state: State,
  { now, dice }: Pick<SeedContext, 'now' | 'dice'>,
): PreparedBuilds {
  const builds = [...state.values('builds')]
  return {
    preparedAt: now,
    origin: originOf(state, { dice }),
    counters: Object.fromEntries(state.counters.entries()),
    builds: tableOf(
      builds.map((build) => ({ ...build, jobs: build.jobs.length })),
      now,
    ),
    jobs: tableOf(
      builds.flatMap(({ jobs }) => [...jobs]),
      now,
    ),
    annotations: tableOf([...state.values('annotations')], now),
    artifacts: tableOf([...state.values('artifacts')], now),
  }
}

/** Loads prepared builds. False if the ids and dice of this server would make other builds. */
export function loadPrepared(loading: Loading, prepared: PreparedBuilds): boolean {
  const { state, tx, context } = loading
  const { now } = context
  const isSameOrigin =
    JSON.stringify(originOf(state, context)) === JSON.stringify(prepared.origin) &&
    state.count('builds') === 0
  if (!isSameOrigin) return false

  for (const [name, count] of Object.entries(prepared.counters)) tx.raiseCounter(name, count)
  const jobs = recordsOf<JobRecord>(prepared.jobs, now)
  let first = 0
  for (const build of recordsOf<Omit<BuildRecord, 'jobs'> & { jobs: number }>(
    prepared.builds,
    now,
  )) {
    const next = first + build.jobs
    loading.put('builds', { ...build, jobs: jobs.slice(first, next) }, undefined)
    first = next
  }
  for (const annotation of recordsOf<AnnotationRecord>(prepared.annotations, now))
    loading.put('annotations', annotation, undefined)
  for (const artifact of recordsOf<ArtifactRecord>(prepared.artifacts, now))
    loading.put('artifacts', artifact, undefined)
  return true
}
