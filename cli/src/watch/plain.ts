import { parseTimestamp } from '@buildwire/sdk'
import { safeUrl } from '../io/hyperlink.js'
import { firstLine, type Printable, say } from '../io/printable.js'
import { duration } from '../io/time.js'
import type { WatchEvent, WatchModel } from './model.js'

/** UTC with whole seconds: `2026-11-27T13:02:11Z`. */
function utcSeconds(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}

/** What the last step of a watch brought, one line per change; the last line of a build says how it ended. */
export function plainLines(model: WatchModel, isOneOfMany: boolean): Printable[] {
  return model.events.flatMap((event) => {
    const text = plainText(event, model, isOneOfMany)
    return text === null ? [] : [say`${utcSeconds(event.at)} ${text}`]
  })
}

/** `build 42`, or `build acme/web#42` among others. */
export function buildWord({ ref, build }: WatchModel, isOneOfMany: boolean): string {
  return `build ${isOneOfMany ? ref : (build?.number ?? ref)}`
}

function plainText(event: WatchEvent, model: WatchModel, isOneOfMany: boolean): string | null {
  const name = buildWord(model, isOneOfMany)
  const job = 'name' in event ? `${isOneOfMany ? `${name} ` : ''}job ${JSON.stringify(firstLine(event.name))}` : ''
  switch (event.type) {
    case 'build.state':
      return `${name}: ${arrow(event.from, event.to)}${ending(event.to, model)}`
    case 'job.state':
      return `${job}: ${arrow(event.from, event.to)}`
    case 'job.promised_failure':
      return `${job}: promised exit ${event.promised_exit_status}`
    case 'build.failing':
      // Later states say more, and an earlier failure of a build that is over is no news.
      return model.build?.state === 'running' ? `${name}: failing` : null
    // The build's state says these two already, and errors are notes on stderr.
    case 'build.blocked':
    case 'poll.error':
      return null
  }
}

function arrow(from: string | null, to: string): string {
  return from === null ? to : `${from} -> ${to}`
}

/** ` after 6m 41s <web_url>` of a build that is over or waits for a person. */
function ending(to: string, { build, outcome }: WatchModel): string {
  if (build === null || (outcome === null && to !== 'blocked')) return ''
  const started = parseTimestamp(build.started_at)
  const finished = parseTimestamp(build.finished_at)
  if (finished === null && to !== 'blocked') return ''
  const took = started === null || finished === null ? '' : ` after ${duration(finished - started)}`
  const url = safeUrl(build.web_url)
  return `${took}${url === null ? '' : ` ${url}`}`
}
