import { stateMark } from '@buildwire/sdk/contract'
import { type Printable, say } from '../io/printable.js'
import { wait } from '../io/time.js'
import { runningTime } from '../views/build.js'
import { type JobRow, layoutJobs, stateRank } from '../views/job-rows.js'
import { markOf } from '../views/marks.js'
import type { ViewOptions } from '../views/view.js'
import { stateWord } from './frame.js'
import type { WatchModel } from './model.js'
import { jobParts, progressBar, progressText, spin } from './rows.js'

/**
 * The watched builds and the size of a board. `now` is the server's time of a build's last answer,
 * moved on by the time that has passed since.
 */
export interface BoardInputs {
  readonly watched: readonly { readonly model: WatchModel; readonly now: number }[]
  readonly rows: number
  readonly tick: number
}

/**
 * One line per build, those that need a person first, and a progress bar. Never taller than `rows`.
 */
export function layoutBoard({ watched, rows, tick }: BoardInputs, view: ViewOptions): Printable[] {
  const jobRows = watched
    .map(({ model, now }) => spin(boardRow(model, now), tick, view))
    .sort((a, b) => a.rank - b.rank)
  const maxRows = Math.max(rows - 1, 1)
  const shown = jobRows.length <= maxRows ? jobRows : jobRows.slice(0, maxRows - 1)
  const more = jobRows.length - shown.length
  const parts = watched.map(({ model }) => ({
    state: stateWord(model),
    isOver: model.outcome !== null,
    isHard: true,
  }))
  const bar = progressBar(parts, 'build', view)
  return [
    ...layoutJobs(shown, view),
    ...(more === 0 ? [] : [say`  + ${more} more`]),
    ...(bar === null ? [] : [bar]),
  ].slice(-Math.max(1, rows))
}

function boardRow(model: WatchModel, now: number): JobRow {
  const { ref, build, trouble, delayMs, outcome } = model
  const state = stateWord(model)
  const jobs = jobParts(build?.jobs ?? [])
  const isFailing = trouble !== null && outcome === null
  const failure = isFailing ? `no news, next try in ${wait(delayMs)}` : null
  const progress = jobs.length === 0 ? '' : progressText(jobs, 'job')
  const time = model.state === null ? null : runningTime(build ?? {}, now)
  return {
    state: stateMark(state).words,
    rank: stateRank(state),
    mark: markOf(state),
    name: ref,
    note: failure ?? progress,
    time: time ?? '',
    url: build?.web_url ?? null,
  }
}
