import type { Page } from '@buildwire/sdk'
import type { Build, Job } from '@buildwire/sdk/contract'
import { buildAddress } from '../views/build.js'
import { isFailedJob, isUnblockable } from '../views/job.js'
import { builds, jobs } from '../views/records.js'
import type { RecordKind } from '../views/view.js'
import type { PipelineInput } from './reach.js'
import type { ToolAnswer, ToolRecord } from './tool.js'

/** A short record: the columns that `ci` prints for programs. */
export function shortRecord<T>({ columns }: Pick<RecordKind<T>, 'columns'>, record: T): ToolRecord {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(record)]))
}

/** A short record of a build, with its organization and pipeline. */
export function buildRecord(
  build: Build,
  { org_slug, pipeline_slug }: PipelineInput = {},
): ToolRecord {
  const address = buildAddress(build)
  const { pipeline: _, ...fields } = shortRecord(builds, build)
  return {
    org_slug: org_slug ?? address.org_slug,
    pipeline_slug: pipeline_slug ?? address.pipeline_slug,
    ...fields,
  }
}

/** A short record of a job. */
export function jobRecord(job: Job): ToolRecord {
  return { ...shortRecord(jobs, job), unblockable: isUnblockable(job) || null }
}

/** All that a client can use of a job. */
export function jobDetail(job: Job): ToolRecord {
  const { group_key, soft_failed, signal, signal_reason, promised_exit_status } = job
  const { retried_in_job_id, retries_count, matrix, triggered_build, artifact_paths } = job
  const { created_at, scheduled_at, runnable_at } = job
  return {
    ...jobRecord(job),
    group_key,
    soft_failed,
    signal,
    signal_reason,
    promised_exit_status,
    retried_in_job_id,
    retries_count,
    matrix,
    artifact_paths,
    created_at,
    scheduled_at,
    runnable_at,
    triggered_build,
  }
}

/** The jobs of a build without its waiters; jobs that failed or wait for a person come first. */
export function jobRecords(all: readonly Job[] = []): ToolRecord[] {
  const comesFirst = (job: Job) => isFailedJob(job) || isUnblockable(job)
  const shown = all.filter(({ type }) => type !== 'waiter')
  return [...shown.filter(comesFirst), ...shown.filter((job) => !comesFirst(job))].map(jobRecord)
}

/** One page of a list, and the number of the next page; links of the server are not followed. */
export function pageAnswer<T>(
  key: string,
  { items, hasNext }: Page<T>,
  page: number | undefined,
  show: (item: T) => ToolRecord,
): ToolAnswer {
  const next_page = hasNext ? (page ?? 1) + 1 : null
  return {
    record: { [key]: items.map(show), next_page },
    list: { key, advice: 'ask with a smaller per_page' },
  }
}
