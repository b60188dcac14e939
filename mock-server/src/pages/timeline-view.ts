import { html } from 'hono/html'
import { tookMs } from './moments.js'
import { type Child, section, toneOf } from './record.js'
import type { Bar, Timeline } from './timeline.js'

/** Widths and heights in the units of the drawing, which the page scales. */
const [names, width, rowHeight, head] = [190, 960, 22, 24]
const longestName = 26

const cut = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text)
const words: Readonly<Record<Bar['kind'], string>> = { wait: 'waited', block: 'waited for a person', run: 'ran' }
const rounded = (at: number): number => Math.round(at * 10) / 10

/** When each job waited and ran, as a drawing; the list of jobs below tells the same in words. */
export function timelineView({ rows, length }: Timeline): Child {
  const scale = (width - names - 10) / length
  const x = (at: number): number => rounded(names + at * scale)
  const height = head + rows.length * rowHeight + 6
  const jobs = new Set(rows.flatMap(({ bars }) => bars.filter(({ critical }) => critical).map(({ job }) => job.name)))
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
  <p class="legend">
    <span class="key wait"></span> waits <span class="key block"></span> waits for a person
    <span class="key run"></span> runs <span class="key critical"></span> makes the build as long as it is
  </p>`
  return section({ title: 'Timeline', beside: tookMs(length) }, drawing)
}
