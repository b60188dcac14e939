import type { Job, JobPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { textArg, textFlag } from '../flags/flags.js'
import { BUILD } from '../flags/groups.js'
import { CommandError, usageError } from '../io/command-error.js'
import { reference, say } from '../io/printable.js'
import { jobTitle } from '../views/job.js'
import { findJob } from './find-job.js'

/** The build of the commands about one job. */
export const jobArgs = { number: textArg({ description: BUILD }) }

/** `--job` of those commands. */
export const jobFlag = {
  job: textFlag({ helpValue: 'ID|NAME', summary: 'The job: id, step key, name, or a part of the name' }),
}

/** Which job is meant where none is named. */
export interface JobChoice {
  /** What is done to it, as in `Retry`; a write to a build that nobody named is asked about first. */
  readonly ask?: string | undefined
  readonly suits: (job: Job) => boolean
  /** `waits for a person` */
  readonly what: string
}

/** The address of the job that is meant: by a word, or the only one that suits. */
export async function findJobTarget(
  context: Context,
  typed: {
    readonly number?: string | undefined
    readonly job?: string | undefined
    readonly yes?: boolean | undefined
  },
  choice: JobChoice,
): Promise<JobPath> {
  const path = await context.target.build(typed.number, { ask: typed.yes === true ? undefined : choice.ask })
  const ci = await context.ci()
  const { jobs = [] } = await ci.builds.get(path, { signal: context.signal })
  if (typed.job !== undefined) return { ...path, job_id: findJob(jobs, typed.job, choice.suits).id }
  const suiting = jobs.filter((job) => job.type !== 'waiter' && choice.suits(job))
  const [only] = suiting
  const name = reference(path, path.number)
  if (only === undefined) {
    throw new CommandError('not_found', say`no job of build ${name} ${choice.what}`, { hint: ['builds', 'get', name] })
  }
  if (suiting.length === 1) return { ...path, job_id: only.id }
  throw usageError(say`no job is named, and ${suiting.length} could be meant`, {
    lines: [say`Name one with --job:`],
    choices: suiting.slice(0, 10).map((job) => say`${jobTitle(job)}`),
  })
}
