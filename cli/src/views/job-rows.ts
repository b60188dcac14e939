import { parseTimestamp, signalReasonWords } from '@buildwire/sdk'
import type { Job } from '@buildwire/sdk/contract'
import { emojify } from '../io/emoji.js'
import { type Printable, say } from '../io/printable.js'
import { layoutTable, type TableCell, type TableColumn } from '../io/table.js'
import { duration, jobDuration } from '../io/time.js'
import { ranMs } from './build.js'
import {
  baseName,
  indices,
  isParallel,
  jobName,
  jobState,
  jobTitle,
  stateWords,
  triggeredBuild,
} from './job.js'
import { markOf, markText, type StyledMark, softFailureMark } from './marks.js'
import type { ViewOptions } from './view.js'

/** One line of the jobs of a build: one job, or the jobs of a parallel step that share a state. */
export interface JobRow {
  /** The job's state in words; `soft failed` for a failure that does not count. */
  readonly state: string
  /** For the position in a list. */
  readonly rank: number
  readonly mark: StyledMark
  readonly name: string
  readonly note: string
  readonly time: string
  readonly url: string | null
}

const ORDER = ['failed', 'soft failed', 'running', 'blocked', 'waiting', 'not_run', 'passed']
const NOTE_MIN = 18

/** The position of a state in a list: jobs that need a person come first. */
export function stateRank(state: string): number {
  const at = ORDER.indexOf(state === 'soft failed' ? state : markOf(state).kind)
  return at === -1 ? ORDER.length : at
}

/**
 * Jobs as rows, without waiters. Jobs of a parallel group with one state share a row. Jobs that need
 * a person come first.
 */
export function jobRows(jobs: readonly Job[], view: ViewOptions): JobRow[] {
  const shown = jobs.filter((job) => job.type !== 'waiter')
  const groups = new Map<string, Job[]>()
  for (const job of shown) {
    const key = foldKey(job)
    groups.set(key, [...(groups.get(key) ?? []), job])
  }
  return [...groups.values()]
    .map((members) => toRow(members, shown, view))
    .sort((a, b) => a.rank - b.rank)
}

function foldKey(job: Job): string {
  // Retried jobs have rows of their own: each row names the job that replaced it.
  if (!isParallel(job) || job.retried === true) return job.id
  return JSON.stringify([baseName(job), stateWords(job), job.parallel_group_total])
}

function toRow(members: readonly Job[], all: readonly Job[], view: ViewOptions): JobRow {
  const [first] = members
  if (first === undefined) throw new RangeError('a row has at least one job')
  const state = stateWords(first)
  const total = first.parallel_group_total
  const name = isParallel(first)
    ? `${baseName(first)} ${indices(members)}/${total}`
    : jobName(first)
  const times = members
    .map((job) => ranMs(job, view.now))
    .filter((time): time is number => time !== null)
  return {
    state,
    rank: stateRank(jobState(first)),
    mark: jobMark(first),
    name: emojify(name, view.looks.ascii),
    note:
      members.length > 1
        ? `${members.length}/${total} ${state}`
        : emojify(jobNote(first, all), view.looks.ascii),
    time: times.length === 0 ? '' : jobDuration(Math.max(...times)),
    url: members.length === 1 ? (first.web_url ?? null) : null,
  }
}

function hasPromised(job: Job) {
  return typeof job.promised_exit_status === 'number'
}

/** The mark of a job's state; a running job that promised to fail is marked as a soft failure. */
export function jobMark(job: Job): StyledMark {
  const warns = jobState(job) === 'soft failed' || (job.state === 'running' && hasPromised(job))
  return warns ? softFailureMark : markOf(jobState(job))
}

/**
 * More about a job: its retry, how it ended, what it promised or started. `all` are the jobs of its
 * build.
 */
export function jobNote(job: Job, all: readonly Job[]): string {
  const started = triggeredBuild(job)
  return [
    retryNote(job, all),
    exitNote(job),
    promiseNote(job),
    jobState(job) === 'soft failed' ? 'does not fail the build' : '',
    started === null ? '' : `started ${started}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function retryNote(job: Job, all: readonly Job[]): string {
  if (job.retried !== true) return ''
  const next = all.find((other) => other.id === job.retried_in_job_id)
  return next === undefined ? 'retried' : `retried as ${jobTitle(next)}, ${stateWords(next)}`
}

function exitNote({ signal, signal_reason, exit_status }: Job): string {
  const ended = signal_reason ? signalReasonWords(signal_reason) : null
  return [signal, ended].filter(Boolean).join(', ') || (exit_status ? `exit ${exit_status}` : '')
}

function promiseNote(job: Job): string {
  if (!hasPromised(job)) return ''
  const promised = parseTimestamp(job.promised_exit_status_at)
  const finished = parseTimestamp(job.finished_at)
  if (finished === null) return `promised exit ${job.promised_exit_status}`
  return promised === null ? '' : `promised ${duration(finished - promised)} earlier`
}

/** Draws rows for a width; the note is shown if enough of it fits beside the whole name. */
export function layoutJobs(
  rows: readonly JobRow[],
  { width, looks, link }: ViewOptions,
): Printable[] {
  const note: TableColumn = { flexible: true, min: NOTE_MIN, drop: 1 }
  const time: readonly TableColumn[] = rows.some((row) => row.time !== '')
    ? [{ align: 'right' }]
    : []
  const cells = rows.map((row): TableCell[] => [
    { text: `${markText(row.mark, looks)}${row.state}`, style: row.mark.style },
    { text: row.name, link: row.url },
    { text: row.note, style: 'dim' },
    { text: row.time },
  ])
  return layoutTable([{}, {}, note, ...time], cells, width - 2, looks, link).map(
    (line) => say`  ${line}`,
  )
}
