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
  /** The user typed an organization and no pipeline. */
  readonly isOrganization: boolean
  readonly waitMs: number
  readonly intervalMs: number | undefined
}

interface BuildSearch {
  readonly org_slug: string
  readonly pipeline_slug?: string | undefined
  readonly commit?: string | undefined
  readonly branch?: string | undefined
}

const INTERVAL_MS = 5000
/** One page is enough: no organization has more pipelines that build one commit. */
const PER_PAGE = 100

/**
 * Finds the newest build of a commit, in each pipeline of the organization or in the named
 * pipeline, or the newest build of a branch. Without commit and branch it searches for HEAD on the
 * current branch, so that it never returns a build of an earlier commit. Waits until a build
 * appears.
 *
 * @throws CommandError `not_found` if none has appeared after `waitMs`.
 */
export async function findBuilds(context: Context, inputs: FindInputs): Promise<BuildPath[]> {
  const { clock, notes, signal } = context
  const search = await searchFor(context, inputs)
  const ci = await context.ci()
  const { org_slug, pipeline_slug, ...filters } = search
  const listBuilds = async () => {
    const query = { ...filters, exclude_jobs: true }
    if (pipeline_slug === undefined) {
      return ci.builds.listForOrganization({ org_slug, ...query, per_page: PER_PAGE }, { signal })
    }
    const params = { org_slug, pipeline_slug, ...query, exclude_pipeline: true, per_page: 1 }
    return ci.builds.listForPipeline(params, { signal })
  }
  const end = clock.monotonic() + inputs.waitMs
  const text = describe(search)
  for (let isFirst = true; ; isFirst = false) {
    const { items } = await listBuilds()
    const newest = newestOfEach(items, search)
    if (newest.length > 0) return newest

    const leftMs = end - clock.monotonic()
    if (leftMs <= 0) throw noBuild(search, inputs.waitMs)
    if (isFirst) notes.note(say`no build${text} yet; waiting up to ${duration(inputs.waitMs)}`)
    await clock.sleep(Math.min(inputs.intervalMs ?? INTERVAL_MS, leftMs), signal)
  }
}

function noBuild(search: BuildSearch, waitMs: number): CommandError {
  const { org_slug, pipeline_slug } = search
  const name = pipeline_slug === undefined ? org_slug : `${org_slug}/${pipeline_slug}`
  const flag = pipeline_slug === undefined ? '--org' : '-p'
  return new CommandError('not_found', say`${name} has no build${describe(search)}`, {
    lines: [say`None appeared within ${duration(waitMs)}`],
    hint: ['builds', 'list', flag, name],
  })
}

async function searchFor(
  context: Context,
  { commit, branch, isOrganization }: FindInputs,
): Promise<BuildSearch> {
  const { target } = context
  const spansPipelines = isOrganization || (await target.namedPipeline()) === null
  if (commit !== undefined && spansPipelines) {
    const organization = await target.organization()
    target.noteInferred(organization)
    return { org_slug: organization.org_slug, commit: await exactCommit(context, commit), branch }
  }
  const isUnnamed = commit === undefined && branch === undefined
  const defaults = isUnnamed ? await target.defaults() : null
  const pipeline = defaults ?? (await target.pipeline())
  target.noteInferred(pipeline)
  const { org_slug, pipeline_slug } = pipeline
  if (defaults !== null) {
    return { org_slug, pipeline_slug, ...(await checkedOut(context, defaults)) }
  }
  const exact = commit && (await exactCommit(context, commit))
  return { org_slug, pipeline_slug, commit: exact, branch }
}

/**
 * The commit and branch that are checked out here, if the pipeline builds this repository; for any
 * other pipeline neither, so that its newest build is found.
 */
async function checkedOut(
  { git }: Context,
  { isHere, branch }: DefaultTarget,
): Promise<Pick<BuildSearch, 'commit' | 'branch'>> {
  if (!isHere) return {}
  const head = await fullSha(git, 'HEAD')
  if (head !== null) return { commit: head, branch }
  throw usageError(say`the build is missing, and there is no commit here to find it by`, {
    lines: [say`Name it by NUMBER, --commit or --branch`],
  })
}

function newestOfEach(
  items: readonly Build[],
  { org_slug, pipeline_slug }: BuildSearch,
): BuildPath[] {
  const newest = new Map<string, BuildPath>()
  for (const build of items) {
    const slug = pipeline_slug ?? buildAddress(build).pipeline_slug
    if (slug === null || newest.has(slug)) continue
    newest.set(slug, { org_slug, pipeline_slug: slug, number: build.number })
  }
  return [...newest.values()]
}

function describe({ commit, branch }: BuildSearch): Printable {
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
  ]
  return parts.length === 0 ? say`` : say` of ${parts.join(' on ')}`
}

const MIN_INTERVAL_MS = 2000
const MIN_LOOPBACK_INTERVAL_MS = 100

/**
 * The polling interval that the user set, in ms.
 *
 * @throws CommandError `usage` below 2 s, or below 100 ms for a server on this machine.
 */
export function checkInterval(ms: number | undefined, baseUrl: string): number | undefined {
  const min = isLoopback(baseUrl) ? MIN_LOOPBACK_INTERVAL_MS : MIN_INTERVAL_MS
  if (ms !== undefined && ms < min)
    throw usageError(say`--interval must be at least ${min / 1000}s here`)
  return ms
}
