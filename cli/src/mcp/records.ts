import type { Page } from '@buildwire/sdk'
import type { Build, Job } from '@buildwire/sdk/contract'
import { buildAddress } from '../views/build.js'
import { isFailedJob, isUnblockable } from '../views/job.js'
import { builds, jobs } from '../views/records.js'
import type { RecordKind } from '../views/view.js'
import type { Place } from './reach.js'
import type { Answer, Fields } from './tool.js'

/** A record in short: the columns in which `ci` prints it for programs. */
export function shortRecord<T>({ columns }: Pick<RecordKind<T>, 'columns'>, record: T): Fields {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(record)]))
}

/** A build in short, with its address. */
export function buildRecord(build: Build, { org_slug, pipeline_slug }: Place = {}): Fields {
  const told = buildAddress(build)
  const { pipeline: _, ...fields } = shortRecord(builds, build)
  return {
    org_slug: org_slug ?? told.org_slug,
    pipeline_slug: pipeline_slug ?? told.pipeline_slug,
    ...fields,
  }
}

/** A job in short. */
export function jobRecord(job: Job): Fields {
  return { ...shortRecord(jobs, job), unblockable: isUnblockable(job) || null }
}

/** The jobs of a build without its waiters: those that failed or wait for a person stand first. */
export function jobRecords(all: readonly Job[] = []): Fields[] {
  const tells = (job: Job) => isFailedJob(job) || isUnblockable(job)
  const real = all.filter(({ type }) => type !== 'waiter')
  return [...real.filter(tells), ...real.filter((job) => !tells(job))].map(jobRecord)
}

/** One page of a list, and the number of the next: no link of a server is followed. */
export function pageAnswer<T>(
  key: string,
  { items, hasNext }: Page<T>,
  page: number | undefined,
  show: (item: T) => Fields,
): Answer {
  const next_page = hasNext ? (page ?? 1) + 1 : null
  return {
    record: { [key]: items.map(show), next_page },
    list: { key, advice: 'ask with a smaller per_page' },
  }
}
