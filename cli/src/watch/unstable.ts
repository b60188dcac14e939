import { isCiError, summarizeFailure } from '@buildwire/sdk'
import type { Build, BuildPath, Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { emojify } from '../io/emoji.js'
import { type Printable, say } from '../io/printable.js'
import { isFailedJob, jobTitle } from '../views/job.js'

/**
 * Says that a job of a build is unstable: the job that failed first, by earlier builds; in a build
 * that passed, the jobs that failed before they passed. Null if there is none, if that is not known,
 * and where a program reads the output.
 */
export async function unstableText(
  context: Context,
  path: BuildPath,
  build: Build | null = null,
): Promise<Printable | null> {
  const { out, notes } = context
  if (out.machine) return null
  try {
    return build?.state === 'passed'
      ? await passedWhenRunAgain(context, path, build)
      : await unstableByHistory(context, path)
  } catch (error) {
    if (!isCiError(error)) throw error
    notes.debug(say`whether a job is unstable is not known: ${error.summary}`)
    return null
  }
}

async function unstableByHistory(context: Context, path: BuildPath): Promise<Printable | null> {
  const { looks, signal } = context
  const options = { problems: 1, logLines: 1, signal }
  const { problems } = await summarizeFailure(await context.ci(), path, options)
  const [first] = problems
  if (first?.origin?.verdict !== 'unstable') return null
  return say`${emojify(first.name, looks.ascii).trim()} is ${first.origin.sentence}`
}

async function passedWhenRunAgain(
  context: Context,
  path: BuildPath,
  { jobs = [] }: Build,
): Promise<Printable | null> {
  const hasAttempts = jobs.some(({ retries_count }) => (retries_count ?? 0) > 0)
  if (!hasAttempts) return null
  const ci = await context.ci()
  const { signal, looks } = context
  const all = await ci.builds.get({ ...path, include_retried_jobs: true }, { signal })
  const titles = recoveredTitles(all.jobs ?? [])
  if (titles.length === 0) return null
  const names = titles.map((title) => emojify(title, looks.ascii).trim()).join(', ')
  const verb = titles.length === 1 ? 'is' : 'are'
  return say`${names} ${verb} unstable: failed, and passed when run again`
}

function recoveredTitles(jobs: readonly Job[]): readonly string[] {
  const last = jobs.filter(({ retried, state }) => retried !== true && state === 'passed')
  const failed = jobs.filter((job) => job.retried === true && isFailedJob(job)).map(jobTitle)
  return last.map(jobTitle).filter((title) => failed.includes(title))
}
