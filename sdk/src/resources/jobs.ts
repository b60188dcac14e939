import type { ApiPromise } from '../api-promise.js'
import type { JobLog, JobPath } from '../contract/schemas.gen.js'
import type { Caller } from '../http/caller.js'
import type { CallOptions } from '../http/context.js'

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
}
