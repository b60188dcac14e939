import type { Job } from '@buildwire/sdk/contract'
import { spinner } from '../io/progress.js'
import { jobState } from '../views/job.js'
import { type JobRow, jobRows } from '../views/job-rows.js'
import { markOf } from '../views/marks.js'
import type { View } from '../views/view.js'

/** Kinds of jobs by what a person wants to know of them: the first four one by one, the others as a count. */
const ONE_BY_ONE = ['failed', 'soft', 'running', 'blocked'] as const
const COUNTED = ['waiting', 'passed', 'over'] as const
type Kind = (typeof ONE_BY_ONE)[number] | (typeof COUNTED)[number]

function kindOf(job: Job): Kind {
  const state = jobState(job)
  if (state === 'soft failed') return 'soft'
  const { kind } = markOf(state)
  if (kind === 'blocked') return job.type === 'manual' ? kind : 'waiting'
  return kind === 'failed' || kind === 'running' || kind === 'waiting' || kind === 'passed' ? kind : 'over'
}

/** Jobs that count for a person: no waiters, no runs that were retried. */
export function shownJobs(jobs: readonly Job[]): Job[] {
  return jobs.filter((job) => job.type !== 'waiter' && job.retried !== true)
}

/** Rows of a frame: jobs one by one, and below them the others as counts. */
export interface WatchRows {
  readonly single: readonly JobRow[]
  readonly counted: readonly JobRow[]
}

/** The jobs of a build in at most `limit` rows: what failed, runs or waits for a person first, the rest counted. */
export function watchRows(jobs: readonly Job[], limit: number, tick: number, view: View): WatchRows {
  const byKind = (kind: Kind) => shownJobs(jobs).filter((job) => kindOf(job) === kind)
  const single = ONE_BY_ONE.flatMap(byKind)
  const rows = single.flatMap((job) => jobRows([job], view)).map((row) => spin(row, tick, view))
  const groups = COUNTED.map(byKind).filter((group) => group.length > 0)
  const counted = groups.map((group) => countRow(group))
  if (rows.length + counted.length <= limit) return { single: rows, counted }
  if (limit <= 1) return { single: [], counted: limit === 1 ? [restRow(shownJobs(jobs), '')] : [] }
  if (counted.length + 2 > limit) {
    const rest = restRow([...single.slice(limit - 1), ...groups.flat()], 'more')
    return { single: rows.slice(0, limit - 1), counted: [rest] }
  }
  const room = limit - counted.length - 1
  return { single: rows.slice(0, room), counted: [restRow(single.slice(room), 'more'), ...counted] }
}

/** The mark of what runs turns. */
export function spin(row: JobRow, tick: number, { looks }: View): JobRow {
  if (row.state !== 'running') return row
  const mark = spinner(tick, looks.ascii)
  const style = row.note.includes('promised') ? 'red' : 'yellow'
  return { ...row, mark: { kind: 'running', mark, ascii: mark, style } }
}

const plain = { note: '', time: '', url: null }
const jobsText = (count: number) => (count === 1 ? '1 job' : `${count} jobs`)

function countRow(group: readonly Job[]): JobRow {
  const counts = countStates(group)
  const [main = 'waiting'] = counts.keys()
  const name = counts.size === 1 ? jobsText(group.length) : `${jobsText(group.length)}: ${countText(counts)}`
  return { ...plain, state: main, mark: markOf(main), name }
}

function restRow(group: readonly Job[], state: string): JobRow {
  const mark = { kind: 'unknown', mark: '+', ascii: '+', style: 'dim' } as const
  return { ...plain, state: state || 'jobs', mark, name: countText(countStates(group)) }
}

/** States with their counts, the most frequent first. */
function countStates(group: readonly Job[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const job of group) counts.set(jobState(job), (counts.get(jobState(job)) ?? 0) + 1)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

function countText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
}
