import type { Job } from '@buildwire/sdk/contract'
import { usageError } from '../io/command-error.js'
import { cells, pad } from '../io/width.js'
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
      throw usageError(`${found.length} jobs are called ${JSON.stringify(word)}`, {
        lines: [found.length > SHOWN ? `Name one by its id; the first ${SHOWN}:` : 'Name one by its id:'],
        choices: table(found.slice(0, SHOWN).map((job) => [jobTitle(job), jobState(job), job.id])),
      })
    }
  }
  const names = [...new Set(named.map(jobTitle))]
  const title = names.length > SHOWN ? `The first ${SHOWN} of its ${names.length} jobs:` : 'Its jobs:'
  throw usageError(`no job is called ${JSON.stringify(word)}`, {
    lines: [names.length === 0 ? 'The build has no jobs' : title],
    choices: names.slice(0, SHOWN),
  })
}

/** Rows whose columns stand under each other. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => cells(row[column] ?? '')))
  const widths = (rows[0] ?? []).map((_, column) => width(column))
  return rows.map((row) =>
    row
      .map((text, column) => pad(text, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
