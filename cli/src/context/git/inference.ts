import { join } from 'node:path'
import { isJsonObject, makeDirectory, readJsonFile, writeJsonFile } from '../../config/json-file.js'
import { paths } from '../../config/paths.js'
import { say } from '../../io/printable.js'
import type { PipelineOfRemote, TargetTools } from '../target.js'
import { unlessWithheld } from '../withheld.js'
import { type Remote, reduceRemote } from './git.js'

const FRESH_MS = 24 * 3_600_000

/**
 * The pipelines of an organization that build what the remotes point to; null when the server does
 * not tell. Remembered for a day: the answer seldom changes, and every command asks.
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
  const found = new Map<string, PipelineOfRemote>()
  let isNew = false
  for (const remote of remotes) {
    const key = JSON.stringify([baseUrl.value, org_slug, remote.location])
    const known = remembered(cache[key], now)
    const slugs = known ?? (await ask(context, org_slug, remote.location))
    if (slugs === null) return null
    // A pipeline may be made at any time: that there is none is not remembered.
    if (known === null && slugs.length > 0) {
      cache[key] = { at: now, slugs }
      isNew = true
    }
    for (const slug of slugs) if (!found.has(slug)) found.set(slug, { slug, remote })
  }
  if (isNew) {
    const written = makeDirectory(folder).then(() => writeJsonFile(file, cache))
    await written.catch((error: unknown) =>
      context.notes.debug(say`cache not written: ${String(error)}`),
    )
  }
  return [...found.values()]
}

function remembered(entry: unknown, now: number): string[] | null {
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
  const found = await ci.pipelines
    .list(params, { signal: context.signal })
    .toArray()
    .catch(unlessWithheld)
  return (
    found?.flatMap(({ slug, repository }) =>
      reduceRemote(repository ?? '') === location ? (slug ?? []) : [],
    ) ?? null
  )
}
