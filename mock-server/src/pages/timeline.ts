import { stateMark } from '@buildwire/sdk/contract'
import { html } from 'hono/html'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { tookMs } from './moments.js'
import { jobName, stepName } from './names.js'
import { type Child, section } from './record.js'

/** A span of time in which a job waited or ran, in ms since the start of the timeline. */
interface Bar {
  readonly kind: 'wait' | 'block' | 'run'
  readonly job: JobRecord
  readonly from: number
  readonly to: number
  /** Whether the build would have ended earlier if this span had been shorter. */
  readonly critical: boolean
}

/** The bars of a step's job and its retries. The jobs of a wide parallel step share one row. */
interface TimelineRow {
  readonly name: string
  readonly bars: readonly Bar[]
}

interface Timeline {
  readonly rows: readonly TimelineRow[]
  readonly start: number
  /** ms from the creation of the first job to the end of the last one, or to now. */
  readonly length: number
}

/** A step with more parallel jobs than this is drawn in one row. */
const mostRowsOfStep = 8

/** When each job of a build waited and ran; null while no job has begun to wait. */
export function timelineOf(build: BuildRecord, now: number): Timeline | null {
  const jobs = [...build.jobs].filter((job) => job.type !== 'waiter')
  const [start] = jobs.map((job) => time(job.created_at)).sort((one, other) => one - other)
  if (start === undefined) return null

  const endOf = (job: JobRecord): number => {
    const end = job.unblocked_at ?? job.finished_at ?? build.finished_at
    return end === null ? now : time(end)
  }
  const critical = criticalPath(jobs, endOf)
  const rows = new Map<string, { name: string; bars: Bar[] }>()
  let end = start
  for (const job of jobs) {
    const key = rowKey(job)
    const row = rows.get(key) ?? { name: rowName(job), bars: [] }
    rows.set(key, row)

    const spans = spansOf(job, endOf(job)).filter(({ from, to }) => to > from)
    for (const { kind, from, to } of spans) {
      const isCritical = critical.has(job)
      row.bars.push({ kind, job, from: from - start, to: to - start, critical: isCritical })
    }
    end = Math.max(end, endOf(job))
  }

  const shown = [...rows.values()].filter(({ bars }) => bars.length > 0)
  return shown.length === 0 ? null : { rows: shown, start, length: Math.max(1, end - start) }
}

function time(wire: string): number {
  return Date.parse(wire)
}

function isWide(job: JobRecord): boolean {
  return (job.parallel_group_total ?? 0) > mostRowsOfStep
}

function rowKey(job: JobRecord): string {
  const index = isWide(job) ? '' : (job.parallel_group_index ?? '')
  const matrix = job.matrix === null ? '' : JSON.stringify(job.matrix)
  return `${job.stepId} ${index} ${matrix}`
}

function rowName(job: JobRecord): string {
  return isWide(job) ? `${stepName(job)} × ${job.parallel_group_total}` : jobName(job)
}

/** The spans in which a job waited and ran, as epoch ms. */
function spansOf(job: JobRecord, end: number): Pick<Bar, 'kind' | 'from' | 'to'>[] {
  const ready = time(job.runnable_at ?? job.scheduled_at)
  const isManual = job.type === 'manual'
  const began = isManual || job.started_at === null ? end : time(job.started_at)

  const spans: Pick<Bar, 'kind' | 'from' | 'to'>[] = []
  if (job.runnable_at !== null)
    spans.push({ kind: isManual ? 'block' : 'wait', from: ready, to: began })
  if (job.started_at !== null) spans.push({ kind: 'run', from: began, to: end })
  return spans
}

/** The last job to end, the job before it that had to end first, and so on. */
function criticalPath(
  jobs: readonly JobRecord[],
  endOf: (job: JobRecord) => number,
): ReadonlySet<JobRecord> {
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

/** Heights in CSS pixels. Widths are shares of the drawing, so texts keep their size. */
const rowHeight = 22
const headHeight = 24

const legend = {
  wait: 'waits',
  block: 'waits for a person',
  run: 'runs',
  critical: 'makes the build as long as it is',
}

const pastTense: Readonly<Record<Bar['kind'], string>> = {
  wait: 'waited',
  block: 'waited for a person',
  run: 'ran',
}

const runShape = { offset: 3, height: 16, radius: 3 }
const waitShape = { offset: 8, height: 6, radius: 2 }

/** A share of a length as a percentage of the width of the drawing. */
function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`
}

/**
 * Draws when each job waited and ran, beside the names. The list of jobs below the drawing says the
 * same in words.
 */
export function timelineView({ rows, length }: Timeline): Child {
  const height = headHeight + rows.length * rowHeight + 6

  const tick = (part: number): Child => {
    const at = percent(part)
    const anchor = part === 0 ? 'start' : part === 1 ? 'end' : 'middle'
    const look = part === 0.25 || part === 0.75 ? 'time between' : 'time'
    const text = part === 0 ? '0' : tookMs(part * length)
    return html`<line class="tick" x1="${at}" x2="${at}" y1="${headHeight - 6}" y2="${height}"/>
      <text class="${look}" x="${at}" y="12" text-anchor="${anchor}">${text}</text>`
  }
  const barView = (name: string, top: number, { kind, job, from, to, critical }: Bar): Child => {
    const isRun = kind === 'run'
    const shape = isRun ? runShape : waitShape
    const { kind: tone, words } = stateMark(job.state)
    const look = `bar ${kind} ${isRun ? tone : ''}${critical ? ' critical' : ''}`
    const share = percent(Math.max(0.002, (to - from) / length))
    return html`<rect class="${look}" x="${percent(from / length)}" y="${top + shape.offset}" width="${share}" height="${shape.height}" rx="${shape.radius}">
        <title>${name} ${pastTense[kind]} ${tookMs(to - from)}: ${words}</title>
      </rect>`
  }
  const rowView = ({ name, bars }: TimelineRow, index: number): Child => {
    const top = headHeight + index * rowHeight
    return bars.map((bar) => barView(name, top, bar))
  }

  const path = criticalNames(rows).join(', ') || 'nothing yet'
  const keys = Object.entries(legend)
  const drawing = html`<div class="timeline">
    <ol class="names" aria-hidden="true">${rows.map(({ name }) => html`<li title="${name}">${name}</li>`)}</ol>
    <svg height="${height}" role="img" aria-labelledby="timeline-title timeline-text">
      <title id="timeline-title">${rows.length} jobs in ${tookMs(length)}</title>
      <desc id="timeline-text">The length of the build is made of: ${path}.</desc>
      ${[0, 0.25, 0.5, 0.75, 1].map(tick)}
      ${rows.map(rowView)}
    </svg>
  </div>
  <p class="legend">${keys.map(([kind, text]) => html`<span class="key ${kind}"></span> ${text} `)}</p>`
  const beside = `${tookMs(length)} with the time before the first job ran`
  return section({ title: 'Timeline', beside }, drawing)
}

/** The names of the critical jobs, each once. */
function criticalNames(rows: readonly TimelineRow[]): readonly string[] {
  const bars = rows.flatMap((row) => row.bars).filter(({ critical }) => critical)
  return [...new Set(bars.map(({ job }) => stepName(job)))]
}
