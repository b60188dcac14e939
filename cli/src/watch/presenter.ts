import type { Context } from '../context/context.js'
import { say } from '../io/printable.js'
import { wait } from '../io/time.js'
import { runningTime } from '../views/build.js'
import type { Presenter, WatchModel } from './model.js'
import { outcomeExitCode, type Until } from './outcome.js'
import { buildWord, plainLines } from './plain.js'

const HEARTBEAT_MS = 60_000

/** A live view on a terminal, records for `-o jsonl`, nothing for `--json` and `-o id`, else a line per change. */
export async function choosePresenter(
  context: Context,
  refs: readonly string[],
  until: Until,
  draws: boolean,
): Promise<Presenter> {
  const { mode } = context.out
  const close = async () => {}
  if (mode === 'json' || mode === 'id') return { show: async (model) => warnOnce(context, model), close }
  if (mode === 'jsonl') {
    const write = (record: object) => context.out.value(record, () => [])
    await write(watchStart)
    const show = async (model: WatchModel) => {
      for (const record of jsonlRecords(model, until)) await write(record)
    }
    return { show, close }
  }
  if (!draws) return { show: lineWriter(context, refs.length > 1), close }
  const { openWatchView } = await import('./ui/watch-view.js')
  return openWatchView(context, refs)
}

function lineWriter(context: Context, isOneOfMany: boolean): Presenter['show'] {
  const { clock, out, notes } = context
  let shownAt = clock.monotonic()
  return async (model) => {
    warnOnce(context, model)
    const lines = plainLines(model, isOneOfMany)
    const now = clock.monotonic()
    if (lines.length > 0) {
      shownAt = now
      return out.lines(lines)
    }
    if (now - shownAt < HEARTBEAT_MS || model.build === null) return
    shownAt = now
    const time = runningTime({ started_at: model.build.started_at }, model.at)
    const since = time === null ? '' : ` for ${time}`
    notes.note(say`${buildWord(model, isOneOfMany)}: still ${model.state ?? 'waiting to run again'}${since}`)
  }
}

function warnOnce({ notes }: Context, model: WatchModel): void {
  for (const event of model.events) {
    if (event.type === 'poll.error' && event.first)
      notes.warn(say`${event.message}; next look in ${wait(event.delayMs)}`)
  }
}

const iso = (instant: number) => new Date(instant).toISOString()

const watchStart = { type: 'watch.start', schemaVersion: 1 } as const

/**
 * What the last step of a watch brought, as records of `-o jsonl`; times are UTC with milliseconds. The last record of a
 * build says how it stood and why its watch ended.
 */
export function jsonlRecords({ ref, build, state, at, outcome, events }: WatchModel, until: Until): object[] {
  const about = { build: ref, number: build?.number ?? null }
  const records = events.map(({ type, at: when, ...rest }) => ({ type, at: iso(when), ...about, ...rest }))
  if (outcome === null || build === null) return records
  const exitCode = outcomeExitCode(outcome, until)
  return [...records, { type: 'build.finished', at: iso(at), ...about, state: state ?? build.state, outcome, exitCode }]
}
