import { compareBuilds, lowerBound, metaDataPair, type Run } from '../domain/build-order.js'
import type { IndexedField, QueryScope } from '../domain/build-query.js'
import { LayeredMap } from './layered-map.js'
import type { BuildRecord } from './records.js'

export interface PipelineCounts {
  readonly scheduled_builds_count: number
  readonly running_builds_count: number
  readonly scheduled_jobs_count: number
  readonly running_jobs_count: number
  readonly waiting_jobs_count: number
}

/** Builds of one organization or pipeline, as a whole and by the values of their immutable fields. */
export interface BuildScope extends QueryScope {
  /** Live numbers, kept with every change. */
  readonly counts: PipelineCounts
}

const countedBuilds: Readonly<Record<string, keyof PipelineCounts>> = {
  scheduled: 'scheduled_builds_count',
  running: 'running_builds_count',
  failing: 'running_builds_count',
  canceling: 'running_builds_count',
}
const countedJobs: Readonly<Record<string, keyof PipelineCounts>> = {
  scheduled: 'scheduled_jobs_count',
  assigned: 'running_jobs_count',
  accepted: 'running_jobs_count',
  running: 'running_jobs_count',
  timing_out: 'running_jobs_count',
  canceling: 'running_jobs_count',
  waiting: 'waiting_jobs_count',
  limited: 'waiting_jobs_count',
}

type Counts = { -readonly [K in keyof PipelineCounts]: number }

const noCounts: PipelineCounts = {
  scheduled_builds_count: 0,
  running_builds_count: 0,
  scheduled_jobs_count: 0,
  running_jobs_count: 0,
  waiting_jobs_count: 0,
}

const own = <V>(table: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const empty: Run = []

type FieldRuns = Readonly<Record<IndexedField, LayeredMap<string, BuildRecord[]>>>

const fieldRuns = (parent?: FieldRuns): FieldRuns => ({
  branch: new LayeredMap(parent?.branch),
  commit: new LayeredMap(parent?.commit),
  creator: new LayeredMap(parent?.creator),
  meta_data: new LayeredMap(parent?.meta_data),
})

/** Values under which a build is indexed, field by field. */
function* indexedValues(build: BuildRecord): Iterable<readonly [IndexedField, string]> {
  yield ['branch', build.branch]
  yield ['commit', build.commit]
  if (build.creatorId !== null) yield ['creator', build.creatorId]
  for (const [key, value] of Object.entries(build.meta_data)) yield ['meta_data', metaDataPair(key, value)]
}

const sameIndexKeys = (a: BuildRecord, b: BuildRecord): boolean =>
  compareBuilds(a, b) === 0 &&
  a.branch === b.branch &&
  a.commit === b.commit &&
  a.creatorId === b.creatorId &&
  a.meta_data === b.meta_data

/** A scope that follows the changes of its builds. */
export class BuildScopeIndex implements BuildScope {
  #all: BuildRecord[]
  #ownsAll: boolean
  readonly #runs: FieldRuns
  readonly #counts: Counts

  constructor(parent?: BuildScopeIndex) {
    this.#all = parent === undefined ? [] : parent.#all
    this.#ownsAll = parent === undefined
    this.#runs = fieldRuns(parent === undefined ? undefined : parent.#runs)
    this.#counts = { ...(parent?.counts ?? noCounts) }
  }

  get all(): Run {
    return this.#all
  }

  get counts(): PipelineCounts {
    return this.#counts
  }

  run(field: IndexedField, value: string): Run {
    return this.#runs[field].get(value) ?? empty
  }

  values(field: IndexedField): Iterable<string> {
    return this.#runs[field].keys()
  }

  /** A scope that starts equal to this one; this one must not change any more. */
  fork(): BuildScopeIndex {
    return new BuildScopeIndex(this)
  }

  change(before: BuildRecord | undefined, after: BuildRecord | undefined): void {
    if (before !== undefined) this.#count(before, -1)
    if (after !== undefined) this.#count(after, 1)
    if (!this.#ownsAll) this.#all = this.#all.slice()
    this.#ownsAll = true
    if (before !== undefined && after !== undefined && sameIndexKeys(before, after)) this.#replace(after)
    else {
      if (before !== undefined) this.#remove(before)
      if (after !== undefined) this.#insert(after)
    }
  }

  #replace(build: BuildRecord): void {
    put(this.#all, build)
    for (const [field, value] of indexedValues(build)) put(this.#ownRun(field, value), build)
  }

  #insert(build: BuildRecord): void {
    insert(this.#all, build)
    for (const [field, value] of indexedValues(build)) insert(this.#ownRun(field, value), build)
  }

  #remove(build: BuildRecord): void {
    remove(this.#all, build)
    for (const [field, value] of indexedValues(build)) {
      const run = this.#ownRun(field, value)
      remove(run, build)
      if (run.length === 0) this.#runs[field].delete(value)
    }
  }

  #ownRun(field: IndexedField, value: string): BuildRecord[] {
    const runs = this.#runs[field]
    const run = runs.get(value)
    if (run !== undefined && runs.owns(value)) return run
    const copy = run === undefined ? [] : run.slice()
    runs.set(value, copy)
    return copy
  }

  #count(build: BuildRecord, by: 1 | -1): void {
    const counted = own(countedBuilds, build.state)
    if (counted !== undefined) this.#counts[counted] += by
    for (const job of build.jobs) {
      const key = own(countedJobs, job.state)
      if (key !== undefined) this.#counts[key] += by
    }
  }
}

const position = (run: Run, build: BuildRecord): number => lowerBound(run, (other) => compareBuilds(other, build) < 0)

function put(run: BuildRecord[], build: BuildRecord): void {
  run[position(run, build)] = build
}

function insert(run: BuildRecord[], build: BuildRecord): void {
  const last = run.at(-1)
  if (last === undefined || compareBuilds(last, build) < 0) run.push(build)
  else run.splice(position(run, build), 0, build)
}

function remove(run: BuildRecord[], build: BuildRecord): void {
  run.splice(position(run, build), 1)
}

/** No builds at all: the scope of an organization or pipeline that never had one. */
export const emptyScope: BuildScope = { all: empty, counts: noCounts, run: () => empty, values: () => [] }
