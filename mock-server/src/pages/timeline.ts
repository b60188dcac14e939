import { html } from 'hono/html'
import type { BuildRecord, JobRecord } from '../records/records.js'
import { tookMs } from './moments.js'
import { type Child, section, toneOf } from './record.js'

/** A stretch of time of a job, in ms since the timeline begins. */
interface Bar {
  readonly kind: 'wait' | 'block' | 'run'
  readonly job: JobRecord
  readonly from: number
  readonly to: number
  /** The build would have ended earlier if this had been shorter. */
  readonly critical: boolean
}

/** A step's job with its retries; the jobs of a wide parallel step share one row. */
interface Row {
  readonly name: string
  readonly bars: readonly Bar[]
}

interface Timeline {
  readonly rows: readonly Row[]
  readonly start: number
  /** ms from the first job's creation to the end, or to now. */
  readonly length: number
}

/** Parallel jobs beyond this number are drawn in one row. */
const mostRowsOfStep = 8

export function jobName(job: JobRecord): string {
  return job.type === 'waiter' ? 'Wait' : (job.name ?? job.step_key ?? job.type)
}

function time(wire: string): number {
  return Date.parse(wire)
}

const legend = {
  wait: 'waits',
  block: 'waits for a person',
  run: 'runs',
  critical: 'makes the build as long as it is',
}

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
      index === null
        ? ''
        : isWide
          ? ` × ${job.parallel_group_total}`
          : ` ${index + 1}/${job.parallel_group_total}`
    const row = rows.get(key) ?? { name: `${jobName(job)}${beside}`, bars: [] }
    rows.set(key, row)
    const [ready, done] = [time(job.runnable_at ?? job.scheduled_at), endOf(job)]
    const began =
      job.type === 'manual' ? done : job.started_at === null ? done : time(job.started_at)
    const bar = (kind: Bar['kind'], from: number, to: number): void => {
      if (to > from)
        row.bars.push({
          kind,
          job,
          from: from - first,
          to: to - first,
          critical: critical.has(job),
        })
    }
    if (job.runnable_at !== null) bar(job.type === 'manual' ? 'block' : 'wait', ready, began)
    if (job.started_at !== null) bar('run', began, done)
    end = Math.max(end, done)
  }
  const shown = [...rows.values()].filter(({ bars }) => bars.length > 0)
  return shown.length === 0 ? null : { rows: shown, start: first, length: Math.max(1, end - first) }
}

/**
 * The last job to end, the one that it began after, and so on: what the build's length is made of.
 */
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

/** Widths and heights in the units of the drawing, which the page scales. */
const [names, width, rowHeight, head] = [190, 960, 22, 24]
const longestName = 26

function cut(text: string): string {
  return text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text
}

const words: Readonly<Record<Bar['kind'], string>> = {
  wait: 'waited',
  block: 'waited for a person',
  run: 'ran',
}

function rounded(at: number): number {
  return Math.round(at * 10) / 10
}

/** When each job waited and ran, as a drawing; the list of jobs below tells the same in words. */
export function timelineView({ rows, length }: Timeline): Child {
  const scale = (width - names - 10) / length
  const x = (at: number): number => rounded(names + at * scale)
  const height = head + rows.length * rowHeight + 6
  const jobs = new Set(
    rows.flatMap(({ bars }) => bars.filter(({ critical }) => critical).map(({ job }) => job.name)),
  )
  const path = [...jobs].filter((name) => name !== null)
  const tick = (part: number): Child => {
    const [at, anchor] = [x(part * length), part === 1 ? 'end' : 'middle']
    return html`<line class="tick" x1="${at}" x2="${at}" y1="${head - 6}" y2="${height}"/>
      <text class="time" x="${at}" y="12" text-anchor="${anchor}">${part === 0 ? '0' : tookMs(part * length)}</text>`
  }
  const drawn = (name: string, top: number, { kind, job, from, to, critical }: Bar): Child => {
    const look = `bar ${kind} ${kind === 'run' ? toneOf(job.state) : ''}${critical ? ' critical' : ''}`
    const [down, tall, round] = kind === 'run' ? [3, 16, 3] : [8, 6, 2]
    const wide = Math.max(1.5, rounded((to - from) * scale))
    return html`<rect class="${look}" x="${x(from)}" y="${top + down}" width="${wide}" height="${tall}" rx="${round}">
        <title>${name} ${words[kind]} ${tookMs(to - from)}: ${job.state}</title>
      </rect>`
  }
  const drawing = html`<section class="timeline" tabindex="0" aria-label="Timeline of the jobs">
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="timeline-title timeline-text">
      <title id="timeline-title">${rows.length} jobs in ${tookMs(length)}</title>
      <desc id="timeline-text">The length of the build is made of: ${path.join(', ') || 'nothing yet'}.</desc>
      ${[0, 0.25, 0.5, 0.75, 1].map(tick)}
      ${rows.map(({ name, bars }, index) => {
        const top = head + index * rowHeight
        return [
          html`<text class="name" x="4" y="${top + 15}">${cut(name)}</text>`,
          bars.map((bar) => drawn(name, top, bar)),
        ]
      })}
    </svg>
  </section>
  <p class="legend">${Object.entries(legend).map(([kind, text]) => html`<span class="key ${kind}"></span> ${text} `)}</p>`
  return section({ title: 'Timeline', beside: tookMs(length) }, drawing)
}
