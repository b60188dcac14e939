import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context.js'
import { fullSha } from '../git/git.js'
import { CommandError, usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { duration } from '../io/time.js'
import type { BuildTarget, DefaultTarget } from '../target.js'

/** What a build without a number is found by. */
export interface FindInputs {
  readonly commit: string | undefined
  readonly branch: string | undefined
  /** How long to wait for it to appear. */
  readonly waitMs: number
  /** Between two looks. */
  readonly intervalMs: number | undefined
}

const FULL_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/iu
const INTERVAL_MS = 5000

/**
 * The newest build of a commit or branch. Without either, of what is checked out here: HEAD on the current branch, so
 * that a build of an earlier commit never answers for this one. Waits for one that has not appeared yet.
 *
 * @throws CommandError `not_found` when none appears in time, `usage` when there is nothing to look for.
 */
export async function findBuild(context: Context, inputs: FindInputs): Promise<BuildTarget> {
  const { clock, notes, signal, target } = context
  const typed = await typedFilters(context, inputs)
  const home = typed === null ? await target.defaults() : null
  const pipeline = home ?? (await target.pipeline())
  target.tell(pipeline)
  const { org_slug, pipeline_slug } = pipeline
  const filters = typed ?? (home === null ? {} : await headOf(context, home))
  const ci = await context.ci()
  const params = { org_slug, pipeline_slug, ...filters, exclude_jobs: true, exclude_pipeline: true, per_page: 1 }
  const end = clock.monotonic() + inputs.waitMs
  const text = describe(filters)
  for (let told = false; ; told = true) {
    const page = await ci.builds.listForPipeline(params, { signal })
    const build: Build | undefined = page.items[0]
    if (build) return { org_slug, pipeline_slug, number: build.number }
    const left = end - clock.monotonic()
    if (left <= 0) {
      throw new CommandError('not_found', say`${org_slug}/${pipeline_slug} has no build${text}`, {
        lines: [say`None appeared within ${duration(inputs.waitMs)}`],
        hint: ['builds', 'list', '-p', `${org_slug}/${pipeline_slug}`],
      })
    }
    if (!told) notes.note(say`no build${text} yet; waiting up to ${duration(inputs.waitMs)}`)
    await clock.sleep(Math.min(inputs.intervalMs ?? INTERVAL_MS, left), signal)
  }
}

interface Filters {
  readonly commit?: string | undefined
  readonly branch?: string | undefined
}

async function typedFilters({ git }: Context, { commit, branch }: FindInputs): Promise<Filters | null> {
  if (commit !== undefined) return { commit: await resolve(git, commit), branch }
  return branch === undefined ? null : { branch }
}

/** What is checked out here, of the pipeline that builds it; the newest build of any other pipeline. */
async function headOf({ git }: Context, { isHere, branch }: DefaultTarget): Promise<Filters> {
  if (!isHere) return {}
  const head = await fullSha(git, 'HEAD')
  if (head !== null) return { commit: head, branch }
  throw usageError(say`no build is named, and there is no commit here to find one by`, {
    lines: [say`Name it by NUMBER, --commit or --branch`],
  })
}

async function resolve(git: Context['git'], commit: string): Promise<string> {
  if (FULL_SHA.test(commit)) return commit.toLowerCase()
  const sha = await fullSha(git, commit)
  if (sha !== null) return sha
  throw usageError(say`git knows no commit ${JSON.stringify(commit)} here; the server matches full SHAs only`)
}

function describe({ commit, branch }: Filters): string {
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
  ]
  return parts.length === 0 ? '' : ` of ${parts.join(' on ')}`
}
