import type { Build, Job } from '../contract/schemas.gen.js'
import { failureOf } from './causes.js'
import type { ProblemCause } from './failure-summary.js'
import { previousAttempts } from './problems.js'
import { numberOf, textOf } from './text.js'

/** How one job ended in one build. */
export interface JobRun {
  readonly build: Build
  /** The execution of the step that failed, by preference that of the same parallel job; or null. */
  readonly failed: Job | null
  /** How the job itself ended, without its parallel jobs; null if it did not run to its end. */
  readonly outcome: 'passed' | 'failed' | null
  /** The execution that failed before the job passed when run again; or null. */
  readonly recovered: Job | null
}

/** Failures that the job itself causes. A lost agent or a canceled build says nothing about it. */
const OWN_CAUSES: readonly ProblemCause[] = [
  'exit',
  'signal',
  'timed_out',
  'promised',
  'trigger',
  'unknown',
]

/** True if the job itself is the cause, and not its agent or a person. */
export function isOwnFailure(cause: ProblemCause): boolean {
  return OWN_CAUSES.includes(cause)
}

/**
 * How the step of a job ended in other builds: without those in which it did not run or has not
 * finished. Parallel jobs count as one, since tests move between them; the cells of a matrix do not.
 */
export function runsOf(job: Job, builds: readonly Build[]): JobRun[] {
  const step = stepOf(job)
  if (step === null) return []
  return builds.flatMap((build) => {
    const jobs = build.jobs ?? []
    const last = jobs.filter((each) => stepOf(each) === step && each.retried !== true)
    const failed = last.filter((each) => failsItself(each, build))
    const isPassed = last.length > 0 && last.every(({ state }) => state === 'passed')
    if (failed.length === 0 && !isPassed) return []

    const same = last.filter((each) => isSameShard(each, job))
    const hasFailed = same.some((each) => failed.includes(each))
    const hasPassed = same.length > 0 && same.every(({ state }) => state === 'passed')
    const previous = previousAttempts(jobs)
    const replaced = same
      .filter(({ state }) => state === 'passed')
      .flatMap((each) => earlier(each, previous))
    return [
      {
        build,
        failed: failed.find((each) => isSameShard(each, job)) ?? failed[0] ?? null,
        outcome: hasFailed ? 'failed' : hasPassed ? 'passed' : null,
        recovered: replaced.find((each) => failsItself(each, build)) ?? null,
      },
    ]
  })
}

function failsItself(job: Job, build: Build): boolean {
  const failure = failureOf(job, build)
  return failure !== null && isOwnFailure(failure.cause)
}

/** What names the step of a job and its cell in a matrix; null if nothing does. */
function stepOf({ type, step_key, name, label, command, matrix }: Job): string | null {
  const key = textOf(step_key)
  const words = key ?? textOf(name) ?? textOf(label) ?? textOf(command)
  const cell = typeof matrix === 'object' && matrix !== null ? Object.entries(matrix).sort() : []
  return words === null || type === 'waiter' ? null : JSON.stringify([key !== null, words, cell])
}

function isSameShard(one: Job, other: Job): boolean {
  return (
    numberOf(one.parallel_group_index) === numberOf(other.parallel_group_index) &&
    numberOf(one.parallel_group_total) === numberOf(other.parallel_group_total)
  )
}

/** The executions of a job before this one, the newest first. */
function earlier(job: Job, previous: ReadonlyMap<string, Job>): readonly Job[] {
  const chain: Job[] = []
  for (let old = previous.get(job.id); old !== undefined && !chain.includes(old); ) {
    chain.push(old)
    old = previous.get(old.id)
  }
  return chain
}
