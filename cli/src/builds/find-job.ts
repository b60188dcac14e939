import type { Job } from '@buildwire/sdk/contract'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { aligned } from '../io/width.js'
import { jobName, jobState, jobTitle } from '../views/job.js'

/** So many jobs are listed. */
const SHOWN = 10

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
      const names = new Set(found.map(jobTitle))
      const byName = names.size === found.length
      const how = byName ? 'Say the whole name of one' : 'Name one by its id'
      throw usageError(say`${found.length} jobs are called ${JSON.stringify(word)}`, {
        lines: [found.length > SHOWN ? say`${how}; the first ${SHOWN}:` : say`${how}:`],
        choices: aligned(
          found
            .slice(0, SHOWN)
            .map((job) => [jobTitle(job), jobState(job), ...(byName ? [] : [job.id])].map((text) => say`${text}`)),
        ),
      })
    }
  }
  const names = [...new Set(named.map(jobTitle))]
  const title = names.length > SHOWN ? `The first ${SHOWN} of its ${names.length} jobs:` : 'Its jobs:'
  throw usageError(say`no job is called ${JSON.stringify(word)}`, {
    lines: [names.length === 0 ? say`The build has no jobs` : say`${title}`],
    choices: names.slice(0, SHOWN).map((name) => say`${name}`),
  })
}
