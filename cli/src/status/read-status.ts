import type { CiClient, Page } from '@buildwire/sdk'
import type { Build, Pipeline, User } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { unlessWithheld } from '../context/withheld.js'
import { say } from '../io/printable.js'
import { buildAddress, buildState } from '../views/build.js'
import { rankOf, type StatusRecord, statusRecord } from './status-record.js'

/** One screen: so many builds of each group. */
const SHOWN = 8
const LISTED = 50
const MAX_BRANCHES = 10

export interface Status {
  readonly org_slug: string | null
  /** The id of the user of the login; null if the token may not read it. */
  readonly user_id: string | null
  readonly builds: readonly StatusRecord[]
  readonly date: string | null
}

/** Whose builds of what are shown: looked up once, at most three requests. */
interface StatusScope {
  readonly ci: CiClient
  readonly signal: AbortSignal
  readonly org_slug: string | null
  readonly user: User | null
  /** Null if the token may not list them. */
  readonly pipelines: readonly Pipeline[] | null
}

export async function statusScope(context: Context): Promise<StatusScope> {
  const { target, signal, notes } = context
  const ci = await context.ci()
  const owner = (await target.findOrganization()) ?? (await target.onlyOrganization())
  const org_slug = owner?.org_slug ?? null
  const user = await ci.user.get({ signal }).catch(unlessWithheld)
  if (user === null) notes.note(say`Your builds are left out: the token may not say whose it is`)
  const page =
    org_slug === null
      ? null
      : await ci.pipelines.list({ org_slug, per_page: 100 }, { signal }).catch(unlessWithheld)
  return { ci, signal, org_slug, user, pipelines: page?.items ?? null }
}

/** Reads the builds to show, with two requests: what failed first, then what runs. */
export async function readStatus(scope: StatusScope): Promise<Status> {
  const { org_slug, user, pipelines } = scope
  const mine = user === null ? null : await listBuilds(scope, { creator: user.id })
  const yours = newestOfBranches(mine?.items ?? []).slice(0, SHOWN)

  const branches = [...new Set(pipelines?.flatMap((each) => each.default_branch ?? []))]
  const branch = branches.length === 0 ? undefined : branches.slice(0, MAX_BRANCHES)
  const latest = await listBuilds(scope, { branch })
  const shownIds = new Set(yours.map(({ id }) => id))
  const defaults = newestOfBranches(latest.items)
    .filter((build) => build.branch === defaultBranch(build, pipelines))
    .slice(0, SHOWN)
    .filter(({ id }) => !shownIds.has(id))

  return {
    org_slug,
    user_id: user?.id ?? null,
    builds: [
      ...byRank(yours).map((build) => statusRecord('yours', build)),
      ...byRank(defaults).map((build) => statusRecord('default_branch', build)),
    ],
    date: latest.response.headers.get('date'),
  }
}

async function listBuilds(
  { ci, signal, org_slug }: StatusScope,
  filter: { readonly creator?: string; readonly branch?: readonly string[] | undefined },
): Promise<Page<Build>> {
  const query = { ...filter, per_page: LISTED }
  if (org_slug === null) return ci.builds.list(query, { signal })
  return ci.builds.listForOrganization({ ...query, org_slug }, { signal })
}

/** The first build of each branch of a list that is newest first. */
function newestOfBranches(builds: readonly Build[]): Build[] {
  const newest = new Map<string, Build>()
  for (const build of builds) {
    const { org_slug, pipeline_slug } = buildAddress(build)
    const key = JSON.stringify([org_slug, pipeline_slug, build.branch])
    if (!newest.has(key)) newest.set(key, build)
  }
  return [...newest.values()]
}

function defaultBranch(build: Build, pipelines: readonly Pipeline[] | null): string | null {
  const { pipeline_slug } = buildAddress(build)
  const pipeline = pipelines?.find(({ slug }) => slug === pipeline_slug) ?? build.pipeline
  return pipeline?.default_branch ?? null
}

function byRank(builds: readonly Build[]): Build[] {
  return builds.toSorted((a, b) => rankOf(buildState(a)) - rankOf(buildState(b)))
}
