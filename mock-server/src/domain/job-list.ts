import type { JobRecord, List } from '../records/records.js'
import {
  isActive,
  isBarrier,
  isFinished,
  isHardFailure,
  isLatest,
  isMovable,
  isRunning,
} from './job.js'

/** Jobs of one part; a list up to this length is a plain array. */
const partSize = 32

/** How many of some jobs … */
const noFacts = {
  /** … have not finished, earlier executions included. */
  open: 0,
  /** … are the latest execution and have not finished. */
  unfinished: 0,
  hardFailures: 0,
  /** … are the latest execution and neither finished nor held back. */
  active: 0,
  running: 0,
  canceling: 0,
  started: 0,
  /** … are the latest execution and more than a waiter or a job that was left out. */
  run: 0,
  /** … may still move by themselves. */
  movable: 0,
  scheduled: 0,
  /** … have left `scheduled` and not ended, or are blocked. */
  underWay: 0,
}

type MutableJobFacts = typeof noFacts
export type JobFacts = Readonly<MutableJobFacts>

function countJob(counts: MutableJobFacts, job: JobRecord): void {
  const { state } = job
  if (!isFinished(job)) counts.open++
  if (state === 'scheduled') counts.scheduled++
  else if (state === 'blocked' || isMovable(job)) counts.underWay++
  if (state === 'canceling') counts.canceling++
  if (job.started_at !== null) counts.started++
  if (!isLatest(job)) return
  if (!isFinished(job)) counts.unfinished++
  if (isHardFailure(job)) counts.hardFailures++
  if (isActive(job)) counts.active++
  if (isRunning(job)) counts.running++
  if (isMovable(job)) counts.movable++
  if (job.type !== 'waiter' && state !== 'skipped' && state !== 'broken') counts.run++
}

const factKeys = Object.keys(noFacts) as (keyof JobFacts)[]

function add(counts: MutableJobFacts, more: JobFacts, less: JobFacts = noFacts): void {
  for (const key of factKeys) counts[key] += more[key] - less[key]
}

/** Jobs that stand side by side. They never change; what was found out about them is kept. */
export class JobPart {
  readonly jobs: readonly JobRecord[]
  /**
   * The barriers' state before these jobs with which they were seen at rest; a number from the
   * start keeps the engine calm.
   */
  restsBehind = -1
  #facts: JobFacts | undefined
  #barrier: JobRecord | null | undefined

  constructor(jobs: readonly JobRecord[]) {
    this.jobs = jobs
  }

  get facts(): JobFacts {
    if (this.#facts !== undefined) return this.#facts
    const counts = { ...noFacts }
    for (const job of this.jobs) countJob(counts, job)
    this.#facts = counts
    return counts
  }

  get lastBarrier(): JobRecord | null {
    if (this.#barrier === undefined) this.#barrier = this.jobs.findLast(isBarrier) ?? null
    return this.#barrier
  }
}

/** In one part there is nothing to look up; it is never written. */
const noPlaces = new Map<string, number>()

/**
 * The jobs of a build in parts: a version in which one job moved shares all other parts with the
 * version before, and what was counted in them. So a move costs the same whatever the number of
 * jobs beside it.
 */
export class JobList implements List<JobRecord> {
  readonly parts: readonly JobPart[]
  readonly length: number
  /** In which part a job stands; one for all versions, since a job never changes its part. */
  readonly #places: Map<string, number>
  #facts: JobFacts | undefined

  constructor(
    parts: readonly JobPart[],
    places = parts.length > 1 ? new Map<string, number>() : noPlaces,
  ) {
    this.parts = parts
    let length = 0
    for (let n = 0; n < parts.length; n++) length += parts[n]?.jobs.length ?? 0
    this.length = length
    this.#places = places
  }

  static of(jobs: List<JobRecord>): JobList {
    if (jobs instanceof JobList) return jobs
    const all = Array.isArray(jobs) ? (jobs as readonly JobRecord[]) : [...jobs]
    if (all.length <= partSize) return new JobList([new JobPart(all)])
    const count = Math.ceil(all.length / partSize)
    return new JobList(
      Array.from(
        { length: count },
        (_, n) => new JobPart(all.slice(n * partSize, (n + 1) * partSize)),
      ),
    )
  }

  get facts(): JobFacts {
    if (this.#facts !== undefined) return this.#facts
    const [only] = this.parts
    if (only !== undefined && this.parts.length === 1) return only.facts
    const counts = { ...noFacts }
    for (const { facts } of this.parts) add(counts, facts)
    this.#facts = counts
    return counts
  }

  job(id: string): JobRecord | undefined {
    return this.parts[this.#place(id)]?.jobs.find((job) => job.id === id)
  }

  replace(id: string, by: readonly JobRecord[]): JobList {
    const place = this.#place(id)
    const part = this.parts[place]
    if (part === undefined) return this
    if (this.parts.length > 1) for (const job of by) this.#places.set(job.id, place)
    const at = part.jobs.findIndex((job) => job.id === id)
    return at < 0
      ? this
      : this.withParts(this.parts.with(place, new JobPart(part.jobs.toSpliced(at, 1, ...by))))
  }

  withParts(parts: readonly JobPart[]): JobList {
    const list = new JobList(parts, this.#places)
    if (this.#facts === undefined) return list
    const counts = { ...this.#facts }
    for (let n = 0; n < parts.length; n++) {
      if (parts[n] !== this.parts[n])
        add(counts, parts[n]?.facts ?? noFacts, this.parts[n]?.facts ?? noFacts)
    }
    list.#facts = counts
    return list
  }

  /** As it is kept in a record. */
  kept(): List<JobRecord> {
    const [only] = this.parts
    return only !== undefined && this.parts.length === 1 ? only.jobs : this
  }

  at(index: number): JobRecord | undefined {
    let left = index < 0 ? index + this.length : index
    for (const { jobs } of this.parts) {
      if (left < jobs.length) return jobs[left]
      left -= jobs.length
    }
    return undefined
  }

  *[Symbol.iterator](): Iterator<JobRecord> {
    for (const { jobs } of this.parts) yield* jobs
  }

  map<R>(each: (job: JobRecord, index: number) => R): R[] {
    return this.toJSON().map(each)
  }

  flatMap<R>(each: (job: JobRecord, index: number) => R | readonly R[]): R[] {
    return this.toJSON().flatMap(each)
  }

  filter(test: (job: JobRecord, index: number) => unknown): JobRecord[] {
    return this.toJSON().filter(test)
  }

  find(test: (job: JobRecord, index: number) => unknown): JobRecord | undefined {
    return this.toJSON().find(test)
  }

  some(test: (job: JobRecord, index: number) => unknown): boolean {
    return this.toJSON().some(test)
  }

  every(test: (job: JobRecord, index: number) => unknown): boolean {
    return this.toJSON().every(test)
  }

  toJSON(): JobRecord[] {
    return this.parts.flatMap(({ jobs }) => jobs)
  }

  #place(id: string): number {
    if (this.parts.length === 1) return 0
    if (this.#places.size === 0) {
      for (const [place, { jobs }] of this.parts.entries())
        for (const job of jobs) this.#places.set(job.id, place)
    }
    return this.#places.get(id) ?? -1
  }
}

/** Jobs that two versions of a list do not share, side by side. */
export interface ChangedJobs {
  /** Where the new ones stand in the new list. */
  readonly at: number
  readonly gone: readonly JobRecord[]
  readonly come: readonly JobRecord[]
}

function partsOf(
  jobs: List<JobRecord> | undefined,
): readonly { readonly jobs: readonly JobRecord[] }[] {
  return jobs === undefined
    ? []
    : jobs instanceof JobList
      ? jobs.parts
      : [{ jobs: jobs as readonly JobRecord[] }]
}

/** What a version changed in a list: places that were changed at the same time come as one. */
export function changedJobs(
  before: List<JobRecord> | undefined,
  after: List<JobRecord> | undefined,
): readonly ChangedJobs[] {
  if (before === after) return []
  const old = partsOf(before)
  const parts = partsOf(after)
  if (old.length !== parts.length) return trimmed(0, [...(before ?? [])], [...(after ?? [])])
  const changed: ChangedJobs[] = []
  let at = 0
  for (let n = 0; n < parts.length; n++) {
    const other = old[n]
    const part = parts[n]
    if (other === undefined || part === undefined) break
    if (other !== part) changed.push(...trimmed(at, other.jobs, part.jobs))
    at += part.jobs.length
  }
  return changed
}

/** Without what both sides share at their beginning and end. */
function trimmed(
  at: number,
  gone: readonly JobRecord[],
  come: readonly JobRecord[],
): readonly ChangedJobs[] {
  const least = Math.min(gone.length, come.length)
  let from = 0
  while (from < least && gone[from] === come[from]) from++
  let back = 0
  while (back < least - from && gone.at(-1 - back) === come.at(-1 - back)) back++
  if (gone.length === come.length && from === gone.length) return []
  return [
    {
      at: at + from,
      gone: gone.slice(from, gone.length - back),
      come: come.slice(from, come.length - back),
    },
  ]
}
