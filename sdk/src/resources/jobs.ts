import { type ApiPromise, PendingCall } from '../api-promise.js'
import type { JobLog, JobPath } from '../contract/schemas.gen.js'
import type { Caller } from '../http/caller.js'
import type { CallOptions } from '../http/context.js'
import { countLimit } from '../http/limits.js'
import type { Sent } from '../http/send.js'
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

/** Logs of single jobs. An extension: a server may lack it. */
export class Jobs {
  readonly #caller: Caller

  constructor(caller: Caller) {
    this.#caller = caller
  }

  /**
   * A job's log with its size in bytes and the times of its headers. Scope `read_build_logs`.
   *
   * @throws `not_found` for a job that has no log, such as a waiter; `invalid_response` above `maxBodyBytes`.
   * @example
   * ```ts
   * const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
   * const { size } = await ci.jobs.log({ org_slug: 'acme', pipeline_slug: 'web', number: 42, job_id })
   * ```
   */
  log(params: JobPath, options?: CallOptions): ApiPromise<JobLog> {
    return this.#caller.call('jobs.log', params, options)
  }

  /**
   * A job's log as the job wrote it, terminal control sequences included: strip them before you show it to a person
   * (`stripVTControlCharacters` of `node:util`). Scope `read_build_logs`.
   *
   * @throws As {@link Jobs.log}.
   * @example
   * ```ts
   * const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
   * const text = await ci.jobs.logText({ org_slug: 'acme', pipeline_slug: 'web', number: 42, job_id })
   * ```
   */
  logText(params: JobPath, options?: CallOptions): ApiPromise<string> {
    return this.#caller.call('jobs.logText', params, options)
  }

  /**
   * A job's log of any size, or a part of it, as bytes that are read as they come: `from` a byte on, or the `last`
   * bytes. The part is asked for by `Range`; a server that sends everything all the same is cut here, in bounded memory.
   * The time limits of attempt and call end when the headers are there; then silence (`timeouts.bodyIdleMs`) and `signal`
   * end it. Scope `read_build_logs`.
   *
   * @returns The stream. It is empty when the log has no such part. With `last`, and a server that neither honours
   * ranges nor tells the size, it is there when the whole log has passed.
   * @throws As {@link Jobs.logText}, and from the loop `connection` or `timeout`; `config` for `from` and `last` at once.
   * @example
   * ```ts
   * const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
   * const path = { org_slug: 'acme', pipeline_slug: 'web', number: 42, job_id }
   * for await (const part of await ci.jobs.logStream(path, { from: 1_000_000 })) process.stdout.write(part)
   * ```
   */
  logStream(params: JobPath, options: LogStreamOptions = {}): ApiPromise<LogStream> {
    return new PendingCall(this.#logStream(params, options))
  }

  /**
   * The end of a job's log as text, in memory that its `bytes` bound, however large the log is. Scope `read_build_logs`.
   *
   * @throws As {@link Jobs.logStream}.
   * @example
   * ```ts
   * const job_id = '0197f3c2-8a53-7d5e-9c41-0d2f6b7a1e90'
   * const path = { org_slug: 'acme', pipeline_slug: 'web', number: 42, job_id }
   * const { text, offset } = await ci.jobs.logTail(path, { bytes: 4_096 })
   * console.log(offset > 0 ? `… ${text}` : text)
   * ```
   */
  async logTail(params: JobPath, options: LogTailOptions = {}): Promise<LogTail> {
    const { bytes, ...call } = options
    const last = countLimit('bytes', bytes, 65_536, 1)
    return logTail(await this.logStream(params, { ...call, last }), last)
  }

  async #logStream(params: JobPath, options: LogStreamOptions): Promise<Sent<LogStream>> {
    const { from, last, ...call } = options
    const header = logRange({ from, last })
    const range = header === undefined ? {} : { header, also: 416 }
    const { data, response } = await this.#caller.streamed('jobs.logText', params, call, range, (answer, asked) =>
      openedLog({ from, last }, answer, asked),
    )
    return { data: await logStream(data, { last }), response }
  }
}
