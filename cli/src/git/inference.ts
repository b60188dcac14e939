import { join } from 'node:path'
import { isCiError } from '@buildwire/sdk'
import { isJsonObject, readJsonFile, writeJsonFile } from '../config/json-file.js'
import { paths } from '../config/paths.js'
import type { Context } from '../context.js'
import { say } from '../io/printable.js'
import { reduceRemote } from './remote.js'

const FRESH_MS = 24 * 3_600_000

/**
 * The pipelines of an organization that build the repository at `location`; empty when none does or nobody tells.
 * Remembered for a day: the answer seldom changes, and every command asks.
 */
export async function pipelinesOfRemote(context: Context, org_slug: string, location: string): Promise<string[]> {
  const file = join(paths(context.io).cache, 'remotes.json')
  const { baseUrl } = await context.settings()
  const key = JSON.stringify([baseUrl.value, org_slug, location])
  const cache = (await readJsonFile(file).catch(() => null)) ?? {}
  const entry = cache[key]
  if (isJsonObject(entry) && typeof entry.at === 'number' && context.clock.now() - entry.at < FRESH_MS) {
    if (Array.isArray(entry.slugs)) return entry.slugs.filter((slug): slug is string => typeof slug === 'string')
  }
  const slugs = await ask(context, org_slug, location)
  if (slugs === null) return []
  const known = { ...cache, [key]: { at: context.clock.now(), slugs } }
  await writeJsonFile(file, known).catch((error: unknown) =>
    context.notes.debug(say`cache not written: ${String(error)}`),
  )
  return slugs
}

async function ask(context: Context, org_slug: string, location: string): Promise<string[] | null> {
  try {
    const ci = await context.ci()
    const found = ci.pipelines.list(
      { org_slug, repository: location.slice(location.indexOf('/') + 1) },
      { signal: context.signal },
    )
    const slugs: string[] = []
    for await (const pipeline of found) {
      if (pipeline.slug !== undefined && reduceRemote(pipeline.repository ?? '') === location) slugs.push(pipeline.slug)
    }
    return slugs
  } catch (error) {
    if (isCiError(error, 'not_found') || isCiError(error, 'insufficient_scope') || isCiError(error, 'forbidden'))
      return null
    throw error
  }
}
