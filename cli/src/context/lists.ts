import type { CiClient, Page } from '@buildwire/sdk'
import { BUILD_STATES, type BuildStateFilter } from '@buildwire/sdk/contract'
import {
  type FlagValues,
  parsedFlag,
  parsedFlags,
  statesFlag,
  switchFlag,
  textFlag,
  textsFlag,
} from '../flags/flags.js'
import type { GlobalFlagValues } from '../flags/global.js'
import { type listFlags, listSize, type Parameters } from '../flags/groups.js'
import { byKey, parseAssignment } from '../flags/key-value.js'
import { parseTime, type TimeSpec, timeToUtc } from '../flags/time.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { Listing } from '../views/print.js'
import type { RecordKind } from '../views/view.js'
import type { Context } from './context.js'
import { creatorId } from './creator.js'
import { currentBranch, fullSha } from './git/git.js'
import type { BuildScope } from './target.js'

/** Reads as much of a list as the flags say, and prints it. */
export async function printList<T>(
  { ci, out, signal }: Context,
  kind: RecordKind<T>,
  flags: FlagValues<typeof listFlags> & Pick<Listing<T>, 'about' | 'manyPipelines'>,
  pages: (
    ci: CiClient,
    query: { readonly per_page: number },
    options: { readonly signal: AbortSignal },
  ) => AsyncIterable<Page<T>> | Promise<AsyncIterable<Page<T>>>,
): Promise<void> {
  const { about, manyPipelines } = flags
  const { per_page, ...size } = listSize(flags)
  await out.list(kind, {
    ...size,
    about,
    manyPipelines,
    pages: await pages(await ci(), { per_page }, { signal }),
  })
}

/**
 * The builds to list. `--all-orgs` means all, `--org` without `--pipeline` that organization; else
 * the pipeline, the organization or all, as far as one is found.
 */
export async function buildScope(
  { target, notes }: Context,
  flags: Pick<GlobalFlagValues, 'org' | 'pipeline'> & {
    readonly 'all-orgs'?: boolean | undefined
    readonly 'current-branch'?: boolean | undefined
  },
): Promise<BuildScope> {
  if (flags['all-orgs'] === true) {
    if (flags.org === undefined && flags.pipeline === undefined) return { inferredFrom: null }
    throw usageError(say`--all-orgs excludes --org and --pipeline`)
  }
  if (flags.org !== undefined && flags.pipeline === undefined)
    return { org_slug: flags.org, inferredFrom: null }
  const pipeline = await target.findPipeline()
  if (pipeline !== null) return pipeline
  const reason = await target.whyNoPipelineHere()
  if (flags['current-branch'] === true) {
    throw usageError(
      say`no pipeline is known to build this repository; name it with -p [ORG/]SLUG`,
      {
        lines: [
          ...(reason === null ? [] : [reason]),
          say`Other pipelines may have different branches of this name`,
        ],
        hint: ['pipelines', 'list'],
      },
    )
  }
  if (reason !== null) notes.note(reason)
  return (await target.findOrganization()) ?? { inferredFrom: null }
}

export async function scopeUrl(
  context: Context,
  { org_slug, pipeline_slug }: BuildScope,
): Promise<string> {
  const { value } = (await context.settings()).webUrl
  const path = [org_slug, pipeline_slug].flatMap((slug) =>
    slug === undefined ? [] : encodeURIComponent(slug),
  )
  return `${value}/${path.join('/')}`
}

export const filterFlags = {
  branch: textsFlag({
    char: 'b',
    helpValue: 'NAME',
    summary: 'Only this branch; * matches any characters',
  }),
  'current-branch': switchFlag({ char: 'B', summary: 'Only the branch that is checked out' }),
  commit: textsFlag({
    char: 'c',
    helpValue: 'SHA',
    summary: 'Only this commit; refs and short SHAs are resolved by git',
  }),
  creator: textFlag({
    helpValue: 'UUID|@me|NAME',
    summary: 'Only builds that this user started; a name is looked up in the newest builds',
  }),
  'created-from': parsedFlag(parseTime, {
    aliases: ['since'],
    helpValue: 'TIME',
    summary: 'Created at that time or later',
  }),
  'created-to': parsedFlag(parseTime, {
    aliases: ['until'],
    helpValue: 'TIME',
    summary: 'Created before that time',
  }),
  'finished-from': parsedFlag(parseTime, {
    helpValue: 'TIME',
    summary: 'Finished at that time or later',
  }),
  'meta-data': parsedFlags(parseAssignment, {
    char: 'M',
    helpValue: 'K=V',
    summary: 'Only builds with this meta-data',
  }),
  state: statesFlag(BUILD_STATES, {
    char: 's',
    helpValue: 'STATE',
    summary: 'Only these states',
  }),
  failed: switchFlag({ summary: 'The same as --state failed,failing' }),
  'exclude-jobs': switchFlag({ summary: 'Leave the jobs out of JSON' }),
  'exclude-pipeline': switchFlag({ summary: 'Leave the pipeline out of JSON' }),
  'include-retried-jobs': switchFlag({ summary: 'With earlier runs of retried jobs' }),
  'no-include-paused': switchFlag({ summary: 'Without builds whose queues are all paused' }),
}

type FilterFlags = FlagValues<typeof filterFlags>

const FULL_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/iu

/** The query of a build list; parts that the output does not show are left out. */
export async function listParams(
  context: Context,
  flags: FilterFlags,
  scope: BuildScope,
  per_page: number,
): Promise<Parameters<'builds.list' | 'builds.listForOrganization' | 'builds.listForPipeline'>> {
  const { clock, out } = context
  const now = clock.now()
  const states = new Set([
    ...(flags.state?.flat() ?? []),
    ...(flags.failed === true ? ['failed', 'failing'] : []),
  ])
  const time = (spec: TimeSpec | undefined) =>
    spec === undefined ? undefined : timeToUtc(spec, now)
  return {
    branch: await branches(context, flags),
    commit:
      flags.commit &&
      (await Promise.all(flags.commit.map((commit) => exactCommit(context, commit)))),
    creator: flags.creator && (await creatorId(context, flags.creator, scope)),
    created_from: time(flags['created-from']),
    created_to: time(flags['created-to']),
    finished_from: time(flags['finished-from']),
    meta_data: flags['meta-data'] && byKey(flags['meta-data']),
    // The server decides which states exist, and its error names a state that it refuses.
    state: states.size === 0 ? undefined : ([...states] as BuildStateFilter[]),
    exclude_jobs: flags['exclude-jobs'] === true || !out.wants('jobs') ? true : undefined,
    exclude_pipeline:
      scope.pipeline_slug !== undefined &&
      (flags['exclude-pipeline'] === true || !out.wants('pipeline'))
        ? true
        : undefined,
    include_retried_jobs: flags['include-retried-jobs'] === true ? true : undefined,
    include_paused: flags['no-include-paused'] === true ? false : undefined,
    per_page,
  }
}

async function branches(
  { git }: Context,
  flags: FilterFlags,
): Promise<readonly string[] | undefined> {
  if (flags['current-branch'] !== true) return flags.branch
  const current = await currentBranch(git)
  if (current === null) throw usageError(say`no branch is checked out here; name one with --branch`)
  return [...(flags.branch ?? []), current]
}

/** The full SHA of a typed SHA or ref; git resolves it here. */
export async function exactCommit({ git }: Context, typed: string): Promise<string> {
  if (FULL_SHA.test(typed)) return typed.toLowerCase()
  const sha = await fullSha(git, typed)
  if (sha !== null) return sha
  throw usageError(
    say`git does not know the commit ${JSON.stringify(typed)}; the server matches full SHAs only`,
  )
}
