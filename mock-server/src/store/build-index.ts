import { once } from '../base/once.js'
import { compareBuilds, metaDataPair, type SortedBuilds } from '../domain/build-order.js'
import type { IndexedField, QueryScope } from '../domain/build-query.js'
import type { ChangedJobs } from '../domain/job-list.js'
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

/**
 * Builds of one organization or pipeline, as a whole and by the values of their immutable fields.
 */
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

function own<V>(table: Readonly<Record<string, V>>, key: string): V | undefined {
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

/**
 * A scope that follows the changes of its builds. A field's runs are made when it is first asked
 * for, then kept.
 */
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

  /** @param jobs - What differs between the jobs of both. */
  change(
    before: BuildRecord | null,
    after: BuildRecord | null,
    jobs: readonly ChangedJobs[],
  ): void {
    const stays = before !== null && after !== null
    if (before !== null)
      this.#count(before, stays ? jobs.flatMap(({ gone }) => gone) : before.jobs, -1)
    if (after !== null) this.#count(after, stays ? jobs.flatMap(({ come }) => come) : after.jobs, 1)
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
    const counted = own(countedBuilds, build.state)
    if (counted !== undefined) this.#counts[counted] += by
    for (const job of jobs) {
      const key = own(countedJobs, job.state)
      if (key !== undefined) this.#counts[key] += by
    }
  }
}
