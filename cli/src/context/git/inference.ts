import { join } from 'node:path'
import { canOthersWrite } from '../../config/directory.js'
import { isJsonObject, makeDirectory, readJsonFile, writeJsonFile } from '../../config/json-file.js'
import { paths } from '../../config/paths.js'
import { say } from '../../io/printable.js'
import type { PipelineOfRemote, PipelinesHere, TargetTools } from '../target.js'
import { unlessWithheld } from '../withheld.js'
import { locationBySsh, type Remote, reduceRemote } from './git.js'

const FRESH_MS = 24 * 3_600_000

/** A pipeline whose repository has the path of a remote, maybe on another host. */
interface Candidate {
  readonly slug: string
  readonly location: string
}

/**
 * The pipelines of an organization that build the remotes' repositories; null if the server does not
 * list them for this token. A found pipeline is cached for a day, because most commands need it.
 * SSH is asked for the host behind an alias only if no remote fits as it is written.
 */
export async function pipelinesOfRemotes(
  context: TargetTools,
  org_slug: string,
  remotes: readonly Remote[],
): Promise<Omit<PipelinesHere, 'org_slug' | 'remotes'>> {
  const folder = paths(context.io).cache
  const file = join(folder, 'remotes.json')
  const { baseUrl } = await context.settings()
  const now = context.clock.now()
  // Other users who can write there would choose the pipeline that a command works on.
  const isShared = await canOthersWrite(folder, context.io.platform)
  const cache = isShared ? {} : { ...(await readJsonFile(file).catch(() => null)) }
  const pipelines = new Map<string, PipelineOfRemote>()
  const candidates = new Map<Remote, readonly Candidate[]>()
  let isNew = false

  const keyOf = ({ location }: Remote) => JSON.stringify([baseUrl.value, org_slug, location])
  const add = (remote: Remote, slugs: readonly string[]) => {
    for (const slug of slugs) if (!pipelines.has(slug)) pipelines.set(slug, { slug, remote })
  }
  // An empty list is not cached, because a pipeline may be made at any time.
  const addNew = (remote: Remote, slugs: readonly string[]) => {
    if (slugs.length === 0) return
    cache[keyOf(remote)] = { at: now, slugs }
    isNew = true
    add(remote, slugs)
  }

  for (const remote of remotes) {
    const cached = freshSlugs(cache[keyOf(remote)], now)
    if (cached !== null) {
      add(remote, cached)
      continue
    }
    const listed = await ask(context, org_slug, remote.location)
    if (listed === null) return { pipelines: null, alike: [] }
    candidates.set(remote, listed)
    addNew(remote, slugsAt(remote.location, listed))
  }
  if (pipelines.size === 0) {
    for (const [remote, listed] of candidates) {
      const location = await locationBySsh(context.io, remote)
      if (location !== null) addNew(remote, slugsAt(location, listed))
    }
  }
  if (isShared) context.notes.debug(say`cache not used: other users can write to ${folder}`)
  else if (isNew) {
    const written = makeDirectory(folder).then(() => writeJsonFile(file, cache))
    await written.catch((error: unknown) =>
      context.notes.debug(say`cache not written: ${String(error)}`),
    )
  }
  const alike = [...candidates.values()]
    .flat()
    .filter(({ location }) =>
      remotes.some((remote) => pathOf(remote.location) === pathOf(location)),
    )
  return { pipelines: [...pipelines.values()], alike }
}

/** The pipelines of a location; in other case only if none has it as it is written. */
function slugsAt(location: string, candidates: readonly Candidate[]): string[] {
  const exact = candidates.filter((candidate) => candidate.location === location)
  const folded = location.toLowerCase()
  const fitting =
    exact.length > 0
      ? exact
      : candidates.filter((candidate) => candidate.location.toLowerCase() === folded)
  return fitting.map(({ slug }) => slug)
}

/** The path of a location in lower case, without its host. */
function pathOf(location: string): string {
  return location.slice(location.indexOf('/') + 1).toLowerCase()
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
): Promise<Candidate[] | null> {
  const ci = await context.ci()
  const params = { org_slug, repository: location.slice(location.indexOf('/') + 1) }
  const listed = await ci.pipelines
    .list(params, { signal: context.signal })
    .toArray()
    .catch(unlessWithheld)
  return (
    listed?.flatMap(({ slug, repository }) => {
      const found = reduceRemote(repository ?? '')
      return found === null || !slug ? [] : [{ slug, location: found }]
    }) ?? null
  )
}
