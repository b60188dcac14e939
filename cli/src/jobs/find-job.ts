import type { Job, JobPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { painter } from '../io/color.js'
import { CommandError, usageError } from '../io/command-error.js'
import { emojify } from '../io/emoji.js'
import { reference, say } from '../io/printable.js'
import { layoutTable } from '../io/table.js'
import { jobName, jobState, jobTitle, logUrl } from '../views/job.js'

const SHOWN = 10

/** A name as it is shown; as it was sent, it becomes the same. */
function asShown(name: string) {
  return emojify(name, false)
}

const EMOJI =
  /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\ufe0f|\u200d|\s|:[\w+-]+:)+/u

/** A shown name without the emoji before it, in small letters. */
function bare(name: string) {
  return (name.replace(EMOJI, '') || name).toLowerCase()
}

/**
 * The job that a word means: by id, step key, exact name (as shown or as sent, with or without the
 * emoji before it), then a unique part of the name without regard to case. By name a job that is
 * likely to be meant goes before the others; by itself, one with a log.
 */
export function findJob(
  jobs: readonly Job[],
  word: string,
  isLikely: (job: Job) => boolean = (job) => logUrl(job) !== null,
): Job {
  const named = jobs.filter((job) => job.type !== 'waiter')
  const shown = asShown(word)
  const exact = (job: Job) => [jobName(job), jobTitle(job)].map(asShown).includes(shown)
  const nearly = (job: Job) =>
    [jobName(job), jobTitle(job)].map((name) => bare(asShown(name))).includes(bare(shown))
  const part = (job: Job) => asShown(jobTitle(job)).toLowerCase().includes(shown.toLowerCase())
  const ofNames = [exact, nearly, part].flatMap((fits) => [
    (job: Job) => isLikely(job) && fits(job),
    fits,
  ])
  const ways = [
    (job: Job) => job.id === word.toLowerCase(),
    (job: Job) => job.step_key === word,
    ...ofNames,
  ]
  for (const fits of ways) {
    const found = named.filter(fits)
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    if (found.length > 1) {
      const names = new Set(found.map(jobTitle))
      const byName = names.size === found.length
      const how = byName ? 'Say the whole name of one' : 'Name one by its id'
      const rows = found
        .slice(0, SHOWN)
        .map((job) =>
          [jobTitle(job), jobState(job), byName ? '' : job.id].map((text) => ({ text })),
        )
      throw usageError(say`${found.length} jobs are called ${JSON.stringify(word)}`, {
        lines: [found.length > SHOWN ? say`${how}; the first ${SHOWN}:` : say`${how}:`],
        choices: layoutTable([{}, {}, {}], rows, Number.POSITIVE_INFINITY, {
          ascii: true,
          paint: painter(false),
        }),
      })
    }
  }
  const names = [...new Set(named.map(jobTitle))]
  const title =
    names.length > SHOWN ? `The first ${SHOWN} of its ${names.length} jobs:` : 'Its jobs:'
  throw usageError(say`no job is called ${JSON.stringify(word)}`, {
    lines: [names.length === 0 ? say`The build has no jobs` : say`${title}`],
    choices: names.slice(0, SHOWN).map((name) => say`${name}`),
  })
}

/** Which job is meant where none is named. */
interface JobChoice {
  /**
   * What is done to it, as in `Retry`; a write to a build that nobody named is asked about first.
   */
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
  const path = await context.target.build(typed.number, {
    ask: typed.yes === true ? undefined : choice.ask,
  })
  const ci = await context.ci()
  const { jobs = [] } = await ci.builds.get(path, { signal: context.signal })
  if (typed.job !== undefined) return { ...path, job_id: findJob(jobs, typed.job, choice.suits).id }
  const suiting = jobs.filter((job) => job.type !== 'waiter' && choice.suits(job))
  const [only] = suiting
  const name = reference(path, path.number)
  if (only === undefined) {
    throw new CommandError('not_found', say`no job of build ${name} ${choice.what}`, {
      hint: ['builds', 'get', name],
    })
  }
  if (suiting.length === 1) return { ...path, job_id: only.id }
  throw usageError(say`no job is named, and ${suiting.length} could be meant`, {
    lines: [say`Name one with --job:`],
    choices: suiting.slice(0, 10).map((job) => say`${jobTitle(job)}`),
  })
}
