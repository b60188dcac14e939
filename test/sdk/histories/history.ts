/**
 * Histories of builds, each with the right answer to "is the first failure of this build new?",
 * written by hand and by judgement, without a look at the code that answers.
 *
 * All builds of a history belong to one pipeline. They stand from oldest to newest: a build is created
 * (and over, unless it says otherwise) before the next one starts.
 */

/** One run of a job. The last run of a job is the job itself, earlier ones are `retried`. */
export interface WrittenRun {
  /** A job state of the API. */
  readonly state: 'passed' | 'failed' | 'canceled' | 'broken' | 'skipped' | 'timed_out' | 'running'
  readonly exit_status: number | null
  /** Not null: the agent ended the job and not its command. */
  readonly signal_reason?: 'agent_stop' | 'process_run_error' | 'cancel'
  /** The lines that say what went wrong, as they stand in the log; `gone`: the log answers 404. */
  readonly log?: readonly string[] | 'gone'
}

export interface WrittenJob extends WrittenRun {
  readonly name: string
  readonly step_key?: string
  readonly soft_failed?: boolean
  /** `parallel_group_index` counts from 0: 3/8 has the index 2. */
  readonly parallel?: { readonly index: number; readonly total: number }
  readonly matrix?: Readonly<Record<string, string>>
  /** Earlier runs of this job in the same build, oldest first: seen with `include_retried_jobs` only. */
  readonly retried?: readonly WrittenRun[]
}

export interface WrittenBuild {
  readonly number: number
  readonly branch: string
  readonly commit: string
  readonly state: 'passed' | 'failed' | 'canceled' | 'running' | 'skipped' | 'not_run'
  readonly jobs: readonly WrittenJob[]
  /** The number of the build that this one was rebuilt from. */
  readonly rebuilt_from?: number
}

export type OriginAnswer =
  /** It failed before, first in build `since` of the run that still lasts. */
  | { readonly says: 'not-new'; readonly since: number }
  /**
   * The job is unsteady. Counted are runs that passed or failed by themselves (retried ones too, not those
   * that were canceled or lost with their agent) in the build and at most 20 earlier ones of this branch
   * and the default one.
   */
  | { readonly says: 'unstable'; readonly failed: number; readonly of: number }
  /** Commits between: after the commit of build `lastGreen`, up to the one of build `in`. */
  | { readonly says: 'new'; readonly in: number; readonly lastGreen: number }
  | { readonly says: 'none' }

export interface WrittenHistory {
  readonly title: string
  /** `main` unless it is said. */
  readonly defaultBranch?: string
  readonly builds: readonly WrittenBuild[]
  /** The number of the build that is asked about. It failed. */
  readonly asked: number
  /** The name of the job, and the line, that the answer is about. */
  readonly about: { readonly job: string; readonly line: string }
  readonly right: OriginAnswer
  readonly why: string
  /** Weaker answers that are true and do not mislead. */
  readonly alsoRight: readonly OriginAnswer[]
  /** What a hasty reading would say here. This very answer, with these numbers, must not be said. */
  readonly trap?: OriginAnswer
  /** Where people could differ: an answer other than `right` is to be looked at, not counted. */
  readonly debatable?: string
}

const sha = (start: string): string => start.padEnd(40, start)
export const notNew = (since: number): OriginAnswer => ({ says: 'not-new', since })
export const unstable = (failed: number, of: number): OriginAnswer => ({
  says: 'unstable',
  failed,
  of,
})
export const isNew = (number: number, lastGreen: number): OriginAnswer => ({
  says: 'new',
  in: number,
  lastGreen,
})
export const none: OriginAnswer = { says: 'none' }

type MoreOfJob = Partial<Omit<WrittenJob, 'name'>>
export const pass = (name: string, extra: MoreOfJob = {}): WrittenJob => ({
  name,
  state: 'passed',
  exit_status: 0,
  ...extra,
})
export const fail = (
  name: string,
  log: readonly string[] | 'gone',
  extra: MoreOfJob = {},
): WrittenJob => ({
  name,
  state: 'failed',
  exit_status: 1,
  log,
  ...extra,
})
export const idle = (
  name: string,
  state: 'canceled' | 'broken' | 'skipped' = 'broken',
): WrittenJob => ({
  name,
  state,
  exit_status: null,
})
export const failed = (log: readonly string[] | 'gone', exit_status = 1): WrittenRun => ({
  state: 'failed',
  exit_status,
  log,
})
export const lost: WrittenRun = {
  state: 'failed',
  exit_status: -1,
  signal_reason: 'agent_stop',
  log: ['Error: the agent was stopped while the job ran'],
}
export const part = (number: number, total = 8): MoreOfJob => ({
  parallel: { index: number - 1, total },
})

export const build = (
  number: number,
  branch: string,
  commit: string,
  jobs: readonly WrittenJob[],
  state: WrittenBuild['state'] = jobs.some(
    (job) => job.state === 'failed' && job.soft_failed !== true,
  )
    ? 'failed'
    : 'passed',
): WrittenBuild => ({ number, branch, commit: sha(commit), state, jobs })

export const lint = pass('Lint')
export const unit = pass('Unit tests')
export const e2e = pass('End to end')
