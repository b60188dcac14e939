/** @jsxImportSource hono/jsx */
import { tookMs } from './moments.js'
import { Section } from './record.js'
import { toneOf } from './state.js'
import type { Bar, Timeline } from './timeline.js'

/** Widths and heights in the units of the drawing, which the page scales. */
const [names, width, rowHeight, head] = [190, 960, 22, 24]
const longestName = 26

const cut = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text)
const words: Readonly<Record<Bar['kind'], string>> = { wait: 'waited', block: 'waited for a person', run: 'ran' }

/** When each job waited and ran, as a drawing; the list of jobs below tells the same in words. */
export function TimelineView({ rows, length }: Timeline) {
  const scale = (width - names - 10) / length
  const x = (at: number): number => Math.round((names + at * scale) * 10) / 10
  const height = head + rows.length * rowHeight + 6
  const jobs = new Set(rows.flatMap(({ bars }) => bars.filter(({ critical }) => critical).map(({ job }) => job.name)))
  const path = [...jobs].filter((name) => name !== null)
  return (
    <Section title="Timeline" beside={tookMs(length)}>
      <section class="timeline" tabindex={0} aria-label="Timeline of the jobs">
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby="timeline-title timeline-text">
          <title id="timeline-title">{`${rows.length} jobs in ${tookMs(length)}`}</title>
          <desc id="timeline-text">{`The length of the build is made of: ${path.join(', ') || 'nothing yet'}.`}</desc>
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <>
              <line class="tick" x1={x(part * length)} x2={x(part * length)} y1={head - 6} y2={height} />
              <text class="time" x={x(part * length)} y={12} text-anchor={part === 1 ? 'end' : 'middle'}>
                {part === 0 ? '0' : tookMs(part * length)}
              </text>
            </>
          ))}
          {rows.map(({ name, bars }, row) => (
            <>
              <text class="name" x={4} y={head + row * rowHeight + 15}>
                {cut(name)}
              </text>
              {bars.map((bar) => (
                <rect
                  class={`bar ${bar.kind} ${bar.kind === 'run' ? toneOf(bar.job.state) : ''}${bar.critical ? ' critical' : ''}`}
                  x={x(bar.from)}
                  y={head + row * rowHeight + (bar.kind === 'run' ? 3 : 8)}
                  width={Math.max(1.5, Math.round((bar.to - bar.from) * scale * 10) / 10)}
                  height={bar.kind === 'run' ? 16 : 6}
                  rx={bar.kind === 'run' ? 3 : 2}
                >
                  <title>{`${name} ${words[bar.kind]} ${tookMs(bar.to - bar.from)}: ${bar.job.state}`}</title>
                </rect>
              ))}
            </>
          ))}
        </svg>
      </section>
      <p class="legend">
        <span class="key wait" /> waits <span class="key block" /> waits for a person <span class="key run" /> runs{' '}
        <span class="key critical" /> makes the build as long as it is
      </p>
    </Section>
  )
}
