import type { BuildPath, Job, JobPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { didYouMean, nearest } from '../flags/nearest.js'
import { jobOfUrl, type TypedTarget, typedTarget, UUID } from '../flags/number.js'
import { painter } from '../io/color.js'
import { CommandError, usageError } from '../io/command-error.js'
import { emojify } from '../io/emoji.js'
import { reference, say } from '../io/printable.js'
import { layoutTable } from '../io/table.js'
import { jobState, jobTitle, logUrl } from '../views/job.js'
import { bareName, jobWord, matchingJobs } from '../views/match-jobs.js'

const SHOWN = 10

/**
 * Finds the only job that a word names, as {@link matchingJobs} does; by default a job with a log is
 * preferred.
 */
export function findJob(
  jobs: readonly Job[],
  word: string,
  isLikely: (job: Job) => boolean = (job) => logUrl(job) !== null,
): Job {
  const matching = matchingJobs(jobs, word, isLikely)
  const [only, other] = matching
  if (only !== undefined && other === undefined) return only
  if (other !== undefined) throw ambiguousWord(word, matching)
  const candidates = jobs.filter((job) => job.type !== 'waiter')
  const names = [...new Set(candidates.map((job) => bareName(jobTitle(job))))]
  const title =
    names.length > SHOWN ? `The first ${SHOWN} of its ${names.length} jobs:` : 'Its jobs:'
  const list = names.length === 0 ? say`The build has no jobs` : say`${title}`
  throw usageError(say`no job has the name ${JSON.stringify(word)}`, {
    lines: [...didYouMean(nearest(word, names)), list],
    choices: names.slice(0, SHOWN).map((name) => say`${name}`),
  })
}

/** The jobs in which words are looked up: earlier attempts too if a word is an id. */
export async function jobsToSearch(
  { ci, signal }: Pick<Context, 'ci' | 'signal'>,
  path: BuildPath,
  words: readonly string[],
): Promise<readonly Job[]> {
  const include_retried_jobs = words.some((word) => UUID.test(jobOfUrl(word) ?? word)) || undefined
  const client = await ci()
  const { jobs = [] } = await client.builds.get({ ...path, include_retried_jobs }, { signal })
  return jobs
}

/** The error for a word that several jobs match, with the jobs to choose from. */
function ambiguousWord(word: string, matching: readonly Job[]): CommandError {
  const names = new Set(matching.map(jobTitle))
  const byName = names.size === matching.length
  const how = byName ? 'Say the whole name of one' : 'Name one by its id'
  const rows = matching
    .slice(0, SHOWN)
    .map((job) => [emojify(jobTitle(job), true), jobState(job), byName ? '' : job.id])
    .map((row) => row.map((text) => ({ text })))
  return usageError(say`${matching.length} jobs have the name ${JSON.stringify(word)}`, {
    lines: [matching.length > SHOWN ? say`${how}; the first ${SHOWN}:` : say`${how}:`],
    choices: layoutTable([{}, {}, {}], rows, Number.POSITIVE_INFINITY, {
      ascii: true,
      paint: painter(false),
    }),
  })
}

/** The choice of a job if the user names none. */
interface JobChoice {
  /**
   * The verb of a write, as in `Retry`: the user confirms it first if the build was not named.
   */
  readonly ask?: string | undefined
  readonly isSuitable: (job: Job) => boolean
  /** The property of a suitable job, as in `waits for a person`. */
  readonly description: string
}

interface JobTarget {
  readonly path: JobPath
  /** The job as a command line names it. */
  readonly word: string
}

/** Finds the job that the user names, or the only suitable job of the build. */
export async function findJobTarget(
  context: Context,
  typed: TypedTarget & { readonly yes?: boolean | undefined },
  choice: JobChoice,
): Promise<JobTarget> {
  const { build, word } = typedTarget(typed)
  const path = await context.target.build(build, {
    ask: typed.yes === true ? undefined : choice.ask,
  })
  const jobs = await jobsToSearch(context, path, word === undefined ? [] : [word])
  const targetOf = (job: Job): JobTarget => {
    return { path: { ...path, job_id: job.id }, word: jobWord(job, jobs) }
  }
  if (word !== undefined) return targetOf(findJob(jobs, word, choice.isSuitable))
  const suitable = jobs.filter((job) => job.type !== 'waiter' && choice.isSuitable(job))
  const [only] = suitable
  const name = reference(path, path.number)
  if (only === undefined) {
    throw new CommandError('not_found', say`no job of build ${name} ${choice.description}`, {
      hint: ['builds', 'get', name],
    })
  }
  if (suitable.length === 1) return targetOf(only)
  throw usageError(say`the job is missing, and ${suitable.length} jobs are possible`, {
    lines: [say`Name one with --job:`],
    choices: suitable.slice(0, SHOWN).map((job) => say`${bareName(jobTitle(job))}`),
  })
}
