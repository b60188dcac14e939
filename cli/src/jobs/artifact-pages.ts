import type { Page } from '@buildwire/sdk'
import type { Artifact, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import type { Parameters } from '../flags/groups.js'
import { findJob } from './find-job.js'

export async function artifactPages(
  { ci, signal }: Context,
  path: BuildPath,
  word: string | undefined,
  perPage: number,
): Promise<AsyncIterable<Page<Artifact>>> {
  const client = await ci()
  const query = { per_page: perPage } satisfies Parameters<
    'artifacts.list' | 'artifacts.listForJob'
  >
  if (word === undefined) return client.artifacts.list({ ...path, ...query }, { signal }).byPage()
  const { jobs = [] } = await client.builds.get(path, { signal })
  const job_id = findJob(jobs, word).id
  return client.artifacts.listForJob({ ...path, ...query, job_id }, { signal }).byPage()
}
