import type { Page } from '@buildwire/sdk'
import type { Artifact, ArtifactStateFilter, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import type { Parameters } from '../flags/groups.js'
import { findJob, jobsToSearch } from './find-job.js'

export interface ArtifactFilter {
  readonly job?: string | undefined
  /** Paths, where `*` matches any characters; without a path every artifact matches. */
  readonly path?: readonly string[] | undefined
  readonly state?: readonly string[] | undefined
}

/** The artifacts that match. They are tested here too, because a service may ignore the filters. */
export async function artifactPages(
  context: Context,
  build: BuildPath,
  { job, path, state }: ArtifactFilter,
  perPage: number,
): Promise<AsyncIterable<Page<Artifact>>> {
  const { signal } = context
  const client = await context.ci()
  const query = {
    per_page: perPage,
    // A single path is sent without brackets, as other clients send it.
    path: path?.length === 1 ? path[0] : path,
    // The server decides which states exist, and its error names a state that it refuses.
    state: state as readonly ArtifactStateFilter[] | undefined,
  } satisfies Parameters<'artifacts.list' | 'artifacts.listForJob'>
  if (job === undefined) {
    const pages = client.artifacts.list({ ...build, ...query }, { signal }).byPage()
    return matchingPages(pages, { path, state })
  }
  const job_id = findJob(await jobsToSearch(context, build, [job]), job).id
  const pages = client.artifacts.listForJob({ ...build, ...query, job_id }, { signal }).byPage()
  return matchingPages(pages, { path, state })
}

async function* matchingPages(
  pages: AsyncIterable<Page<Artifact>>,
  { path: globs, state: states }: ArtifactFilter,
): AsyncGenerator<Page<Artifact>, void> {
  const matchers = globs?.map(patternOf)
  const isMatch = ({ path = '', state = 'finished' }: Artifact): boolean =>
    (matchers === undefined || matchers.some((matches) => matches(path))) &&
    (states === undefined || states.includes(state))

  for await (const page of pages) yield { ...page, items: page.items.filter(isMatch) }
}

/** A glob in which `*` stands for any text, `/` included. Takes linear time for any path. */
function patternOf(glob: string): (path: string) => boolean {
  const [start = '', ...parts] = glob.split('*')
  const end = parts.pop()
  if (end === undefined) return (path) => path === start
  return (path) => {
    if (!path.startsWith(start)) return false
    let at = start.length
    for (const part of parts) {
      const found = path.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return path.endsWith(end) && path.length - end.length >= at
  }
}
