import { parseTimestamp } from '@buildwire/sdk'
import type { Context } from '../context/context.js'
import { safeUrl } from '../io/hyperlink.js'
import { firstLine, type Printable, say } from '../io/printable.js'
import { duration, wait } from '../io/time.js'
import { runningTime } from '../views/build.js'
import type { Presenter, WatchEvent, WatchModel } from './model.js'
import { outcomeExitCode, type Until } from './outcome.js'

const HEARTBEAT_MS = 60_000

/**
 * Chooses the presenter: a live view on a terminal, records for `-o jsonl`, only warnings for
 * `--json` and `-o id`, else a line per change.
 */
export async function choosePresenter(
  context: Context,
  refs: readonly string[],
  until: Until,
  draws: boolean,
): Promise<Presenter> {
  const { mode } = context.out
  const close = async () => {}
  if (mode === 'json' || mode === 'id') {
    return { show: async (model) => warnOnce(context, model), close }
  }
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
    notes.note(
      say`${buildWord(model, isOneOfMany)}: still ${model.state ?? 'waiting to run again'}${since}`,
    )
  }
}

function warnOnce({ notes }: Context, model: WatchModel): void {
  for (const event of model.events) {
    if (event.type === 'poll.error' && event.first) {
      notes.warn(say`${event.message}; next try in ${wait(event.delayMs)}`)
    }
  }
}

function iso(instant: number) {
  return new Date(instant).toISOString()
}

const watchStart = { type: 'watch.start', schemaVersion: 1 } as const

/**
 * The events of the last step of a watch as records of `-o jsonl`. The last record of a build has
 * the outcome of its watch.
 */
export function jsonlRecords(
  { ref, build, state, at, outcome, events }: WatchModel,
  until: Until,
): object[] {
  const about = { build: ref, number: build?.number ?? null }
  const records = events.map(({ type, at: when, ...rest }) => ({
    type,
    at: iso(when),
    ...about,
    ...rest,
  }))
  if (outcome === null || build === null) return records
  const exitCode = outcomeExitCode(outcome, until)
  return [
    ...records,
    {
      type: 'build.finished',
      at: iso(at),
      ...about,
      state: state ?? build.state,
      outcome,
      exitCode,
    },
  ]
}

function utcSeconds(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}

/**
 * The events of the last step of a watch, one line each. The last line of a build has its end
 * state, duration and address.
 */
export function plainLines(model: WatchModel, isOneOfMany: boolean): Printable[] {
  return model.events.flatMap((event) => {
    const text = plainText(event, model, isOneOfMany)
    return text === null ? [] : [say`${utcSeconds(event.at)} ${text}`]
  })
}

/** `build 42`, or `build acme/web#42` if several builds are watched. */
function buildWord({ ref, build }: WatchModel, isOneOfMany: boolean): string {
  return `build ${isOneOfMany ? ref : (build?.number ?? ref)}`
}

function plainText(event: WatchEvent, model: WatchModel, isOneOfMany: boolean): string | null {
  const name = buildWord(model, isOneOfMany)
  const jobName = 'name' in event ? JSON.stringify(firstLine(event.name)) : ''
  const job = isOneOfMany ? `${name} job ${jobName}` : `job ${jobName}`
  switch (event.type) {
    case 'build.state':
      return `${name}: ${arrow(event.from, event.to)}${ending(event.to, model)}`
    case 'job.state':
      return `${job}: ${arrow(event.from, event.to)}`
    case 'job.promised_failure':
      return `${job}: promised exit ${event.promised_exit_status}`
    case 'build.failing':
      // Any other state of the build already says that it fails or has ended.
      return model.build?.state === 'running' ? `${name}: failing` : null
    // A line with the state `blocked` is printed anyway, and errors are warnings on stderr.
    case 'build.blocked':
    case 'poll.error':
      return null
  }
}

function arrow(from: string | null, to: string): string {
  return from === null ? to : `${from} -> ${to}`
}

/** ` after 6m 41s <web_url>` for a build that is over or waits for a person. */
function ending(to: string, { build, outcome }: WatchModel): string {
  const hasEnding = outcome !== null || to === 'blocked'
  if (build === null || !hasEnding) return ''
  const started = parseTimestamp(build.started_at)
  const finished = parseTimestamp(build.finished_at)
  if (finished === null && to !== 'blocked') return ''
  const took = started === null || finished === null ? '' : ` after ${duration(finished - started)}`
  const url = safeUrl(build.web_url)
  return `${took}${url === null ? '' : ` ${url}`}`
}
