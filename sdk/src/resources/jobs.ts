import { checkedNames } from '../base/checked.js'
import type { Job, JobLog, JobPath, UnblockJobParams } from '../contract/schemas.gen.js'
import { type ApiPromise, type CallResult, PendingCall } from '../http/api-promise.js'
import { Caller } from '../http/caller.js'
import { type CallOptions, callNames } from '../http/client-options.js'
import { countLimit } from '../transport/limits.js'
import {
  type LogStream,
  type LogStreamOptions,
  type LogTail,
  type LogTailOptions,
  logRange,
  logStream,
  logTail,
  openedLog,
} from './log-stream.js'

/**
 * Single jobs and their logs: `path` names one in the examples. An extension: a server may lack it.
 */
export class Jobs extends Caller {
  /**
   * One job of a build, earlier executions included. Scope `read_builds`.
   *
   * @throws `not_found` when the build has no such job or your user cannot see it.
   * @example
   * ```ts
   * const job = await ci.jobs.get(path)
   * console.log(job.state, job.exit_status)
   * ```
   */
  get(params: JobPath, options?: CallOptions): ApiPromise<Job> {
    return this.call('jobs.get', params, options)
  }

  /**
   * Queues a script job again that failed (softly too), timed out, was canceled or expired. A job
   * can be retried once; after that, its successor can. Scope `write_builds`.
   *
   * A lost answer is repeated, and when the repetition is refused because the job was retried
   * already, the job that took its place is returned.
   *
   * @returns The new job, which takes the place of this one.
   * @throws `bad_request` for a job that did not fail; {@link UnprocessableError} `unprocessable`
   * for one that was retried before, or whose build was canceled.
   * @example
   * ```ts
   * const again = await ci.jobs.retry(path)
   * console.log(again.id, again.retries_count)
   * ```
   */
  retry(params: JobPath, options?: CallOptions): ApiPromise<Job> {
    return this.call('jobs.retry', params, options, async (left) => {
      const { retried_in_job_id } = await this.get(params, left)
      return retried_in_job_id
        ? this.get({ ...params, job_id: retried_in_job_id }, left).withResponse()
        : undefined
    })
  }

  /**
   * Lets a build go on that waits at this manual job: one with `unblockable: true`. `fields`
   * answers what the step asks for. Scope `write_builds`.
   *
   * A lost answer is repeated, and when the repetition is refused because the job is unblocked
   * already, that job is returned.
   *
   * @returns The job, in state `unblocked`.
   * @throws {@link UnprocessableError} `unprocessable` for a job that does not wait, or is of
   * another type.
   * @example
   * ```ts
   * const build = await ci.builds.get({ org_slug: 'acme', pipeline_slug: 'web', number: 42 })
   * const waiting = build.jobs?.find((job) => job.unblockable === true)
   * if (waiting) await ci.jobs.unblock({ org_slug: 'acme', pipeline_slug: 'web', number: 42, job_id: waiting.id })
   * ```
   */
  unblock(params: UnblockJobParams, options?: CallOptions): ApiPromise<Job> {
    return this.call('jobs.unblock', params, options, async (left) => {
      const { org_slug, pipeline_slug, number, job_id } = params
      const done = await this.get({ org_slug, pipeline_slug, number, job_id }, left).withResponse()
      return done.data.state === 'unblocked' ? done : undefined
    })
  }

  /**
   * A job's log with its size in bytes and the times of its headers. Scope `read_build_logs`.
   *
   * @throws `not_found` for a job that has no log, such as a waiter; `invalid_response` above
   * `maxBodyBytes`.
   * @example
   * ```ts
   * const { size } = await ci.jobs.log(path)
   * ```
   */
  log(params: JobPath, options?: CallOptions): ApiPromise<JobLog> {
    return this.call('jobs.log', params, options)
  }

  /**
   * A job's log as the job wrote it, terminal control sequences included: drop them before you
   * show it to a person (`logLines` of `@buildwire/sdk/contract`). Scope `read_build_logs`.
   *
   * @throws As {@link Jobs.log}.
   */
  logText(params: JobPath, options?: CallOptions): ApiPromise<string> {
    return this.call('jobs.logText', params, options)
  }

  /**
   * A job's log of any size, or a part of it, as bytes that are read as they come: `from` a byte
   * on, or the `last` bytes. The part is asked for by `Range`; a server that sends everything all
   * the same is cut here, in bounded memory. The time limits of attempt and call end when the
   * headers are there; then silence (`timeouts.bodyIdleMs`) and `signal` end it. Scope
   * `read_build_logs`.
   *
   * @returns The stream. It is empty when the log has no such part. If the server does not honour
   * ranges, it is there when the bytes before the part have passed; with `last`, and a server that
   * does not tell the size either, when the whole log has passed.
   * @throws As {@link Jobs.logText}, and from the loop `connection` or `timeout`; `config` for
   * `from` and `last` at once.
   * @example
   * ```ts
   * for await (const part of await ci.jobs.logStream(path, { from: 1_000_000 })) process.stdout.write(part)
   * ```
   */
  logStream(params: JobPath, options: LogStreamOptions = {}): ApiPromise<LogStream> {
    return new PendingCall(this.#logStream(params, options))
  }

  /**
   * The end of a job's log as text, in memory that its `bytes` bound, however large the log is, and
   * in the time of any call. Scope `read_build_logs`.
   *
   * @throws As {@link Jobs.logStream}.
   * @example
   * ```ts
   * const { text, offset } = await ci.jobs.logTail(path, { bytes: 4_096 })
   * console.log(offset > 0 ? `… ${text}` : text)
   * ```
   */
  async logTail(params: JobPath, options: LogTailOptions = {}): Promise<LogTail> {
    const { bytes, ...call } = checkedNames('options', options, {
      ...callNames,
      bytes: true,
      raw_log_url: true,
    })
    const last = countLimit('bytes', bytes, 65_536, 1)
    const { data } = await this.#logStream(params, { ...call, last }, true)
    return logTail(data, last)
  }

  async #logStream(
    params: JobPath,
    options: LogStreamOptions,
    bounded = false,
  ): Promise<CallResult<LogStream>> {
    const { from, last, raw_log_url, ...call } = checkedNames('options', options, {
      ...callNames,
      from: true,
      last: true,
      raw_log_url: true,
    })
    const asked = { range: logRange({ from, last }), bounded, address: raw_log_url }
    const { data, response } = await this.streamed(
      'jobs.logText',
      params,
      call,
      asked,
      (answer, sent) => openedLog({ from, last }, answer, sent),
    )
    return { data: await logStream(data, { last }), response }
  }
}
