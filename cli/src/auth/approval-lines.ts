import type { Paint } from '../io/color.js'
import { type Printable, say } from '../io/printable.js'
import { spinner } from '../io/progress.js'
import { cells, shorten } from '../io/width.js'

const GAP = 8

/** What the line of a pending login says. */
export interface ApprovalInputs {
  readonly canOpen: boolean
  /** What is going on instead of plain waiting. */
  readonly status: string | null
  readonly leftMs: number
  readonly tick: number
  readonly width: number
  readonly ascii: boolean
  readonly paint: Paint
}

/** What can be done and how long there is time: one line, or two where one is too narrow. */
export function approvalLines({ canOpen, status, leftMs, tick, width, ascii, paint }: ApprovalInputs): Printable[] {
  const advice = canOpen ? say`Enter opens the browser here; any other device works too.` : say`Open it on any device.`
  const seconds = Math.ceil(leftMs / 1000)
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const waiting = say`${status === null ? 'waiting' : status}, ${clock} left`
  const style = status === null ? 'plain' : 'yellow'
  const right = shorten(waiting, width - 4, { ascii })
  const drawn = say`${paint('cyan', spinner(tick, ascii))} ${paint(style, right)}`
  const fits = 2 + cells(advice) + GAP + 2 + cells(right) <= width
  if (fits) return [say`  ${advice}${' '.repeat(GAP)}${drawn}`]
  return [say`  ${shorten(advice, width - 2, { ascii })}`, say`  ${drawn}`]
}
