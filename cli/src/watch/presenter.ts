import { parseTimestamp } from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { say } from '../io/printable.js'
import { duration, wait } from '../io/time.js'
import { jsonlRecords, watchStart } from './jsonl.js'
import type { Presenter, WatchModel } from './model.js'
import type { Until } from './outcome.js'
import { buildWord, plainLines } from './plain.js'

export interface PresenterOptions {
  /** `acme/web#42` of each build, in the order in which they are shown. */
  readonly refs: readonly string[]
  readonly until: Until
  readonly draws: boolean
}

const HEARTBEAT_MS = 60_000

/** A live view on a terminal, records for `-o jsonl`, nothing for `--json` and `-o id`, else a line per change. */
export async function choosePresenter(context: Context, { refs, until, draws }: PresenterOptions): Promise<Presenter> {
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
    const started = parseTimestamp(model.build.started_at)
    const since = started === null ? '' : ` for ${duration(model.at - started)}`
    notes.note(say`${buildWord(model, isOneOfMany)}: still ${model.state ?? 'waiting to run again'}${since}`)
  }
}

function warnOnce({ notes }: Context, model: WatchModel): void {
  for (const event of model.events) {
    if (event.type === 'poll.error' && event.first)
      notes.warn(say`${event.message}; next look in ${wait(event.delayMs)}`)
  }
}
