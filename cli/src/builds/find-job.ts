import type { Job } from '@buildwire/sdk/contract'
import { usageError } from '../io/command-error.js'
import { jobName, jobTitle } from '../views/job.js'

/**
 * The job that a word means: by id, step key, exact name, then a unique part of the name without regard to case.
 *
 * @throws CommandError `usage` when none or several fit; it lists them.
 */
export function findJob(jobs: readonly Job[], word: string): Job {
  const named = jobs.filter((job) => job.type !== 'waiter')
  const ways: readonly ((job: Job) => boolean)[] = [
    (job) => job.id === word.toLowerCase(),
    (job) => job.step_key === word,
    (job) => jobName(job) === word || jobTitle(job) === word,
    (job) => jobTitle(job).toLowerCase().includes(word.toLowerCase()),
  ]
  for (const fits of ways) {
    const found = named.filter(fits)
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    if (found.length > 1) {
      const list = found.slice(0, 10).map((job) => `${jobTitle(job)} (${job.id})`)
      throw usageError(`several jobs are called ${JSON.stringify(word)}`, { lines: [list.join(', ')] })
    }
  }
  const names = [...new Set(named.map(jobTitle))].slice(0, 10)
  throw usageError(`no job is called ${JSON.stringify(word)}`, {
    lines: names.length === 0 ? ['The build has no jobs'] : [`Jobs: ${names.join(', ')}`],
  })
}
