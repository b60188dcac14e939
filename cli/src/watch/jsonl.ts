import { buildState } from '../views/build.js'
import type { WatchModel } from './model.js'
import { outcomeExitCode, type Until } from './outcome.js'

const iso = (instant: number) => new Date(instant).toISOString()

/** The first record of a watch. */
export const watchStart = { type: 'watch.start', schemaVersion: 1 } as const

/** What the last step of a watch brought, as records of `-o jsonl`; times are UTC with milliseconds. */
export function jsonlRecords(model: WatchModel): object[] {
  const number = model.build?.number ?? null
  return model.events.map(({ type, at, ...rest }) => ({ type, at: iso(at), number, ...rest }))
}

/** The last record: how the build stood and why the watch ended. */
export function watchEnd(model: WatchModel, until: Until): object | null {
  if (model.outcome === null || model.build === null) return null
  const { build, outcome, at } = model
  const exitCode = outcomeExitCode(outcome, until)
  return { type: 'build.finished', at: iso(at), number: build.number, state: buildState(build), outcome, exitCode }
}
