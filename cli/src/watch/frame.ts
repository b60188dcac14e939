import type { Build } from '@buildwire/sdk/contract'
import { emojify } from '../io/emoji.js'
import { firstLine, joined, type Printable, say } from '../io/printable.js'
import { wait } from '../io/time.js'
import { cells, pad, shorten, trimmed } from '../io/width.js'
import { runningTime, shortCommit } from '../views/build.js'
import { failureReason } from '../views/failure-reason.js'
import { type JobRow, layoutJobs } from '../views/job-rows.js'
import { markOf } from '../views/marks.js'
import type { ViewOptions } from '../views/view.js'
import type { WatchModel } from './model.js'
import { jobParts, progressBar, type WatchRows, watchRows } from './rows.js'

export interface FrameInputs {
  readonly model: WatchModel
  readonly rows: number
  readonly tick: number
}

const WIDE = 80

/** One frame: header, jobs, progress. Never taller than `rows`, never wider than the view. */
export function layoutFrame({ model, rows, tick }: FrameInputs, view: ViewOptions): Printable[] {
  const { build, ref } = model
  if (build === null) return [shorten(say`${ref}: waiting for the first response`, view.width)]
  const head = [
    headline(model, build, view),
    ...reason(model, build, view),
    facts(model, build, view),
  ]
  const tail = trouble(model, view)
  const bar = build.jobs === undefined ? null : progressBar(jobParts(build.jobs), 'job', view)
  const barLines = bar === null ? [] : [bar]
  const maxJobRows = rows - head.length - tail.length - barLines.length
  const jobRows = watchRows(build.jobs ?? [], Math.max(0, maxJobRows), tick, view)
  const jobs = jobLines(jobRows, view)
  return [...head, ...jobs, ...barLines, ...tail].slice(0, Math.max(1, rows))
}

/**
 * Single jobs and counts share the width of the column of states. All other columns are laid out
 * separately, so that a long count does not move the times.
 */
function jobLines({ single, counted }: WatchRows, view: ViewOptions): Printable[] {
  const widest = Math.max(0, ...[...single, ...counted].map(({ state }) => cells(say`${state}`)))
  const padStates = (rows: readonly JobRow[]) =>
    rows.map((row) => ({ ...row, state: String(pad(row.state, widest)) }))
  return [...layoutJobs(padStates(single), view), ...layoutJobs(padStates(counted), view)]
}

/** The state in words; `retried` until the server reports a state from after a retry. */
export function stateWord({ state, build }: WatchModel): string {
  return state ?? (build === null ? 'waiting' : 'retried')
}

function headline(model: WatchModel, build: Build, view: ViewOptions): Printable {
  const { looks } = view
  const state = say`${stateWord(model)}`
  const { mark, ascii, style } = markOf(stateWord(model))
  const shownMark = looks.ascii ? ascii : mark
  const number = ` #${build.number}`
  const name = shorten(
    say`${model.ref.split('#', 1)[0] ?? ''}`,
    view.width - cells(say`${shownMark} ${number} ${state}`),
    looks,
  )
  const start = say`${shownMark} ${name}${number} ${state}`
  const messageWidth = view.width - cells(start) - 2
  const firstMessageLine = say`${emojify(firstLine(build.message ?? ''), looks.ascii)}`
  const message = shorten(firstMessageLine, messageWidth, looks)
  const title = say`${looks.paint(style, shownMark)} ${looks.paint('bold', say`${name}${number}`)} ${looks.paint(style, state)}`
  const hasMessage = messageWidth >= 8 && cells(trimmed(message)) > 0
  return hasMessage ? say`${title}  ${message}` : title
}

function facts(model: WatchModel, build: Build, view: ViewOptions): Printable {
  const { looks } = view
  const isWide = view.width >= WIDE
  const time = model.state === null ? null : runningTime(build, view.now)
  const isPolling = model.outcome === null && model.delayMs > 0
  const poll = isPolling ? `poll ${pollText(model.delayMs)}` : ''
  const texts = isWide ? [shortCommit(build.commit), time, poll] : [time]
  const rest = texts.flatMap((text) => (text ? [say`${text}`] : []))
  const dot = looks.ascii ? ' - ' : ' · '
  const restWidth = rest.reduce((sum, part) => sum + cells(part) + dot.length, 2)
  const branch = shorten(say`${build.branch ?? ''}`, Math.max(8, view.width - restWidth), looks)
  const parts = build.branch ? [branch, ...rest] : rest
  const line = shorten(joined(parts, say`${dot}`), view.width - 2, looks)
  return say`  ${looks.paint('dim', line)}`
}

/** `5s`, or `0.2s` for a watch of a server on this machine. */
function pollText(ms: number): string {
  return `${ms < 1000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)}s`
}

function trouble({ trouble: message, delayMs }: WatchModel, view: ViewOptions): Printable[] {
  if (message === null) return []
  const text = say`! no news, next try in ${wait(delayMs)}: ${firstLine(message)}`
  return [say`  ${view.looks.paint('yellow', shorten(text, view.width - 2, view.looks))}`]
}

/** What failed, once the build is over or the watch ends before that. */
function reason({ outcome }: WatchModel, build: Build, { looks, width }: ViewOptions): Printable[] {
  if (outcome !== 'failing' && outcome !== 'failed') return []
  const text = failureReason(build.jobs)
  if (text === null) return []
  const line = shorten(emojify(text, looks.ascii), width - 2, looks)
  return [say`  ${looks.paint('red', line)}`]
}
