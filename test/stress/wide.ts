import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { lowdbDirectory } from '@buildwire/mock-server'
import { besideWide } from '../support/beside-wide.js'
import { scratch } from '../support/scratch.js'
import { wideBuild } from '../support/wide-build.js'
import type { StressTask } from './task.js'

/**
 * The limit for the time of one state change in the largest build, compared with a build of 1 000
 * jobs.
 */
const mostGrowth = 3

/**
 * Another client's creates beside a build of 1 000 jobs on disk, five times as fast as real time:
 * 99 of 100 take at most this many ms of processor time.
 */
const beside = { jobs: 1_000, speed: 5, creates: 300, mostP99Ms: 100, mostTimeMs: 120_000 }

/**
 * Before all others, the creates of another client beside a wide build are judged. `--requests N`: the jobs of the largest build (default 5 000). Runs timed and immediate, in
 * memory and on disk, beside small writers, with up to ten retries. A build of 1 000 jobs runs
 * first. Each run gets time in proportion to its jobs, and a run that does not fit in the remaining
 * time is left out.
 */
export const run: StressTask = async ({ leftMs, requests = 5_000, log }) => {
  const sizes = [...new Set([Math.min(1_000, requests), Math.min(100, requests), requests])]
  const kinds = (['disk', 'memory'] as const).flatMap((store) =>
    (['immediate', 'timed'] as const).map((lifecycle) => ({ store, lifecycle })),
  )
  const runs = sizes.flatMap((jobs) => kinds.map((kind) => ({ jobs, ...kind })))
  const costs = new Map<string, number[]>()
  const faults: string[] = []
  const waits = await waitsBeside(performance.now() + Math.min(leftMs() / 2, beside.mostTimeMs))
  log(`beside a wide build: ${waits.figure}`)
  faults.push(...waits.faults)
  const leftOut: string[] = []
  /** Milliseconds per job. */
  let slowest = 0
  let left = runs.reduce((sum, { jobs }) => sum + jobs, 0)
  for (const { jobs, store, lifecycle } of runs) {
    const kind = `${store} ${lifecycle}`
    const share = (leftMs() * jobs) / left
    left -= jobs
    // At least three times: alone, once more, and beside the other writers.
    if (3 * jobs * slowest > leftMs()) {
      leftOut.push(`${kind} ${jobs} jobs`)
      continue
    }
    await using directory = await scratch('wide')
    const onDisk = store === 'disk'
    const one = await wideBuild({
      jobs,
      lifecycle,
      writers: 20,
      retries: 10,
      until: performance.now() + share / 2,
      persistence: () => (onDisk ? { persistence: lowdbDirectory(directory.path) } : {}),
      ...(onDisk && {
        journalSize: async () => (await stat(join(directory.path, 'state.jsonl'))).size,
      }),
    })
    slowest = Math.max(slowest, jobs < 1_000 ? 0 : one.elapsedMs / jobs)
    costs.set(kind, [...(costs.get(kind) ?? []), one.cpuUsPerMove])
    faults.push(...one.faults.map((fault) => `${kind} ${jobs} jobs: ${fault}`))
    log(
      `${kind} ${jobs} jobs: ${one.cpuUsPerMove.toFixed(0)} µs a move, ${(one.journalBytes / 1e6).toFixed(2)} MB until it ended, ` +
        `${one.retries} retries, ${one.others} other creates, a turn of the event loop took ${one.turnMs.toFixed(0)} ms, grown by ${one.grownMiB.toFixed(0)} MiB`,
    )
  }
  if (costs.size < kinds.length) faults.push(`no time was left for ${leftOut[0]}`)
  const figures: Record<string, string> = {
    'creates beside a wide build': waits.figure,
    jobs: sizes.join('/'),
  }
  if (leftOut.length > 0) figures['left out for time'] = leftOut.join(', ')
  for (const [kind, all] of costs) {
    const law = all.map((cost) => cost.toFixed(0)).join('/')
    figures[`${kind} µs a move`] = law
    if (Math.max(...all.slice(1)) > mostGrowth * (all[0] ?? 0))
      faults.push(`${kind}: a move costs ${law} µs`)
  }
  return { figures, failure: faults[0] }
}

async function waitsBeside(until: number) {
  await using directory = await scratch('beside')
  const persistence = lowdbDirectory(directory.path)
  const { creates, p99Ms, medianMs, faults } = await besideWide({ ...beside, until, persistence })
  const figure = `${creates}, median ${medianMs.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`
  const isSlow = !(p99Ms <= beside.mostP99Ms)
  return { figure, faults: isSlow ? [...faults, `creates took ${figure}`] : faults }
}
