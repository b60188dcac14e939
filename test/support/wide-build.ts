import { performance } from 'node:perf_hooks'
import type { Persistence } from '@buildwire/mock-server'
import { wideServer } from './wide-server.js'

/**
 * Limits for a build of 1 000 jobs: the longest turn of the event loop, and the growth of the
 * process until the build has ended. A new process with a server takes about 150 MiB, so the limit
 * is 400 MB together.
 */
const limits = { turnMs: 100, journalBytesPerJob: 10_000, grownMiB: 230, judgedUpToJobs: 1_000 }

export interface WideOptions {
  readonly jobs: number
  readonly lifecycle: 'immediate' | 'timed'
  /** The number of clients that create small builds at the same time. */
  readonly writers: number
  /** The most retries of all jobs; fewer if there is no time. */
  readonly retries: number
  /** `performance.now()` after which no retry begins. */
  readonly until?: number
  readonly persistence: () => { readonly persistence?: Persistence }
  /** The size of the journal in bytes; 0 in memory. */
  readonly journalSize?: () => Promise<number>
}

export interface WideReport {
  readonly cpuUsPerMove: number
  /** The time from the creation of the first build to its end. */
  readonly elapsedMs: number
  readonly journalBytes: number
  /** The longest turn of the event loop, in ms. */
  readonly turnMs: number
  readonly grownMiB: number
  readonly others: number
  readonly retries: number
  readonly faults: readonly string[]
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/**
 * Measures the longest turn of this process's event loop, in ms. Real time includes pauses of a
 * busy machine, and processor time includes the threads that collect garbage. No turn is longer
 * than the smaller of both.
 */
async function costliestTurn(work: () => Promise<void>): Promise<number> {
  let most = 0
  let last = { cpu: cpuMs(), time: performance.now() }
  let watching = true
  const watch = (): void => {
    const now = { cpu: cpuMs(), time: performance.now() }
    most = Math.max(most, Math.min(now.cpu - last.cpu, now.time - last.time))
    last = now
    if (watching) setImmediate(watch)
  }
  watch()
  await work()
  watching = false
  return most
}

/**
 * Runs one build of very many jobs from its creation to its end. Runs it again beside small
 * writers, with retries, and after a restart.
 */
export async function wideBuild(options: WideOptions): Promise<WideReport> {
  const { jobs, lifecycle, writers, until = Number.POSITIVE_INFINITY, persistence } = options
  const journalSize = options.journalSize ?? (() => Promise.resolve(0))
  const faults: string[] = []
  const server = await wideServer({ jobs, lifecycle, ...persistence() })
  const expect = (what: string, status: number, wanted: number): void => {
    if (status !== wanted) faults.push(`${what} answered ${status}`)
  }
  for (let n = 0; n < 20; n++) expect('a small create', (await server.create('small')).status, 201)

  const before = await journalSize()
  const takenBefore = process.memoryUsage().rss
  const cpu = cpuMs()
  const began = performance.now()
  expect('the create', (await server.create('wide')).status, 201)
  await server.finished('wide', 1)
  const cpuUsPerMove = ((cpuMs() - cpu) * 1e3) / (4 * jobs)
  const elapsedMs = performance.now() - began
  const grownMiB = (process.memoryUsage().rss - takenBefore) / 2 ** 20
  const journalBytes = (await journalSize()) - before
  if (journalBytes > limits.journalBytesPerJob * jobs)
    faults.push(`the journal grew by ${journalBytes} bytes`)

  // The first run of a program's code takes longer.
  expect('the first retry', (await server.retry(1)).status, 202)
  await server.finished('wide', 1)

  let others = 0
  let retries = 0
  const turnMs = await costliestTurn(async () => {
    const stop = new AbortController()
    const writing = Array.from({ length: writers }, async () => {
      while (!stop.signal.aborted) {
        expect('a small create beside it', (await server.create('small')).status, 201)
        others += 1
        for (let turns = 0; turns < 8; turns++)
          await new Promise((resolve) => setImmediate(resolve))
      }
    })
    expect('a second create', (await server.create('wide')).status, 201)
    await server.finished('wide', 2)
    for (; retries < options.retries && performance.now() < until; retries++) {
      expect(`retry ${retries}`, (await server.retry(2)).status, 202)
      await server.finished('wide', 2)
    }
    stop.abort()
    await Promise.all(writing)
  })
  if (jobs <= limits.judgedUpToJobs) {
    if (turnMs > limits.turnMs) faults.push(`the event loop stopped for ${turnMs.toFixed(0)} ms`)
    if (grownMiB > limits.grownMiB) faults.push(`the process grew by ${grownMiB.toFixed(0)} MiB`)
  }

  const seen = await server.get('wide', 2, '?include_retried_jobs=true')
  const failed = (seen.jobs ?? []).filter(({ state }) => state === 'failed').length
  if (failed !== jobs * (retries + 1)) faults.push(`${failed} jobs failed after ${retries} retries`)
  await server.close()
  if ((await journalSize()) > 0) {
    const again = await wideServer({ jobs, lifecycle, ...persistence() })
    const found = await again.get('wide', 2, '?include_retried_jobs=true')
    if (JSON.stringify(found) !== JSON.stringify(seen)) faults.push('a restart shows another build')
    await again.close()
  }
  return { cpuUsPerMove, elapsedMs, journalBytes, turnMs, grownMiB, others, retries, faults }
}
