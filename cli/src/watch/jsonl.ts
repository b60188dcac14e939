import type { WatchModel } from './model.js'
import { outcomeExitCode, type Until } from './outcome.js'

const iso = (instant: number) => new Date(instant).toISOString()

export const watchStart = { type: 'watch.start', schemaVersion: 1 } as const

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
