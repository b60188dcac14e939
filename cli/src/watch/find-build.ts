import type { Build, BuildPath } from '@buildwire/sdk/contract'
import { isLoopback } from '../config/server-url.js'
import type { Context } from '../context/context.js'
import { fullSha } from '../context/git/git.js'
import { exactCommit } from '../context/lists.js'
import type { DefaultTarget } from '../context/target.js'
import { CommandError, usageError } from '../io/command-error.js'
import { type Printable, say } from '../io/printable.js'
import { duration } from '../io/time.js'
import { buildAddress } from '../views/build.js'

interface FindInputs {
  readonly commit: string | undefined
  readonly branch: string | undefined
  /** The organization was typed, and no pipeline. */
  readonly isOrganization: boolean
  readonly waitMs: number
  readonly intervalMs: number | undefined
}

interface Search {
  readonly org_slug: string
  readonly pipeline_slug?: string | undefined
  readonly commit?: string | undefined
  readonly branch?: string | undefined
}

const INTERVAL_MS = 5000
/** A commit has no more pipelines than a page has rows. */
const PER_PAGE = 100

/**
 * The newest build of a commit in each pipeline of the organization, or in the one that is named;
 * the newest build of a branch. Without either, of what is checked out here: HEAD on the current
 * branch, so that a build of an earlier commit never answers for this one. Waits for one that has
 * not appeared yet.
 */
export async function findBuilds(context: Context, inputs: FindInputs): Promise<BuildPath[]> {
  const { clock, notes, signal } = context
  const search = await searchOf(context, inputs)
  const ci = await context.ci()
  const { org_slug, pipeline_slug, ...filters } = search
  const look = async () => {
    const query = { ...filters, exclude_jobs: true }
    if (pipeline_slug === undefined) {
      return ci.builds.listForOrganization({ org_slug, ...query, per_page: PER_PAGE }, { signal })
    }
    const one = { org_slug, pipeline_slug, ...query, exclude_pipeline: true, per_page: 1 }
    return ci.builds.listForPipeline(one, { signal })
  }
  const end = clock.monotonic() + inputs.waitMs
  const text = describe(search)
  for (let told = false; ; told = true) {
    const { items } = await look()
    const found = newestOfEach(items, search)
    if (found.length > 0) return found
    const left = end - clock.monotonic()
    if (left <= 0) {
      const where =
        pipeline_slug === undefined ? ['--org', org_slug] : ['-p', `${org_slug}/${pipeline_slug}`]
      throw new CommandError('not_found', say`${where[1] ?? ''} has no build${text}`, {
        lines: [say`None appeared within ${duration(inputs.waitMs)}`],
        hint: ['builds', 'list', ...where],
      })
    }
    if (!told) notes.note(say`no build${text} yet; waiting up to ${duration(inputs.waitMs)}`)
    await clock.sleep(Math.min(inputs.intervalMs ?? INTERVAL_MS, left), signal)
  }
}

async function searchOf(
  context: Context,
  { commit, branch, isOrganization }: FindInputs,
): Promise<Search> {
  const { target } = context
  if (commit !== undefined && (isOrganization || (await target.namedPipeline()) === null)) {
    const organization = await target.organization()
    target.noteInferred(organization)
    return { org_slug: organization.org_slug, commit: await exactCommit(context, commit), branch }
  }
  const home = commit === undefined && branch === undefined ? await target.defaults() : null
  const pipeline = home ?? (await target.pipeline())
  target.noteInferred(pipeline)
  const { org_slug, pipeline_slug } = pipeline
  if (home !== null) return { org_slug, pipeline_slug, ...(await headOf(context, home)) }
  return { org_slug, pipeline_slug, commit: commit && (await exactCommit(context, commit)), branch }
}

/**
 * What is checked out here, of the pipeline that builds it; the newest build of any other pipeline.
 */
async function headOf(
  { git }: Context,
  { isHere, branch }: DefaultTarget,
): Promise<Pick<Search, 'commit' | 'branch'>> {
  if (!isHere) return {}
  const head = await fullSha(git, 'HEAD')
  if (head !== null) return { commit: head, branch }
  throw usageError(say`no build is named, and there is no commit here to find one by`, {
    lines: [say`Name it by NUMBER, --commit or --branch`],
  })
}

function newestOfEach(items: readonly Build[], { org_slug, pipeline_slug }: Search): BuildPath[] {
  const found = new Map<string, BuildPath>()
  for (const build of items) {
    const slug = pipeline_slug ?? buildAddress(build).pipeline_slug
    if (slug !== null && !found.has(slug))
      found.set(slug, { org_slug, pipeline_slug: slug, number: build.number })
  }
  return [...found.values()]
}

function describe({ commit, branch }: Search): Printable {
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
  ]
  return parts.length === 0 ? say`` : say` of ${parts.join(' on ')}`
}

const MIN_INTERVAL_MS = 2000
const MIN_LOOPBACK_INTERVAL_MS = 100

/** The interval a person fixed: from 2 s, or 100 ms for a server on this machine. */
export function checkInterval(ms: number | undefined, baseUrl: string): number | undefined {
  const min = isLoopback(baseUrl) ? MIN_LOOPBACK_INTERVAL_MS : MIN_INTERVAL_MS
  if (ms !== undefined && ms < min)
    throw usageError(say`--interval must be at least ${min / 1000}s here`)
  return ms
}
