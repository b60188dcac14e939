import { stripVTControlCharacters } from 'node:util'
import { systemClock } from '@buildwire/mock-server'
import { type Capability, capabilities, type Lacks } from './capabilities.js'
import { type ConformanceRow, NotApplicable, type Target } from './target.js'

export type Outcome = 'passed' | 'failed' | 'not applicable'

/** The result of a row at a target. */
export interface Result {
  readonly target: string
  readonly row: ConformanceRow
  readonly outcome: Outcome
  /** The reason why the row failed or does not apply. */
  readonly reason?: string | undefined
  readonly durationMs: number
}

export const needsOf = ({ needs = [] }: ConformanceRow): readonly Capability[] =>
  typeof needs === 'string' ? [needs] : needs

/** Runs rows one after the other, because a row may change records that an earlier row expects. */
export async function runRows(
  target: Target,
  rows: readonly ConformanceRow[],
  lacks: Lacks,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const row of rows) results.push(await runRow(target, row, lacks))
  return results
}

/** A server that never answers fails the row and does not delay the other rows. */
const longestMs = 60_000

async function withinTime(work: Promise<void>): Promise<void> {
  const waiting = new AbortController()
  const late = systemClock.sleep(longestMs, waiting.signal).then(() => {
    throw new Error(`not done within ${longestMs / 1000} s`)
  })
  try {
    await Promise.race([work, late])
  } finally {
    late.catch(() => undefined)
    waiting.abort()
  }
}

/**
 * Reports are shown and kept, so they must not contain control characters or valid tokens from a
 * server.
 */
const printable = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/("(?:access_token|refresh_token|device_code)"\s*:\s*")[^"]*/g, '$1…')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
    .trim()

async function runRow(target: Target, row: ConformanceRow, lacks: Lacks): Promise<Result> {
  const startedAt = systemClock.monotonic()
  const end = (outcome: Outcome, reason?: string): Result => ({
    target: target.name,
    row,
    outcome,
    reason: reason === undefined ? undefined : printable(reason),
    durationMs: systemClock.monotonic() - startedAt,
  })
  const missing = needsOf(row).find((need) => lacks.has(need))
  if (missing !== undefined)
    return end('not applicable', `needs ${capabilities[missing]}: ${lacks.get(missing)}`)
  try {
    await withinTime(row.run(target))
    return end('passed')
  } catch (error) {
    if (error instanceof NotApplicable) return end('not applicable', error.message)
    return end('failed', error instanceof Error ? error.message : String(error))
  }
}
