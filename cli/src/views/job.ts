import { type Job, stateMark } from '@buildwire/sdk/contract'
import { firstLine, reference } from '../io/printable.js'
import { buildAddress } from './build.js'

const FAILED = ['failed', 'timed_out', 'broken', 'expired']

export function isFailedJob({ state = '' }: Job): boolean {
  return FAILED.includes(state)
}

/** Whether a job waits for a person and can be unblocked now. */
export function isUnblockable(job: Job): boolean {
  return job.type === 'manual' && job.unblockable === true
}

/** The URL of a job's log; null for jobs without a log. */
export function logUrl(job: Job): string | null {
  return job.raw_log_url || job.log_url || null
}

export function jobState(job: Job): string {
  return job.state === 'failed' && job.soft_failed === true
    ? 'soft failed'
    : (job.state ?? 'unknown')
}

/** The state for people: `did not run` for `waiting_failed`. */
export function stateWords(job: Job): string {
  return stateMark(jobState(job)).words
}

export function jobName(job: Job): string {
  return firstLine(job.name ?? job.label ?? job.step_key ?? job.type)
}

/** The name of a job within its build; parallel jobs share a name and are told apart by `3/8`. */
export function jobTitle(job: Job): string {
  const part = parallelPart(job)
  return part === null ? jobName(job) : `${baseName(job)} ${part}`
}

export function isParallel(job: Job): boolean {
  return typeof job.parallel_group_total === 'number' && job.parallel_group_total > 1
}

/** `3/8` for one of the jobs of a parallel step; null for any other job. */
export function parallelPart(job: Job): string | null {
  return isParallel(job) ? `${indices([job])}/${job.parallel_group_total}` : null
}

/** `acme/web#43`, the build that a trigger job started; null for any other job. */
export function triggeredBuild({ triggered_build: build }: Job): string | null {
  return build ? reference(buildAddress(build), build.number) : null
}

/** The name without `3/8` at its end, which some services add themselves. */
export function baseName(job: Job): string {
  return jobName(job).replace(/(?<! ) +\d+\/\d+$|(?<![ \d])\d+\/\d+$/u, '')
}

/** `1-2, 4-8` of zero-based indices. */
export function indices(members: readonly Job[]): string {
  const numbers = members.map((job) => (job.parallel_group_index ?? 0) + 1).sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run !== undefined && number <= run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}
