import type { Build } from '../contract/schemas.gen.js'

const MINUTE_MS = 60_000
const IDLE_MS = 30_000
const ACTIVE: ReadonlySet<string> = new Set(['running', 'failing', 'canceling'])
const ACTIVE_JOB: ReadonlySet<string> = new Set(['assigned', 'accepted', 'running', 'timing_out', 'canceling'])

/** Whether an agent works on the build, as far as the record tells. */
export function isActive(build: Build): boolean {
  if (build.blocked === true) return build.jobs?.some((job) => ACTIVE_JOB.has(job.state ?? '')) === true
  return ACTIVE.has(build.state) || build.jobs?.some((job) => ACTIVE_JOB.has(job.state ?? '')) === true
}

/** What the length of a pause depends on. */
export interface PauseInputs {
  /** How long this watch has lasted. */
  readonly watchedMs: number
  /** For how long nothing has run; 0 while something does. */
  readonly idleMs: number
  /** A request window of the server has less than a fifth left. */
  readonly scarce: boolean
  /** The interval a person fixed. */
  readonly fixedMs: number | undefined
  /** From 0 up to 1. */
  readonly random: number
}

/**
 * How long to wait until the next look: 5 s, 10 s after five minutes, 15 s after a quarter of an hour, 30 s once nothing
 * has run for a minute; twice that while requests are scarce; up to a tenth more, so that watches do not march in step.
 */
export function pauseMs({ watchedMs, idleMs, scarce, fixedMs, random }: PauseInputs): number {
  const steady = watchedMs < 5 * MINUTE_MS ? 5000 : watchedMs < 15 * MINUTE_MS ? 10_000 : 15_000
  const base = fixedMs ?? (idleMs >= MINUTE_MS ? IDLE_MS : steady)
  return Math.ceil(base * (scarce ? 2 : 1) * (1 + 0.1 * random))
}
