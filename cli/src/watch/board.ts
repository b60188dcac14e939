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
 * What a board of several builds is drawn from; `now` is the server's time by its answer on that
 * build.
 */
export interface BoardInputs {
  readonly watched: readonly { readonly model: WatchModel; readonly now: number }[]
  readonly rows: number
  readonly tick: number
}

/** One line a build, what needs a person first, and how many are over. Never taller than `rows`. */
export function layoutBoard({ watched, rows, tick }: BoardInputs, view: ViewOptions): Printable[] {
  const all = watched
    .map(({ model, now }) => spin(boardRow(model, now), tick, view))
    .sort((a, b) => stateRank(a.state) - stateRank(b.state))
  const room = Math.max(rows - 1, 1)
  const shown = all.length <= room ? all : all.slice(0, room - 1)
  const more = all.length - shown.length
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
  const news =
    trouble === null || outcome !== null ? null : `no news, next look in ${wait(delayMs)}`
  return {
    state,
    mark: markOf(state),
    name: ref,
    note: news ?? (jobs.length === 0 ? '' : progressText(jobs, 'job')),
    time: (model.state === null ? null : runningTime(build ?? {}, now)) ?? '',
    url: build?.web_url ?? null,
  }
}
