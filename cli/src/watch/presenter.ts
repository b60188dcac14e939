import type { Context } from '../context.js'
import { say } from '../io/printable.js'
import { duration, wait, wireTime } from '../io/time.js'
import { buildState } from '../views/build.js'
import { jsonlRecords, watchEnd, watchStart } from './jsonl.js'
import type { WatchModel } from './model.js'
import type { Until } from './outcome.js'
import { plainLines } from './plain.js'

/** Shows a watch as it goes on. */
export interface Presenter {
  show(model: WatchModel): Promise<void>
  close(): Promise<void>
}

/** What a presenter must know of the watch. */
export interface PresenterOptions {
  /** `acme/web`. */
  readonly pipeline: string
  readonly until: Until
  readonly draws: boolean
}

const HEARTBEAT_MS = 60_000

/** A live view on a terminal, records for `-o jsonl`, nothing for `--json` and `-o id`, else a line per change. */
export async function choosePresenter(context: Context, options: PresenterOptions): Promise<Presenter> {
  const { mode } = context.out
  if (mode === 'jsonl') return jsonlPresenter(context, options.until)
  if (mode === 'json' || mode === 'id')
    return { show: async (model) => warnOnce(context, model), close: async () => {} }
  if (!options.draws) return linePresenter(context)
  const { openWatchView } = await import('./ui/watch-view.js')
  return openWatchView(context, options.pipeline)
}

async function jsonlPresenter({ out }: Context, until: Until): Promise<Presenter> {
  const write = (record: object) => out.value(record, () => [])
  await write(watchStart)
  return {
    async show(model) {
      for (const record of jsonlRecords(model)) await write(record)
      const end = watchEnd(model, until)
      if (end !== null) await write(end)
    },
    close: async () => {},
  }
}

function linePresenter(context: Context): Presenter {
  const { clock, out, notes } = context
  let shownAt = clock.monotonic()
  return {
    async show(model) {
      warnOnce(context, model)
      const lines = plainLines(model)
      const now = clock.monotonic()
      if (lines.length > 0) {
        shownAt = now
        return out.lines(lines)
      }
      if (now - shownAt < HEARTBEAT_MS || model.build === null) return
      shownAt = now
      const started = wireTime(model.build.started_at)
      const since = started === null ? '' : ` for ${duration(model.at - started)}`
      notes.note(say`build ${model.build.number}: still ${buildState(model.build)}${since}`)
    },
    close: async () => {},
  }
}

/** One warning per streak of failed looks. */
function warnOnce({ notes }: Context, model: WatchModel): void {
  for (const event of model.events) {
    if (event.type === 'poll.error' && event.first)
      notes.warn(say`${event.message}; next look in ${wait(event.delayMs)}`)
  }
}
