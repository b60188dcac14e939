import type { Job } from '@buildwire/sdk/contract'
import { jobOfUrl } from '../flags/number.js'
import { emojify } from '../io/emoji.js'
import { say } from '../io/printable.js'
import { isUnblockable, jobName, jobTitle } from './job.js'

/** A name as it is shown; a name that is already in this form does not change. */
function asShown(name: string) {
  return emojify(name, false)
}

const EMOJI =
  /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\ufe0f|\u200d|\s|:[\w+-]+:)+/u

/** The name of a job as it is shown, without the emoji at its start. */
export function bareName(name: string): string {
  const shown = asShown(name)
  return shown.replace(EMOJI, '') || shown
}

/**
 * The jobs that a word names, by the first of these that fits any: id or URL, step key, exact name (as
 * shown or as sent, with or without the emoji at its start), part of the name in any case. Among
 * jobs of one name those that `isLikely` accepts are preferred.
 */
export function matchingJobs(
  jobs: readonly Job[],
  word: string,
  isLikely: (job: Job) => boolean,
): readonly Job[] {
  const shown = asShown(word)
  const id = jobOfUrl(word) ?? word.toLowerCase()
  const hasExactName = (job: Job) => [jobName(job), jobTitle(job)].map(asShown).includes(shown)
  const bareForm = (name: string) => bareName(name).toLowerCase()
  const hasBareName = (job: Job) =>
    [jobName(job), jobTitle(job)].map(bareForm).includes(bareForm(word))
  const contains = (name: string, part: string) => name.toLowerCase().includes(part.toLowerCase())
  const containsWord = (job: Job) =>
    contains(asShown(jobTitle(job)), shown) || contains(jobTitle(job), word)
  const nameTests = [hasExactName, hasBareName, containsWord].flatMap((matches) => [
    (job: Job) => isLikely(job) && matches(job),
    matches,
  ])
  const byName = [(job: Job) => job.step_key === word, ...nameTests]
  const tests = [
    (job: Job) => job.id === id,
    // An earlier attempt is found by its id only: its successor has the same name.
    ...byName.map((matches) => (job: Job) => job.retried !== true && matches(job)),
  ]
  const candidates = jobs.filter((job) => job.type !== 'waiter')
  for (const matches of tests) {
    const matching = candidates.filter(matches)
    if (matching.length > 0) return matching
  }
  return []
}

/**
 * The shortest word that names a job of a build on a command line: its name with its place among
 * parallel jobs, without an emoji; its id if the name is longer or names another job too.
 */
export function jobWord(job: Job, jobs: readonly Job[]): string {
  const name = bareName(jobTitle(job))
  const isTypable = String(say`${name}`) === name && name.length <= job.id.length
  const [first, second] = isTypable ? matchingJobs(jobs, name, () => true) : []
  return first?.id === job.id && second === undefined ? name : job.id
}

/**
 * The words of the command that unblocks a step of a build; without `--job` if no other step of the
 * build waits.
 */
export function unblockWords(build: string, step: Job, jobs: readonly Job[]): readonly string[] {
  const words = ['jobs', 'unblock', build]
  const isOnly = jobs.filter(isUnblockable).length === 1
  return isOnly ? words : [...words, '--job', jobWord(step, jobs)]
}
