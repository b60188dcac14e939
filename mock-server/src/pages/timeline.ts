import type { BuildRecord, JobRecord } from '../records/records.js'

/** A stretch of time of a job, in ms since the timeline begins. */
export interface Bar {
  readonly kind: 'wait' | 'block' | 'run'
  readonly job: JobRecord
  readonly from: number
  readonly to: number
  /** The build would have ended earlier if this had been shorter. */
  readonly critical: boolean
}

/** A step's job with its retries; the jobs of a wide parallel step share one row. */
export interface Row {
  readonly name: string
  readonly bars: readonly Bar[]
}

export interface Timeline {
  readonly rows: readonly Row[]
  readonly start: number
  /** ms from the first job's creation to the end, or to now. */
  readonly length: number
}

/** Parallel jobs beyond this number are drawn in one row. */
const mostRowsOfStep = 8

export const jobName = (job: JobRecord): string =>
  job.type === 'waiter' ? 'Wait' : (job.name ?? job.step_key ?? job.type)

const time = (wire: string): number => Date.parse(wire)

/** When each job of a build waited and ran; null when none has begun to wait. */
export function timelineOf(build: BuildRecord, now: number): Timeline | null {
  const jobs = [...build.jobs].filter((job) => job.type !== 'waiter')
  const [first] = jobs.map((job) => time(job.created_at)).sort((one, other) => one - other)
  if (first === undefined) return null
  const endOf = (job: JobRecord): number => {
    const end = job.unblocked_at ?? job.finished_at ?? build.finished_at
    return end === null ? now : time(end)
  }
  const critical = criticalPath(jobs, endOf)
  const rows = new Map<string, { name: string; bars: Bar[] }>()
  let end = first
  for (const job of jobs) {
    const index = job.parallel_group_index
    const isWide = (job.parallel_group_total ?? 0) > mostRowsOfStep
    const key = `${job.stepId} ${isWide ? '' : (index ?? '')} ${job.matrix === null ? '' : JSON.stringify(job.matrix)}`
    const beside =
      index === null ? '' : isWide ? ` × ${job.parallel_group_total}` : ` ${index + 1}/${job.parallel_group_total}`
    const row = rows.get(key) ?? { name: `${jobName(job)}${beside}`, bars: [] }
    rows.set(key, row)
    const [ready, done] = [time(job.runnable_at ?? job.scheduled_at), endOf(job)]
    const began = job.type === 'manual' ? done : job.started_at === null ? done : time(job.started_at)
    const bar = (kind: Bar['kind'], from: number, to: number): void => {
      if (to > from) row.bars.push({ kind, job, from: from - first, to: to - first, critical: critical.has(job) })
    }
    if (job.runnable_at !== null) bar(job.type === 'manual' ? 'block' : 'wait', ready, began)
    if (job.started_at !== null) bar('run', began, done)
    end = Math.max(end, done)
  }
  const shown = [...rows.values()].filter(({ bars }) => bars.length > 0)
  return shown.length === 0 ? null : { rows: shown, start: first, length: Math.max(1, end - first) }
}

/** The last job to end, the one that it began after, and so on: what the build's length is made of. */
function criticalPath(jobs: readonly JobRecord[], endOf: (job: JobRecord) => number): ReadonlySet<JobRecord> {
  const begun = jobs.filter((job) => job.runnable_at !== null && endOf(job) > time(job.runnable_at))
  const path = new Set<JobRecord>()
  let before = Number.POSITIVE_INFINITY
  for (const job of begun.sort((one, other) => endOf(other) - endOf(one))) {
    if (endOf(job) > before) continue
    path.add(job)
    before = time(job.runnable_at ?? job.created_at)
  }
  return path
}
