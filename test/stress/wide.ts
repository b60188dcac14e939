import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lowdbDirectory } from '@buildwire/mock-server'
import { memoryMiB } from '../support/memory.js'
import { wideServer } from '../support/wide-server.js'
import type { StressTask } from './task.js'

const retries = 10
const writers = 20
/** What the largest build may cost a move, against one of 500 jobs. */
const mostGrowth = 3

interface Run {
  readonly jobs: number
  readonly cpuUsPerMove: number
  readonly journalBytes: number
  readonly longestOtherMs: number
  readonly others: number
  readonly failure?: string | undefined
}

/** `--requests N`: the largest build (5 000 jobs). Timed and immediate, in memory and on disk, beside small writers. */
export const run: StressTask = async ({ minutes, requests = 5_000, log }) => {
  const deadline = process.hrtime.bigint() + BigInt(Math.round(minutes * 60e9))
  const sizes = [100, 500, 1_000, 5_000].filter((jobs) => jobs < requests).concat(requests)
  const figures: Record<string, number | string> = {}
  let failure: string | undefined
  let skipped = 0
  for (const store of ['memory', 'disk'] as const) {
    for (const lifecycle of ['immediate', 'timed'] as const) {
      const runs: Run[] = []
      for (const jobs of sizes) {
        if (process.hrtime.bigint() > deadline) {
          skipped += 1
          continue
        }
        const one = await runOne(jobs, store, lifecycle)
        runs.push(one)
        failure ??= one.failure
        log(
          `${store} ${lifecycle} ${jobs} jobs: ${one.cpuUsPerMove.toFixed(0)} µs a move, ${(one.journalBytes / 1e6).toFixed(2)} MB until it ended, ` +
            `${one.others} other creates, the slowest ${one.longestOtherMs.toFixed(0)} ms, ${memoryMiB().rss.toFixed(0)} MiB`,
        )
      }
      const costs = runs.map(({ cpuUsPerMove }) => cpuUsPerMove.toFixed(0))
      figures[`${store} ${lifecycle} µs a move`] = costs.join('/')
      const [base, last] = [runs.find(({ jobs }) => jobs === 500) ?? runs[0], runs.at(-1)]
      if (base !== undefined && last !== undefined && last.cpuUsPerMove > mostGrowth * base.cpuUsPerMove) {
        failure ??= `${store} ${lifecycle}: a move costs ${costs.join(', ')} µs for ${sizes.join(', ')} jobs`
      }
    }
  }
  if (skipped > 0) figures['left out for time'] = skipped
  return { ok: failure === undefined, figures, failure }
}

async function runOne(jobs: number, store: 'memory' | 'disk', lifecycle: 'immediate' | 'timed'): Promise<Run> {
  const directory = await mkdtemp(join(tmpdir(), 'wide-'))
  const persistence = () => (store === 'disk' ? { persistence: lowdbDirectory(directory) } : {})
  const size = () =>
    stat(join(directory, 'state.jsonl')).then(
      ({ size: bytes }) => bytes,
      () => 0,
    )
  const faults: string[] = []
  try {
    const server = await wideServer({ jobs, lifecycle, ...persistence() })
    const cpu = process.cpuUsage()
    const before = await size()
    if ((await server.create('wide')).status !== 201) faults.push(`${jobs} jobs: the create was refused`)
    await server.finished('wide', 1)
    const journalBytes = (await size()) - before
    const { user, system } = process.cpuUsage(cpu)
    if (store === 'disk' && journalBytes > 10_000 * jobs) faults.push(`${jobs} jobs wrote ${journalBytes} bytes`)
    const others = { count: 0, longestMs: 0, stop: false }
    const write = async (): Promise<void> => {
      while (!others.stop) {
        const start = process.hrtime.bigint()
        const { status } = await server.create('small')
        others.longestMs = Math.max(others.longestMs, Number(process.hrtime.bigint() - start) / 1e6)
        others.count += 1
        if (status !== 201) faults.push(`a small create beside ${jobs} jobs answered ${status}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const writing = Array.from({ length: writers }, write)
    if ((await server.create('wide')).status !== 201) faults.push(`${jobs} jobs: a second create was refused`)
    await server.finished('wide', 2)
    for (let n = 0; n < retries; n++) {
      if ((await server.retry(2)).status !== 200) faults.push(`${jobs} jobs: retry ${n} was refused`)
      await server.finished('wide', 2)
    }
    others.stop = true
    await Promise.all(writing)
    const seen = await server.get('wide', 2, '?include_retried_jobs=true')
    const states = (seen.body.jobs ?? []).map(({ state }) => state)
    if (states.length !== jobs * (retries + 1) || states.some((state) => state !== 'failed')) {
      faults.push(
        `${jobs} jobs, ${retries} retries: ${states.length} jobs, of them failed ${states.filter((state) => state === 'failed').length}`,
      )
    }
    await server.close()
    if (store === 'disk') {
      const again = await wideServer({ jobs, lifecycle, ...persistence() })
      const found = await again.get('wide', 2, '?include_retried_jobs=true')
      if (JSON.stringify(found.body) !== JSON.stringify(seen.body))
        faults.push(`${jobs} jobs: a restart shows another build`)
      await again.close()
    }
    return {
      jobs,
      cpuUsPerMove: (user + system) / (4 * jobs),
      journalBytes,
      longestOtherMs: others.longestMs,
      others: others.count,
      failure: faults[0],
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
