import type { JobState, Timestamp, Uuid } from '../contract/schemas.gen.js'

/**
 * Why a job counts as a problem. `exit`, `signal`: its command ended so. `agent`: the agent ended
 * it, or was lost. `promised`: it still runs and has announced that it fails. `trigger`: the build
 * that it started did not pass. `unknown`: it failed and the service does not say how.
 */
export type ProblemCause =
  | 'exit'
  | 'signal'
  | 'agent'
  | 'timed_out'
  | 'expired'
  | 'canceled'
  | 'promised'
  | 'trigger'
  | 'unknown'

/** Why there is no log to show. `unreadable`: asking for it failed, and the sentence says how. */
export type LogAbsence =
  | 'not_started'
  | 'canceled_before_start'
  | 'empty'
  | 'no_scope'
  | 'not_offered'
  | 'gone'
  | 'unreadable'

/** The lines of a log that matter: plain text, no escapes, no time marks. */
export interface LogExcerpt {
  lines: string[]
  /** Lines that are not shown; null where only the end of the log was read. */
  lines_left_out: number | null
  /** Bytes of the log that are not shown. */
  bytes_left_out: number
}

/** One execution of a job in its chain of retries. */
export interface ProblemAttempt {
  id: Uuid
  state: JobState | null
  exit_status: number | null
}

/** The build that a trigger job started. */
export interface SummaryTriggeredBuild {
  /** Null, like `pipeline_slug`, if the record of the job does not name it. */
  org_slug?: string | null
  pipeline_slug?: string | null
  number: number
  web_url?: string | null
  /** Why that build failed, as one sentence; null if it could not be read. */
  headline?: string | null
}

/** A place in the source code that a log names. */
export interface CodeLocation {
  /** As the log spells it: relative to the checkout, or absolute on the agent. */
  file: string
  line: number
  column?: number | null
}

/**
 * Whether a failure is new, by the evidence of earlier builds. `not_new`: the same lines failed
 * before on the default branch or on this one, and the job has not passed there since. `unstable`:
 * the job failed and passed for one commit. `new`: neither, and it passed before.
 */
export type OriginVerdict = 'not_new' | 'unstable' | 'new'

/** Is the failure new? A small summary has the verdict, the sentence and the counts. */
export interface ProblemOrigin {
  verdict: OriginVerdict
  /** The verdict with its evidence as one sentence. */
  sentence: string
  /** How many other builds were compared. */
  builds: number
  /** How many of their logs were compared. */
  logs: number
  /** `not_new`: the branch on which it failed before. */
  branch?: string | null
  /** `not_new`: the oldest build of that branch that is known to fail alike. */
  since?: SummaryBuildRef | null
  /** `not_new`: the line of the log that says why, which both logs have. */
  line?: string | null
  /** `unstable`: so many of the `runs` failed and passed when run again; null for this commit. */
  recovered_runs?: number | null
  /** `unstable`: how many earlier runs of the job ended. */
  runs?: number | null
  /**
   * `new`: the newest earlier build in which the job passed, or that passed. `unstable`: the build
   * of the same commit in which the job passed.
   */
  last_passed?: SummaryBuildRef | null
}

/**
 * One job that failed or will fail. What is null may be missing in a small summary, and so may
 * addresses and times.
 */
export interface Problem {
  id: Uuid
  /**
   * Name as a person knows the job, with its place among parallel jobs and its values of a matrix.
   */
  name: string
  type?: string
  state?: JobState | null
  cause: ProblemCause
  /** The cause as one sentence. */
  sentence: string
  /** The build passes in spite of it. */
  soft: boolean
  /** This execution was retried, and the retry is not over. */
  runs_again?: boolean
  step_key?: string | null
  group_key?: string | null
  parallel_group_index?: number | null
  parallel_group_total?: number | null
  matrix?: Record<string, string> | null
  command?: string | null
  exit_status?: number | null
  signal?: string | null
  signal_reason?: string | null
  agent?: string | null
  started_at?: Timestamp | null
  finished_at?: Timestamp | null
  web_url?: string | null
  triggered_build?: SummaryTriggeredBuild | null
  /**
   * The executions of the job, oldest first, ten at most; one entry when it was never retried, or
   * none in a small summary. This one is the last, or the last but one if it runs again.
   */
  attempts: ProblemAttempt[]
  /** The place in the code that its log names beside the failure; null where it names none. */
  location?: CodeLocation | null
  /** Whether it is new; null without evidence, and for all problems but the first. */
  origin?: ProblemOrigin | null
  /** The lines that matter, or null; then `log_absent` says why. */
  log: LogExcerpt | null
  log_absent: { reason: LogAbsence; sentence: string } | null
}

/** An annotation of the build, as plain text. */
export interface SummaryAnnotation {
  style: 'error' | 'warning'
  context: string | null
  text: string
}

/** The builds of the same branch before this one. */
export interface SummaryBefore {
  /**
   * The newest earlier build that passed, or that passed everything before a step that waits for a
   * person; null when none of the `searched` did.
   */
  last_passed: SummaryBuildRef | null
  /** How many builds came after it, up to and with this one. */
  builds_since: number
  /** The oldest build since then that failed: this one, or an earlier one. */
  first_failed: SummaryBuildRef | null
  /** How many earlier builds were looked at. */
  searched: number
}

/** A build, in short. A small summary has its number only. */
export interface SummaryBuildRef {
  number: number
  commit?: string | null
  created_at?: Timestamp | null
  web_url?: string | null
}

/** What, who, when and where. What is null may be missing in a small summary, and so may ids and times. */
export interface SummaryBuild extends SummaryBuildRef {
  id?: Uuid
  org_slug: string
  pipeline_slug: string
  state: string
  blocked: boolean
  branch?: string | null
  message?: string | null
  creator?: string | null
  source?: string | null
  cancel_reason?: string | null
  started_at?: Timestamp | null
  failing_at?: Timestamp | null
  finished_at?: Timestamp | null
}

/** Something that was left out so that the summary keeps its size, and how to get it. */
export interface SummaryCut {
  what: 'problems' | 'not_run' | 'logs' | 'annotations' | 'before' | 'text'
  /** How many problems or annotations are missing, or how many logs or texts are shortened. */
  count: number
  /** How many bytes of the logs are missing. */
  bytes?: number
  advice: string
}

/** One small, plain JSON answer to "why did this build fail?". */
export interface FailureSummary {
  build: SummaryBuild
  /**
   * How the build stands: `passed`, `failed`, `failing`, `canceled`, `blocked`, `skipped`,
   * `not_run`, or its state.
   */
  outcome: string
  /**
   * The answer as one sentence: for a failure, the job and the line of an annotation or of its log
   * that says why.
   */
  headline: string
  /** How many jobs are in which state; waiters and replaced executions are not counted. */
  jobs: Record<string, number>
  /**
   * The job that failed first comes first; hard failures come before soft ones.
   */
  problems: Problem[]
  /** Names of the jobs that did not run because something before them failed. */
  not_run: string[]
  annotations: SummaryAnnotation[]
  /** Null when the build did not fail, has no branch, or the list could not be read. */
  before: SummaryBefore | null
  /** The first later build of the branch that passed; null when none did, or `before` is null. */
  passed_after?: SummaryBuildRef | null
  /** Empty when nothing was cut. */
  truncated: SummaryCut[]
}
