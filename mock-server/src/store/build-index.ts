import { once } from '../base/once.js'
import { compareBuilds, metaDataPair, type SortedBuilds } from '../domain/build-order.js'
import type { IndexedField, QueryScope } from '../domain/build-query.js'
import type { ChangedJobs } from '../domain/changed-jobs.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { SortedGroups, SortedList } from './sorted-groups.js'

const noCounts = {
  scheduled_builds_count: 0,
  running_builds_count: 0,
  scheduled_jobs_count: 0,
  running_jobs_count: 0,
  waiting_jobs_count: 0,
}

type MutableCounts = typeof noCounts
export type PipelineCounts = Readonly<MutableCounts>

/** The builds of an organization or a pipeline, also by the values of their immutable fields. */
export interface ScopedBuilds extends QueryScope {
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

function ownValue<V>(table: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

const indexedValues: Readonly<Record<IndexedField, (build: BuildRecord) => readonly string[]>> = {
  branch: (build) => [build.branch],
  commit: (build) => [build.commit],
  creator: (build) => (build.creatorId === null ? [] : [build.creatorId]),
  meta_data: (build) =>
    Object.entries(build.meta_data).map(([key, value]) => metaDataPair(key, value)),
}

export const emptyScope: ScopedBuilds = {
  all: [],
  counts: noCounts,
  run: () => [],
  values: () => [],
}

/** The builds of a scope, kept up to date. The index of a field is made when it is first used. */
export class BuildScopeIndex implements ScopedBuilds {
  readonly #all: SortedList<BuildRecord>
  readonly #runs = new Map<IndexedField, SortedGroups<BuildRecord>>()
  readonly #counts: MutableCounts

  constructor(from: ScopedBuilds = emptyScope) {
    this.#all = new SortedList(compareBuilds, from.all)
    this.#counts = { ...from.counts }
  }

  get all(): SortedBuilds {
    return this.#all.items
  }

  get counts(): PipelineCounts {
    return this.#counts
  }

  run(field: IndexedField, value: string): SortedBuilds {
    return this.#runsOf(field).group(value)
  }

  values(field: IndexedField): Iterable<string> {
    return this.#runsOf(field).names()
  }

  /** @param jobs The jobs that differ between both versions. */
  change(
    before: BuildRecord | null,
    after: BuildRecord | null,
    jobs: readonly ChangedJobs[],
  ): void {
    const stays = before !== null && after !== null
    if (before !== null) {
      const gone = stays ? jobs.flatMap((changed) => changed.gone) : before.jobs
      this.#count(before, gone, -1)
    }
    if (after !== null) {
      const come = stays ? jobs.flatMap((changed) => changed.come) : after.jobs
      this.#count(after, come, 1)
    }
    if (stays && compareBuilds(before, after) === 0) this.#all.replace(after)
    else {
      if (before !== null) this.#all.remove(before)
      if (after !== null) this.#all.add(after)
    }
    for (const runs of this.#runs.values()) runs.change(before, after)
  }

  #runsOf(field: IndexedField): SortedGroups<BuildRecord> {
    return once(
      this.#runs,
      field,
      () => new SortedGroups(indexedValues[field], compareBuilds, this.#all.items),
    )
  }

  #count(build: BuildRecord, jobs: Iterable<JobRecord>, by: 1 | -1): void {
    const counted = ownValue(countedBuilds, build.state)
    if (counted !== undefined) this.#counts[counted] += by
    for (const job of jobs) {
      const key = ownValue(countedJobs, job.state)
      if (key !== undefined) this.#counts[key] += by
    }
  }
}
