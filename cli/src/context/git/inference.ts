import { join } from 'node:path'
import { isJsonObject, makeDirectory, readJsonFile, writeJsonFile } from '../../config/json-file.js'
import { paths } from '../../config/paths.js'
import { say } from '../../io/printable.js'
import type { PipelineOfRemote, TargetTools } from '../target.js'
import { unlessWithheld } from '../withheld.js'
import { type Remote, reduceRemote } from './git.js'

const FRESH_MS = 24 * 3_600_000

/**
 * The pipelines of an organization that build the remotes' repositories; null if the server does not
 * list them for this token. The result is cached for a day, because most commands need it.
 */
export async function pipelinesOfRemotes(
  context: TargetTools,
  org_slug: string,
  remotes: readonly Remote[],
): Promise<PipelineOfRemote[] | null> {
  const folder = paths(context.io).cache
  const file = join(folder, 'remotes.json')
  const { baseUrl } = await context.settings()
  const now = context.clock.now()
  const cache = { ...(await readJsonFile(file).catch(() => null)) }
  const pipelines = new Map<string, PipelineOfRemote>()
  let isNew = false
  for (const remote of remotes) {
    const key = JSON.stringify([baseUrl.value, org_slug, remote.location])
    const cached = freshSlugs(cache[key], now)
    const slugs = cached ?? (await ask(context, org_slug, remote.location))
    if (slugs === null) return null
    // An empty list is not cached, because a pipeline may be made at any time.
    if (cached === null && slugs.length > 0) {
      cache[key] = { at: now, slugs }
      isNew = true
    }
    for (const slug of slugs) if (!pipelines.has(slug)) pipelines.set(slug, { slug, remote })
  }
  if (isNew) {
    const written = makeDirectory(folder).then(() => writeJsonFile(file, cache))
    await written.catch((error: unknown) =>
      context.notes.debug(say`cache not written: ${String(error)}`),
    )
  }
  return [...pipelines.values()]
}

function freshSlugs(entry: unknown, now: number): string[] | null {
  if (!isJsonObject(entry) || typeof entry.at !== 'number' || now - entry.at >= FRESH_MS)
    return null
  return Array.isArray(entry.slugs)
    ? entry.slugs.filter((slug): slug is string => typeof slug === 'string')
    : null
}

async function ask(
  context: TargetTools,
  org_slug: string,
  location: string,
): Promise<string[] | null> {
  const ci = await context.ci()
  const params = { org_slug, repository: location.slice(location.indexOf('/') + 1) }
  const listed = await ci.pipelines
    .list(params, { signal: context.signal })
    .toArray()
    .catch(unlessWithheld)
  return (
    listed?.flatMap(({ slug, repository }) =>
      reduceRemote(repository ?? '') === location ? (slug ?? []) : [],
    ) ?? null
  )
}
