import type { Job } from '@buildwire/sdk/contract'
import type { Style } from '../io/color.js'
import { blank, type Printable, say } from '../io/printable.js'
import { markOf } from '../views/marks.js'
import type { View } from '../views/view.js'
import { shownJobs } from './rows.js'

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
      (Boolean(finished_at) || ['passed', 'failed', 'canceled', 'skipped'].includes(markOf(state).kind)),
    isHard: soft_failed !== true,
  }))
}

function counts(parts: readonly Part[]) {
  const over = parts.filter(({ isOver }) => isOver)
  const of = (among: readonly Part[], kind: string) => among.filter(({ state }) => markOf(state).kind === kind)
  return {
    total: parts.length,
    over: over.length,
    passed: of(over, 'passed').length,
    failed: of(over, 'failed').filter(({ isHard }) => isHard).length,
    running: of(parts, 'running').filter(({ isOver }) => !isOver).length,
  }
}

/** `10 of 15 jobs, 2 failed` */
export function progressText(parts: readonly Part[], noun: string): string {
  const { total, over, failed } = counts(parts)
  return `${over} of ${total} ${noun}${total === 1 ? '' : 's'}${failed === 0 ? '' : `, ${failed} failed`}`
}

/** How far something is, by its parts that are over; a full bar means that all are. Null without parts. */
export function progressBar(parts: readonly Part[], noun: string, view: View): Printable | null {
  const { total, over, passed, failed, running } = counts(parts)
  if (total === 0) return null
  const width = Math.min(MAX_CELLS, view.width - BESIDE)
  const upTo = (count: number) => (count === total ? width : Math.min(Math.round((count / total) * width), width - 1))
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
