import type { Job } from '@buildwire/sdk/contract'
import type { Style } from '../io/color.js'
import { blank, type Printable, say } from '../io/printable.js'
import { spinner } from '../io/progress.js'
import { jobState } from '../views/job.js'
import { type JobRow, jobRows } from '../views/job-rows.js'
import { markOf } from '../views/marks.js'
import type { ViewOptions } from '../views/view.js'

/**
 * Kinds of jobs by what a person wants to know of them: the first four one by one, the others as a
 * count.
 */
const ONE_BY_ONE = ['failed', 'soft', 'running', 'blocked'] as const
const COUNTED = ['waiting', 'passed', 'over'] as const
type Kind = (typeof ONE_BY_ONE)[number] | (typeof COUNTED)[number]

function kindOf(job: Job): Kind {
  const state = jobState(job)
  if (state === 'soft failed') return 'soft'
  const { kind } = markOf(state)
  if (kind === 'blocked') return job.type === 'manual' ? kind : 'waiting'
  return kind === 'failed' || kind === 'running' || kind === 'waiting' || kind === 'passed'
    ? kind
    : 'over'
}

/** Jobs that count for a person: no waiters, no runs that were retried. */
function shownJobs(jobs: readonly Job[]): Job[] {
  return jobs.filter((job) => job.type !== 'waiter' && job.retried !== true)
}

export interface WatchRows {
  readonly single: readonly JobRow[]
  readonly counted: readonly JobRow[]
}

/**
 * The jobs of a build in at most `limit` rows: what failed, runs or waits for a person first, the
 * rest counted.
 */
export function watchRows(
  jobs: readonly Job[],
  limit: number,
  tick: number,
  view: ViewOptions,
): WatchRows {
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

export function spin(row: JobRow, tick: number, { looks }: ViewOptions): JobRow {
  if (row.state !== 'running') return row
  const mark = spinner(tick, looks.ascii)
  const style = row.note.includes('promised') ? 'red' : 'yellow'
  return { ...row, mark: { kind: 'running', mark, ascii: mark, style } }
}

const plain = { note: '', time: '', url: null }

function jobsText(count: number) {
  return count === 1 ? '1 job' : `${count} jobs`
}

function countRow(group: readonly Job[]): JobRow {
  const counts = countStates(group)
  const [main = 'waiting'] = counts.keys()
  const name =
    counts.size === 1 ? jobsText(group.length) : `${jobsText(group.length)}: ${countText(counts)}`
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

const MAX_CELLS = 48
/** What stands beside the bar: indent, gap, `10 of 15 jobs, 2 failed`. */
const BESIDE = 37

export interface Part {
  readonly state: string
  readonly isOver: boolean
  /** Its failure counts. */
  readonly isHard: boolean
}

export function jobParts(jobs: readonly Job[]): Part[] {
  return shownJobs(jobs).map(({ state = '', finished_at, soft_failed }) => ({
    state,
    isOver:
      state !== 'canceling' &&
      (Boolean(finished_at) ||
        ['passed', 'failed', 'canceled', 'skipped'].includes(markOf(state).kind)),
    isHard: soft_failed !== true,
  }))
}

function counts(parts: readonly Part[]) {
  const over = parts.filter(({ isOver }) => isOver)
  const of = (among: readonly Part[], kind: string) =>
    among.filter(({ state }) => markOf(state).kind === kind)
  return {
    total: parts.length,
    over: over.length,
    passed: of(over, 'passed').length,
    failed: of(over, 'failed').filter(({ isHard }) => isHard).length,
    running: of(parts, 'running').filter(({ isOver }) => !isOver).length,
  }
}

export function progressText(parts: readonly Part[], noun: string): string {
  const { total, over, failed } = counts(parts)
  return `${over} of ${total} ${noun}${total === 1 ? '' : 's'}${failed === 0 ? '' : `, ${failed} failed`}`
}

/**
 * How far something is, by its parts that are over; a full bar means that all are. Null without
 * parts.
 */
export function progressBar(
  parts: readonly Part[],
  noun: string,
  view: ViewOptions,
): Printable | null {
  const { total, over, passed, failed, running } = counts(parts)
  if (total === 0) return null
  const width = Math.min(MAX_CELLS, view.width - BESIDE)
  const upTo = (count: number) =>
    count === total ? width : Math.min(Math.round((count / total) * width), width - 1)
  const pieces: readonly (readonly [Style, string, number])[] = [
    ['green', '#', passed],
    ['red', '#', failed],
    ['plain', '#', over - passed - failed],
    ['yellow', '-', running],
    ['dim', '-', total - over - running],
  ]
  let count = 0
  let drawn = blank
  for (const [style, character, share] of pieces) {
    const cells = upTo(count + share) - upTo(count)
    count += share
    drawn = say`${drawn}${view.looks.paint(style, say`${character.repeat(Math.max(0, cells))}`)}`
  }
  return say`  ${drawn}  ${progressText(parts, noun)}`
}
