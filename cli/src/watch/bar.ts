import type { Job } from '@buildwire/sdk/contract'
import type { Style } from '../io/color.js'
import { blank, type Printable, say } from '../io/printable.js'
import { markOf } from '../views/marks.js'
import type { View } from '../views/view.js'
import { shownJobs } from './rows.js'

const MAX_CELLS = 48
/** What stands beside the bar: indent, gap, `10 of 15 jobs, 2 failed`. */
const BESIDE = 37

/** How far a build is, by its finished jobs; a full bar means that every job is over. Null without jobs. */
export function progressBar(jobs: readonly Job[], view: View): Printable | null {
  const shown = shownJobs(jobs)
  const total = shown.length
  if (total === 0) return null
  const isOver = (job: Job) => Boolean(job.finished_at) || ['✓', '✗', '⊘', '»'].includes(markOf(job.state ?? '').mark)
  const over = shown.filter((job) => job.state !== 'canceling' && isOver(job))
  const failed = over.filter((job) => markOf(job.state ?? '').mark === '✗' && job.soft_failed !== true)
  const passed = over.filter((job) => markOf(job.state ?? '').mark === '✓')
  const running = shown.filter((job) => !over.includes(job) && markOf(job.state ?? '').mark === '▸')

  const width = Math.min(MAX_CELLS, view.width - BESIDE)
  const upTo = (count: number) => (count === total ? width : Math.min(Math.round((count / total) * width), width - 1))
  const parts: readonly (readonly [Style, string, number])[] = [
    ['green', '#', passed.length],
    ['red', '#', failed.length],
    ['plain', '#', over.length - passed.length - failed.length],
    ['yellow', '-', running.length],
    ['dim', '-', total - over.length - running.length],
  ]
  let count = 0
  let drawn = blank
  for (const [style, character, share] of parts) {
    const cells = upTo(count + share) - upTo(count)
    count += share
    drawn = say`${drawn}${view.looks.paint(style, say`${character.repeat(Math.max(0, cells))}`)}`
  }
  const failures = failed.length === 0 ? '' : `, ${failed.length} failed`
  return say`  ${drawn}  ${over.length} of ${total} ${total === 1 ? 'job' : 'jobs'}${failures}`
}
