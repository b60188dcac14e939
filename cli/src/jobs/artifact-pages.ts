import type { Page } from '@buildwire/sdk'
import type { Artifact, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import type { Parameters } from '../flags/groups.js'
import { findJob, jobsToSearch } from './find-job.js'

export async function artifactPages(
  context: Context,
  path: BuildPath,
  word: string | undefined,
  perPage: number,
): Promise<AsyncIterable<Page<Artifact>>> {
  const { signal } = context
  const client = await context.ci()
  const query = { per_page: perPage } satisfies Parameters<
    'artifacts.list' | 'artifacts.listForJob'
  >
  if (word === undefined) return client.artifacts.list({ ...path, ...query }, { signal }).byPage()
  const job_id = findJob(await jobsToSearch(context, path, [word]), word).id
  return client.artifacts.listForJob({ ...path, ...query, job_id }, { signal }).byPage()
}
