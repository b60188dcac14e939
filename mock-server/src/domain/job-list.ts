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

/** The number of jobs in a part. A list up to this length is a plain array. */
const partSize = 32

/** Counts of jobs. "Latest" means the latest execution of a step. */
const noFacts = {
  /** Not finished, including earlier executions. */
  open: 0,
  /** Latest, and not finished. */
  unfinished: 0,
  hardFailures: 0,
  /** Latest, and neither finished nor held back. */
  active: 0,
  running: 0,
  canceling: 0,
  started: 0,
  /** Latest, and neither a waiter nor skipped or broken. */
  run: 0,
  /** Latest, and the lifecycle still moves them. */
  movable: 0,
  scheduled: 0,
  /** Blocked, or no longer `scheduled` and not ended. */
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

/** Neighbouring jobs of a list. They never change, so what is derived from them is kept. */
export class JobPart {
  readonly jobs: readonly JobRecord[]
  /**
   * The state of the barriers before these jobs for which no job of this part has to change.
   * Initialized to a number so that V8 does not change the object's shape.
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

/** For lists of one part, which need no look-up. It is never written. */
const noPartOfJob = new Map<string, number>()

/**
 * The jobs of a build in parts. A version in which one job changed shares all other parts, and
 * their counts, with the version before. So a change costs the same for any number of jobs.
 */
export class JobList implements List<JobRecord> {
  readonly parts: readonly JobPart[]
  readonly length: number
  /** The part of each job, by job id. All versions share it: a job never changes its part. */
  readonly #partOfJob: Map<string, number>
  #facts: JobFacts | undefined

  constructor(
    parts: readonly JobPart[],
    partOfJob = parts.length > 1 ? new Map<string, number>() : noPartOfJob,
  ) {
    this.parts = parts
    let length = 0
    for (let n = 0; n < parts.length; n++) length += parts[n]?.jobs.length ?? 0
    this.length = length
    this.#partOfJob = partOfJob
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
    return this.parts[this.#partIndex(id)]?.jobs.find((job) => job.id === id)
  }

  replace(id: string, by: readonly JobRecord[]): JobList {
    const index = this.#partIndex(id)
    const part = this.parts[index]
    if (part === undefined) return this
    if (this.parts.length > 1) for (const job of by) this.#partOfJob.set(job.id, index)
    const at = part.jobs.findIndex((job) => job.id === id)
    if (at < 0) return this
    const changed = new JobPart(part.jobs.toSpliced(at, 1, ...by))
    return this.withParts(this.parts.with(index, changed))
  }

  withParts(parts: readonly JobPart[]): JobList {
    const list = new JobList(parts, this.#partOfJob)
    if (this.#facts === undefined) return list
    const counts = { ...this.#facts }
    for (let n = 0; n < parts.length; n++) {
      if (parts[n] !== this.parts[n])
        add(counts, parts[n]?.facts ?? noFacts, this.parts[n]?.facts ?? noFacts)
    }
    list.#facts = counts
    return list
  }

  /** The list as records keep it: a plain array if it has one part. */
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

  #partIndex(id: string): number {
    if (this.parts.length === 1) return 0
    if (this.#partOfJob.size === 0) {
      for (const [index, { jobs }] of this.parts.entries())
        for (const job of jobs) this.#partOfJob.set(job.id, index)
    }
    return this.#partOfJob.get(id) ?? -1
  }
}
