import { compareBuilds, lowerBound, metaDataPair, type Run } from '../domain/build-order.js'
import type { IndexedField, QueryScope } from '../domain/build-query.js'
import type { ChangedJobs } from '../domain/job-list.js'
import { LayeredMap } from './layered-map.js'
import type { BuildRecord, JobRecord } from './records.js'

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

type Runs = LayeredMap<string, BuildRecord[]>

/** Values under which a build is indexed, by field. */
const indexedValues: Readonly<Record<IndexedField, (build: BuildRecord) => readonly string[]>> = {
  branch: (build) => [build.branch],
  commit: (build) => [build.commit],
  creator: (build) => (build.creatorId === null ? [] : [build.creatorId]),
  meta_data: (build) => Object.entries(build.meta_data).map(([key, value]) => metaDataPair(key, value)),
}

const sameIndexKeys = (a: BuildRecord, b: BuildRecord): boolean =>
  compareBuilds(a, b) === 0 &&
  a.branch === b.branch &&
  a.commit === b.commit &&
  a.creatorId === b.creatorId &&
  a.meta_data === b.meta_data

/** A scope that follows the changes of its builds. A field's runs are made when it is first asked for, then kept. */
export class BuildScopeIndex implements BuildScope {
  #all: BuildRecord[]
  #ownsAll: boolean
  readonly #runs: Map<IndexedField, Runs>
  readonly #counts: Counts

  constructor(parent?: BuildScopeIndex) {
    this.#all = parent === undefined ? [] : parent.#all
    this.#ownsAll = parent === undefined
    const inherited = parent === undefined ? [] : [...parent.#runs]
    this.#runs = new Map(inherited.map(([field, runs]) => [field, runs.fork()]))
    this.#counts = { ...(parent?.counts ?? noCounts) }
  }

  get all(): Run {
    return this.#all
  }

  get counts(): PipelineCounts {
    return this.#counts
  }

  run(field: IndexedField, value: string): Run {
    return this.#runsOf(field).get(value) ?? empty
  }

  values(field: IndexedField): Iterable<string> {
    return this.#runsOf(field).keys()
  }

  /** A scope that starts equal to this one; this one must not change any more. */
  fork(): BuildScopeIndex {
    return new BuildScopeIndex(this)
  }

  /** @param jobs - What differs between the jobs of both. */
  change(before: BuildRecord | undefined, after: BuildRecord | undefined, jobs: readonly ChangedJobs[]): void {
    const stays = before !== undefined && after !== undefined
    if (before !== undefined) this.#count(before, stays ? jobs.flatMap(({ gone }) => gone) : before.jobs, -1)
    if (after !== undefined) this.#count(after, stays ? jobs.flatMap(({ come }) => come) : after.jobs, 1)
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
    for (const [runs, value] of this.#places(build)) put(ownRun(runs, value), build)
  }

  #insert(build: BuildRecord): void {
    insert(this.#all, build)
    for (const [runs, value] of this.#places(build)) insert(ownRun(runs, value), build)
  }

  #remove(build: BuildRecord): void {
    remove(this.#all, build)
    for (const [runs, value] of this.#places(build)) {
      const run = ownRun(runs, value)
      remove(run, build)
      if (run.length === 0) runs.delete(value)
    }
  }

  #runsOf(field: IndexedField): Runs {
    const known = this.#runs.get(field)
    if (known !== undefined) return known
    const made: Runs = new LayeredMap()
    // In the order of all builds, hence each run in its own.
    for (const build of this.#all) for (const value of indexedValues[field](build)) ownRun(made, value).push(build)
    this.#runs.set(field, made)
    return made
  }

  /** The runs that a build stands in, as far as they were made. */
  *#places(build: BuildRecord): Iterable<readonly [Runs, string]> {
    for (const [field, runs] of this.#runs) for (const value of indexedValues[field](build)) yield [runs, value]
  }

  #count(build: BuildRecord, jobs: Iterable<JobRecord>, by: 1 | -1): void {
    const counted = own(countedBuilds, build.state)
    if (counted !== undefined) this.#counts[counted] += by
    for (const job of jobs) {
      const key = own(countedJobs, job.state)
      if (key !== undefined) this.#counts[key] += by
    }
  }
}

function ownRun(runs: Runs, value: string): BuildRecord[] {
  const run = runs.get(value)
  if (run !== undefined && runs.owns(value)) return run
  const copy = run === undefined ? [] : run.slice()
  runs.set(value, copy)
  return copy
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
