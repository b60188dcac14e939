import { buildState } from '../domain/build.js'
import { isActive, isFinished, isHardFailure, isLatest } from '../domain/job.js'
import { timestamp } from '../domain/timestamp.js'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { buildTimes, type SeedBuild } from './build-tables.js'
import type { Loading } from './loading.js'

function hasStarted(jobs: readonly JobRecord[]): boolean {
  return jobs.some(({ started_at }) => started_at !== null)
}

/** The state of a build whose document gives only its jobs. */
export function impliedState(jobs: readonly JobRecord[]) {
  return jobs.length === 0
    ? { state: 'scheduled', blocked: false }
    : buildState(jobs, hasStarted(jobs))
}

function describe(job: JobRecord | undefined): string | undefined {
  return job && `job ${job.step_key ?? job.name ?? job.id} is ${job.state}`
}

/** Says in words why a build with these jobs cannot have this state; null if it can. */
export function findContradiction(
  state: string,
  blocked: boolean,
  jobs: readonly JobRecord[],
): string | null {
  if (jobs.length === 0) return null
  const latest = jobs.filter(isLatest)
  const failure = describe(latest.find(isHardFailure))
  const unfinished = describe(latest.find((job) => !isFinished(job)))
  const noFailure = failure === undefined ? 'no job failed' : undefined
  const allFinished = unfinished === undefined ? 'every job is finished' : undefined

  const reasons: Readonly<Record<string, string | undefined>> = {
    blocked: describe(latest.find(isActive)),
    passed: failure ?? unfinished,
    failed: unfinished ?? noFailure,
    canceled: unfinished,
    skipped: unfinished,
    not_run: unfinished,
    failing: noFailure ?? allFinished,
    running: failure === undefined ? allFinished : `${failure}: that makes it failing`,
    scheduled: hasStarted(latest) ? 'a job has started' : undefined,
  }
  const reason = reasons[blocked ? 'blocked' : state]
  if (reason === undefined) return null
  return `${blocked ? 'a blocked build waits' : `the build is ${state}`}, but ${reason}`
}

const neverStarted = new Set(['scheduled', 'skipped', 'not_run', 'waiting'])
const ended = new Set(['passed', 'failed', 'canceled', 'skipped', 'not_run', 'waiting_failed'])

function sorted(times: readonly (string | null)[]): readonly string[] {
  return times.filter((time) => time !== null).sort()
}

/** The times of a build: as the document gives them, else derived from its jobs and state. */
export function timesOf(
  loading: Loading,
  given: SeedBuild,
  stored: BuildRecord | undefined,
  build: Pick<BuildRecord, 'state' | 'blocked' | 'created_at' | 'jobs'>,
) {
  const { state, blocked, created_at, jobs } = build
  const now = Math.max(loading.context.now, Date.parse(created_at))
  const after = (from: unknown, ms: number) =>
    timestamp(Math.min(Date.parse(String(from ?? created_at)) + ms, now))

  const isUnstarted = neverStarted.has(state)
  const isOver = ended.has(state) || (blocked && state !== 'scheduled')
  const [started] = sorted(jobs.map((job) => job.started_at))
  const [failing] = sorted(jobs.filter(isHardFailure).map((job) => job.finished_at))
  const finished = sorted(jobs.filter(isFinished).map((job) => job.finished_at)).at(-1)

  return loading.merge(buildTimes, given, given.state ? undefined : stored, {
    started_at: () => (isUnstarted ? null : (started ?? after(created_at, 2000))),
    failing_at: ({ started_at }) =>
      state === 'failing' ? (failing ?? after(started_at, 0)) : null,
    finished_at: ({ started_at }) =>
      isOver ? (finished ?? after(started_at, isUnstarted ? 0 : 60_000)) : null,
  })
}
