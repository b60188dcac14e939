import type {
  Build,
  BuildPath,
  CancelBuildParams,
  CreateBuildParams,
  GetBuildParams,
  ListBuildsParams,
  ListOrganizationBuildsParams,
  ListPipelineBuildsParams,
  RetriedBuild,
  RetryFailedJobsParams,
} from '../contract/schemas.gen.js'
import type { ApiPromise } from '../http/api-promise.js'
import { Caller, type ListOptions } from '../http/caller.js'
import type { CallOptions } from '../http/client-options.js'
import type { PagePromise } from '../http/page.js'

/**
 * Builds: list, read, create, cancel, rebuild, retry. A build is addressed by its `number`, which
 * counts per pipeline; its `id` is never part of an address.
 */
export class Builds extends Caller {
  /**
   * Builds of every organization the token works in, newest first. Scope `read_builds`.
   *
   * A filter with several values matches any of them; several filters must all match. While you
   * iterate, new builds do not move the pages; a filter on a field that changes (`state:
   * 'running'`) can still miss a build that changes between two pages.
   *
   * @throws {@link ApiError} `bad_request` for a filter the server cannot use, `listing_too_deep`
   * for a `page` beyond its depth; {@link PaginationError} `unsafe_link`, `page_loop`,
   * `too_many_pages`; `config` for an empty filter.
   * @example
   * ```ts
   * const page = await ci.builds.list({ branch: ['main', 'release/*'], state: 'failed', exclude_jobs: true })
   * console.log(page.items.map((build) => build.web_url))
   * ```
   */
  list(params: ListBuildsParams = {}, options?: ListOptions): PagePromise<Build> {
    return this.pages('builds.list', params, options)
  }

  /**
   * Builds of one organization, newest first; otherwise as {@link Builds.list}. Scope
   * `read_builds`.
   *
   * @throws As {@link Builds.list}; `not_found` when there is no such organization or your user
   * cannot see it.
   */
  listForOrganization(
    params: ListOrganizationBuildsParams,
    options?: ListOptions,
  ): PagePromise<Build> {
    return this.pages('builds.listForOrganization', params, options)
  }

  /**
   * Builds of one pipeline, newest first; otherwise as {@link Builds.list}. `exclude_pipeline`
   * leaves out what is the same in every row. Scope `read_builds`.
   *
   * @throws As {@link Builds.list}; `not_found` when organization or pipeline is missing or hidden.
   * @example
   * ```ts
   * const path = { org_slug: 'acme', pipeline_slug: 'web' }
   * const newest = await ci.builds.listForPipeline({ ...path, exclude_pipeline: true }).toArray({ limit: 10 })
   * ```
   */
  listForPipeline(params: ListPipelineBuildsParams, options?: ListOptions): PagePromise<Build> {
    return this.pages('builds.listForPipeline', params, options)
  }

  /**
   * One build. `job_states` and `exclude_jobs` limit its jobs; `include_retried_jobs` adds the
   * executions that a retry has replaced. Scope `read_builds`.
   *
   * @throws `not_found`, `unauthorized`, `insufficient_scope`; `config` when `number` is no
   * positive integer.
   * @example
   * ```ts
   * const build = await ci.builds.get({ org_slug: 'acme', pipeline_slug: 'web', number: 42, job_states: ['failed'] })
   * for (const job of build.jobs ?? []) console.log(job.name, job.exit_status)
   * ```
   */
  get(params: GetBuildParams, options?: CallOptions): ApiPromise<Build> {
    return this.call('builds.get', params, options)
  }

  /**
   * Creates a build of a commit on a branch and returns it in state `scheduled`. Scope
   * `write_builds`.
   *
   * It is sent once: when the answer is lost, the error says so (`sent: 'unknown'`) and nothing is
   * repeated, because a second request would be a second build.
   *
   * @throws {@link UnprocessableError} `unprocessable` with every refused property in `errors`;
   * {@link ConnectionError} and {@link TimeoutError} with `sent: 'unknown'` when the build may
   * exist.
   * @example
   * ```ts
   * const path = { org_slug: 'acme', pipeline_slug: 'web' }
   * const build = await ci.builds.create({ ...path, commit: 'HEAD', branch: 'main', env: { DEPLOY: 'false' } })
   * ```
   */
  create(params: CreateBuildParams, options?: CallOptions): ApiPromise<Build> {
    return this.call('builds.create', params, options)
  }

  /**
   * Cancels a build that is `scheduled`, `running` or `failing`; the answer says `canceled`, or
   * `canceling` while jobs are being stopped. Scope `write_builds`.
   *
   * A lost answer is repeated, and when the repetition is refused because the build is canceled
   * already, that build is returned: you asked for it and it is so.
   *
   * @throws {@link UnprocessableError} `unprocessable` when the build is in another state.
   * @example
   * ```ts
   * await ci.builds.cancel({ org_slug: 'acme', pipeline_slug: 'web', number: 42, cancel_reason: 'wrong branch' })
   * ```
   */
  cancel(params: CancelBuildParams, options?: CallOptions): ApiPromise<Build> {
    return this.call('builds.cancel', params, options, async (left) => {
      const { org_slug, pipeline_slug, number } = params
      const done = await this.call(
        'builds.get',
        { org_slug, pipeline_slug, number },
        left,
      ).withResponse()
      return done.data.state === 'canceled' || done.data.state === 'canceling' ? done : undefined
    })
  }

  /**
   * Makes a new build from what an older one captured: commit, branch, message, env and pull
   * request data. To use what the branch holds now, create a build instead. Sent once, as {@link
   * Builds.create}. Scope `write_builds`.
   *
   * @returns The new build, with its own `number`; `rebuilt_from` names the old one.
   * @throws `unprocessable` when the pipeline forbids rebuilds; `sent: 'unknown'` when the new
   * build may exist.
   * @example
   * ```ts
   * const again = await ci.builds.rebuild({ org_slug: 'acme', pipeline_slug: 'web', number: 42 })
   * console.log(again.number)
   * ```
   */
  rebuild(params: BuildPath, options?: CallOptions): ApiPromise<Build> {
    return this.call('builds.rebuild', params, options)
  }

  /**
   * Queues the failed jobs of a build again, in the same build. `states` limits which failures;
   * without it all of them are retried. Returns as soon as the jobs are queued. Sent once, as
   * {@link Builds.create}. Scope `write_builds`.
   *
   * @returns The build; `retried_jobs_count` says how many jobs were queued, where the server
   * tells.
   * @throws `bad_request` for a state that cannot be retried; `config` for an empty list.
   * @example
   * ```ts
   * const path = { org_slug: 'acme', pipeline_slug: 'web', number: 42 }
   * const build = await ci.builds.retryFailedJobs({ ...path, states: ['failed', 'timed_out'] })
   * console.log(build.retried_jobs_count)
   * ```
   */
  retryFailedJobs(params: RetryFailedJobsParams, options?: CallOptions): ApiPromise<RetriedBuild> {
    return this.call('builds.retryFailedJobs', params, options)
  }
}
