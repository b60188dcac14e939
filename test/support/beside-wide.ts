import { performance } from 'node:perf_hooks'
import type { Persistence } from '@buildwire/mock-server'
import { wideServer } from './wide-server.js'

export interface BesideWideOptions {
  readonly jobs: number
  /** How many times as fast as real time the lifecycle is. */
  readonly speed: number
  /** The number of creates to measure. */
  readonly creates: number
  /** `performance.now()` after which no wide build begins. */
  readonly until: number
  readonly persistence: Persistence
}

export interface BesideWideReport {
  readonly creates: number
  /** What all but one of a hundred creates take at most, in ms of processor time. */
  readonly p99Ms: number
  readonly medianMs: number
  readonly faults: readonly string[]
}

/** The time after the create of a wide build in which most of its jobs are assigned and started. */
const burstMs = 500

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/**
 * Measures what another client waits for its creates, one after another, while the lifecycle moves
 * the jobs of a wide build most. The create of the wide build itself is not measured. Processor time
 * is that of the process, which runs the server and nothing else, so a busy machine changes nothing.
 */
export async function besideWide(options: BesideWideOptions): Promise<BesideWideReport> {
  const { jobs, speed, persistence } = options
  const server = await wideServer({ jobs, speed, persistence, lifecycle: 'timed', passes: true })
  const faults: string[] = []
  const create = async (slug: string): Promise<void> => {
    const { status } = await server.create(slug)
    if (status !== 201) faults.push(`a ${slug} create answered ${status}`)
  }
  // The first runs of a program's code take longer.
  for (let n = 0; n < 200; n++) await create('small')

  const took: number[] = []
  for (let wide = 1; took.length < options.creates; wide++) {
    if (performance.now() > options.until) {
      faults.push(`only ${took.length} of ${options.creates} creates fit in the time`)
      break
    }
    await create('wide')
    const end = performance.now() + burstMs
    while (performance.now() < end) {
      const before = cpuMs()
      await create('small')
      took.push(cpuMs() - before)
    }
    await server.finished('wide', wide)
  }
  await server.close()
  took.sort((one, other) => one - other)
  const share = (part: number): number => took[Math.ceil(took.length * part) - 1] ?? Number.NaN
  return { creates: took.length, p99Ms: share(0.99), medianMs: share(0.5), faults }
}
