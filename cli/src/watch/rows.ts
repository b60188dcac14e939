import type { Job } from '@buildwire/sdk/contract'
import type { Style } from '../io/color.js'
import { blank, type Printable, say } from '../io/printable.js'
import { spinner } from '../io/progress.js'
import { jobState, stateWords } from '../views/job.js'
import { type JobRow, jobRows, stateRank } from '../views/job-rows.js'
import { markOf } from '../views/marks.js'
import type { ViewOptions } from '../views/view.js'

/**
 * Groups of jobs: jobs of the first four have a row each, jobs of the others are counted.
 */
const ONE_BY_ONE = ['failed', 'soft', 'running', 'blocked'] as const
const COUNTED = ['waiting', 'passed', 'over'] as const
type JobGroup = (typeof ONE_BY_ONE)[number] | (typeof COUNTED)[number]

function groupOf(job: Job): JobGroup {
  const state = jobState(job)
  if (state === 'soft failed') return 'soft'
  const { kind } = markOf(state)
  if (kind === 'blocked') return job.type === 'manual' ? kind : 'waiting'
  const hasGroup =
    kind === 'failed' || kind === 'running' || kind === 'waiting' || kind === 'passed'
  return hasGroup ? kind : 'over'
}

/** All jobs except waiters and jobs that were retried. */
function shownJobs(jobs: readonly Job[]): Job[] {
  return jobs.filter((job) => job.type !== 'waiter' && job.retried !== true)
}

export interface WatchRows {
  readonly single: readonly JobRow[]
  readonly counted: readonly JobRow[]
}

/**
 * The jobs of a build in at most `limit` rows: first the jobs that failed, run or wait for a
 * person, then the counts of the rest.
 */
export function watchRows(
  jobs: readonly Job[],
  limit: number,
  tick: number,
  view: ViewOptions,
): WatchRows {
  const inGroup = (group: JobGroup) => shownJobs(jobs).filter((job) => groupOf(job) === group)
  const single = ONE_BY_ONE.flatMap(inGroup)
  const rows = single.flatMap((job) => jobRows([job], view)).map((row) => spin(row, tick, view))
  const groups = COUNTED.map(inGroup).filter((group) => group.length > 0)
  const counted = groups.map((group) => countRow(group))

  if (rows.length + counted.length <= limit) return { single: rows, counted }
  if (limit < 1) return { single: [], counted: [] }
  if (limit === 1) return { single: [], counted: [restRow(shownJobs(jobs), '')] }
  if (counted.length + 2 > limit) {
    const rest = restRow([...single.slice(limit - 1), ...groups.flat()], 'more')
    return { single: rows.slice(0, limit - 1), counted: [rest] }
  }
  const shown = limit - counted.length - 1
  const rest = restRow(single.slice(shown), 'more')
  return { single: rows.slice(0, shown), counted: [rest, ...counted] }
}

export function spin(row: JobRow, tick: number, { looks }: ViewOptions): JobRow {
  if (row.state !== 'running') return row
  const mark = spinner(tick, looks.ascii)
  const style = row.note.includes('promised') ? 'red' : 'cyan'
  return { ...row, mark: { kind: 'running', mark, ascii: mark, style } }
}

const emptyCells = { note: '', time: '', url: null }

function jobsText(count: number) {
  return count === 1 ? '1 job' : `${count} jobs`
}

function countRow(group: readonly Job[]): JobRow {
  const counts = countStates(group)
  const [main = 'waiting'] = counts.keys()
  const state = group.find((job) => stateWords(job) === main)?.state ?? main
  const name =
    counts.size === 1 ? jobsText(group.length) : `${jobsText(group.length)}: ${countText(counts)}`
  return { ...emptyCells, state: main, rank: stateRank(state), mark: markOf(state), name }
}

function restRow(group: readonly Job[], state: string): JobRow {
  const mark = { kind: 'unknown', mark: '+', ascii: '+', style: 'dim' } as const
  const name = countText(countStates(group))
  return { ...emptyCells, state: state || 'jobs', rank: stateRank(''), mark, name }
}

/** States with their counts, the most frequent first. */
function countStates(group: readonly Job[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const job of group) counts.set(stateWords(job), (counts.get(stateWords(job)) ?? 0) + 1)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

function countText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
}

const MAX_CELLS = 48
/** Cells beside the bar: indent, gap and a text as `10 of 15 jobs, 2 failed`. */
const BESIDE_CELLS = 37

/** One job of a build, or one build of a board, in a progress bar. */
interface ProgressPart {
  readonly state: string
  readonly isOver: boolean
  /** A failure counts: it is not a soft one. */
  readonly isHard: boolean
}

export function jobParts(jobs: readonly Job[]): ProgressPart[] {
  return shownJobs(jobs).map((job) => ({
    state: job.state ?? '',
    isOver: isOverJob(job),
    isHard: job.soft_failed !== true,
  }))
}

const OVER = ['passed', 'failed', 'canceled', 'skipped', 'not_run']

function isOverJob({ state = '', finished_at }: Job): boolean {
  if (state === 'canceling') return false
  return Boolean(finished_at) || OVER.includes(markOf(state).kind)
}

function countParts(parts: readonly ProgressPart[]) {
  const over = parts.filter(({ isOver }) => isOver)
  const ofKind = (among: readonly ProgressPart[], kind: string) =>
    among.filter(({ state }) => markOf(state).kind === kind)
  return {
    total: parts.length,
    over: over.length,
    passed: ofKind(over, 'passed').length,
    failed: ofKind(over, 'failed').filter(({ isHard }) => isHard).length,
    running: ofKind(parts, 'running').filter(({ isOver }) => !isOver).length,
  }
}

export function progressText(parts: readonly ProgressPart[], noun: string): string {
  const { total, over, failed } = countParts(parts)
  const nouns = total === 1 ? noun : `${noun}s`
  const failures = failed === 0 ? '' : `, ${failed} failed`
  return `${over} of ${total} ${nouns}${failures}`
}

/**
 * A bar of the share of parts that are over; it is full only if all are over. Null without parts.
 */
export function progressBar(
  parts: readonly ProgressPart[],
  noun: string,
  view: ViewOptions,
): Printable | null {
  const { total, over, passed, failed, running } = countParts(parts)
  if (total === 0) return null
  const width = Math.min(MAX_CELLS, view.width - BESIDE_CELLS)
  const upTo = (count: number) =>
    count === total ? width : Math.min(Math.round((count / total) * width), width - 1)
  const segments: readonly (readonly [Style, string, number])[] = [
    ['green', '#', passed],
    ['red', '#', failed],
    ['plain', '#', over - passed - failed],
    ['cyan', '-', running],
    ['dim', '-', total - over - running],
  ]
  let count = 0
  let drawn = blank
  for (const [style, character, share] of segments) {
    const cells = upTo(count + share) - upTo(count)
    count += share
    drawn = say`${drawn}${view.looks.paint(style, say`${character.repeat(Math.max(0, cells))}`)}`
  }
  return say`  ${drawn}  ${progressText(parts, noun)}`
}
