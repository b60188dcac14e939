import type { CiClient } from '../client/client.js'
import type { Build, BuildPath, Job } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import type { CallOptions } from '../http/client-options.js'
import { isKill } from './causes.js'
import type { JobRun } from './job-runs.js'
import { type LogFound, logAbsence } from './problem-log.js'
import type { JobProblem } from './problems.js'
import { readLog } from './read-log.js'
import { type FailureLines, failureLines, hasSameFailure } from './same-failure.js'
import { lineThatTells } from './telling-line.js'

/** So many bytes are read from the end of each log. */
const logBytes = 262_144

/** The newest runs of a job on a branch, all of which failed. */
interface FailedStreak {
  readonly branch: string | null
  /** Newest first. */
  readonly failed: readonly JobRun[]
}

/** A streak whose failure is the one that was asked for. */
interface AlikeStreak {
  readonly branch: string | null
  readonly line: string
  readonly since: Build
  readonly isNewest: boolean
}

/** Compares the log of a problem with those of earlier runs of the job. */
export class LogComparison {
  readonly #ci: CiClient
  readonly #path: BuildPath
  readonly #call: CallOptions
  readonly #mostLogs: number
  readonly #exitStatus: number | null
  readonly #wanted: FailureLines | null
  readonly #line: string
  /** True: alike. False: different. Null: cannot be known. */
  readonly #compared = new Map<Job | null, boolean | null>()
  logs = 0

  constructor(
    ci: CiClient,
    path: BuildPath,
    {
      problem,
      log,
      mostLogs,
    }: { problem: JobProblem; log: LogFound | undefined; mostLogs: number },
    call: CallOptions,
  ) {
    this.#ci = ci
    this.#path = path
    this.#call = call
    this.#mostLogs = mostLogs
    this.#exitStatus = problem.problem.exit_status ?? null
    // The log of a process that was killed does not say why.
    const isSaid = log !== undefined && 'read' in log && !isKill(this.#exitStatus)
    const read = isSaid ? log.read : null
    this.#wanted = read === null ? null : failureLines(read)
    this.#line = read === null ? '' : (lineThatTells(read) ?? '')
  }

  /**
   * The first streak that fails alike, with its oldest run that is known to: of each streak the
   * newest run is compared, then the oldest one.
   */
  async oldestAlike(streaks: readonly FailedStreak[]): Promise<AlikeStreak | null> {
    for (const { branch, failed } of streaks) {
      const [newest] = failed
      if (newest === undefined || (await this.#failedAlike(newest)) !== true) continue
      const oldest = failed.at(-1) ?? newest
      const since = (await this.#failedAlike(oldest)) === true ? oldest : newest
      return { branch, line: this.#line, since: since.build, isNewest: true }
    }
    for (const { branch, failed } of streaks) {
      const oldest = failed.at(-1)
      if (oldest === undefined || (await this.#failedAlike(oldest)) !== true) continue
      return { branch, line: this.#line, since: oldest.build, isNewest: false }
    }
    return null
  }

  /** True if each of the runs is known to have failed otherwise. */
  differs(runs: readonly JobRun[]): boolean {
    return runs.every(({ failed }) => this.#compared.get(failed) === false)
  }

  /** Compares an execution of an earlier build, if it was not compared before. */
  async isAlike(build: Build, job: Job): Promise<boolean | null> {
    const known = this.#compared.get(job)
    if (known !== undefined) return known
    const alike = await this.#compare(build, job)
    this.#compared.set(job, alike)
    return alike
  }

  async #failedAlike({ build, failed }: JobRun): Promise<boolean | null> {
    return failed === null ? null : this.isAlike(build, failed)
  }

  async #compare(build: Build, job: Job): Promise<boolean | null> {
    if (this.#wanted === null) return null
    const { exit_status } = job
    const isOtherStatus = typeof exit_status === 'number' && exit_status !== this.#exitStatus
    if (isOtherStatus && this.#exitStatus !== null) return false
    if (this.logs >= this.#mostLogs || logAbsence(job, 'unasked') !== null) return null
    this.logs += 1
    try {
      const path = { ...this.#path, number: build.number, job_id: job.id }
      const options = { ...this.#call, raw_log_url: job.raw_log_url, bytes: logBytes }
      const read = readLog(await this.#ci.jobs.logTail(path, options))
      if (hasSameFailure(this.#wanted, read)) return true
      // What is before the end, or in a log that is gone, may be the same.
      return read.whole && failureLines(read) !== null ? false : null
    } catch (error) {
      if (!isCiError(error)) throw error
      return null
    }
  }
}
