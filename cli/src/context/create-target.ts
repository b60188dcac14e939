import type {
  Build,
  BuildPath,
  BuildStateFilter,
  PipelinePath,
  SuitePath,
} from '@buildwire/sdk/contract'
import type { GlobalFlagValues } from '../flags/global.js'
import { parseBuildReference, parsePipelineReference, parseTestUrl } from '../flags/number.js'
import { CommandError, ExitRequest, naming, usageError } from '../io/command-error.js'
import type { ErrorFacts } from '../io/error-report.js'
import { ExitCode } from '../io/exit-codes.js'
import { isNonInteractive, variable } from '../io/io.js'
import { once } from '../io/once.js'
import { blank, firstLine, type Printable, reference, say } from '../io/printable.js'
import { buildState } from '../views/build.js'
import { currentBranch, findRemotes } from './git/git.js'
import { pipelinesOfRemotes } from './git/inference.js'
import type {
  BuildOptions,
  BuildScope,
  DefaultTarget,
  NamedPipeline,
  OrganizationTarget,
  PipelineOfRemote,
  PipelinesHere,
  PipelineTarget,
  TargetTools,
} from './target.js'
import { unlessWithheld } from './withheld.js'

/**
 * Finds out what a command is about: typed, from variables, from files, from the repository, or by
 * asking.
 */
export type Target = ReturnType<typeof createTarget>

export function createTarget(context: TargetTools, flags: GlobalFlagValues) {
  const { io, notes } = context
  let told = false
  let known: ErrorFacts['pipeline'] = null

  const bases = async () => {
    const { baseUrl, webUrl } = await context.settings()
    return { baseUrl: baseUrl.value, webUrl: webUrl.value }
  }

  const named = async ({ org_slug, ...pipeline }: NamedPipeline): Promise<PipelineTarget> => ({
    ...pipeline,
    org_slug: org_slug ?? (await organization()).org_slug,
  })

  /** The organization, or null; never asks the server. */
  async function findOrganization(): Promise<OrganizationTarget | null> {
    const typed = flags.org ?? flags.pipeline?.org_slug
    if (typed !== undefined) return { org_slug: typed, inferredFrom: null }
    const fromVariable = variable(io, 'ORG')
    if (fromVariable !== undefined) return { org_slug: fromVariable, inferredFrom: 'BUILDWIRE_ORG' }
    const project = await context.project()
    if (project?.org_slug !== undefined)
      return { org_slug: project.org_slug, inferredFrom: project.path }
    const { org_slug } = await context.settings()
    return org_slug === null ? null : { org_slug: org_slug.value, inferredFrom: org_slug.source }
  }

  async function organization(): Promise<OrganizationTarget> {
    const found = await findOrganization()
    if (found !== null) return found
    const only = await onlyOrganization(context)
    if (only !== null) return only
    throw usageError(say`no organization is named`, {
      lines: [say`Name it with --org SLUG, BUILDWIRE_ORG, or org_slug in .buildwire.json`],
      hint: ['organizations', 'list'],
    })
  }

  /**
   * What a flag, a variable or the project file names; its organization may have to be found yet.
   * Asks nobody.
   */
  async function namedPipeline(): Promise<NamedPipeline | null> {
    if (flags.pipeline !== undefined) return { ...flags.pipeline, inferredFrom: null }
    const fromVariable = variable(io, 'PIPELINE')
    if (fromVariable !== undefined) {
      const read = naming('BUILDWIRE_PIPELINE', () => parsePipelineReference(fromVariable))
      return { ...read, inferredFrom: 'BUILDWIRE_PIPELINE' }
    }
    const project = await context.project()
    const typed = project?.pipeline_slug
    if (project === null || typed === undefined) return null
    const { org_slug, pipeline_slug } = naming(project.path, () => parsePipelineReference(typed))
    return {
      org_slug: org_slug ?? flags.org ?? project.org_slug,
      pipeline_slug,
      inferredFrom: project.path,
    }
  }

  /**
   * The pipelines that build the repository here, by all its remotes; null where no remote, or no
   * organization, is known.
   */
  const pipelinesHere = once(async (): Promise<PipelinesHere | null> => {
    const remotes = await findRemotes(context.git)
    const found = remotes.length === 0 ? null : await findOrganization()
    if (found === null) return null
    return {
      org_slug: found.org_slug,
      found: await pipelinesOfRemotes(context, found.org_slug, remotes),
    }
  })

  /**
   * The pipeline, or null when nothing names one; asks a person only to choose among several of one
   * repository.
   */
  async function findPipeline(): Promise<PipelineTarget | null> {
    const typed = await namedPipeline()
    if (typed !== null) return named(typed)
    const { org_slug = '', found } = (await pipelinesHere()) ?? {}
    const [only, second] = found ?? []
    if (only === undefined) return null
    const target = ({ slug, remote }: PipelineOfRemote): PipelineTarget => {
      return { org_slug, pipeline_slug: slug, inferredFrom: `git remote ${remote.name}` }
    }
    if (second === undefined) return target(only)
    const all = (found ?? []).map(target)
    const { pick } = await import('../io/picker.js')
    const question = {
      title: say`Several pipelines build this repository. Which one?`,
      missing: say`several pipelines build this repository; choose one with -p`,
      choices: all.map((one) => context.again(['-p', reference(one)])),
    }
    return pick(io, context.noInput, question, async () =>
      all.map((value) => ({
        label: say`${reference(value)} (${value.inferredFrom ?? ''})`,
        value,
      })),
    )
  }

  async function isPipelineHere({
    org_slug,
    pipeline_slug,
    inferredFrom,
  }: PipelineTarget): Promise<boolean> {
    if (inferredFrom !== null && inferredFrom === (await context.project())?.path) return true
    const here = await pipelinesHere()
    return (
      here?.org_slug === org_slug &&
      here.found?.some(({ slug }) => slug === pipeline_slug) !== false
    )
  }

  /**
   * What a command without a build is about: the pipeline, and of the one that is checked out here
   * the current branch. A branch that was typed wins.
   */
  async function defaults(branch?: string): Promise<DefaultTarget> {
    const home = await pipeline()
    if (branch !== undefined) return { ...home, branch, isHere: false }
    const isHere = await isPipelineHere(home)
    return {
      ...home,
      isHere,
      branch: (isHere ? await currentBranch(context.git) : null) ?? undefined,
    }
  }

  async function newestOf({ branch, ask, states }: BuildOptions): Promise<BuildPath> {
    const home = await defaults(branch)
    const { org_slug, pipeline_slug } = home
    known = { org_slug, pipeline_slug }
    if (home.isHere && home.branch === undefined) {
      throw usageError(say`no build is named, and no branch is checked out here`, {
        lines: [say`Name a build, or say @latest for the newest of any branch`],
        hint: context.again([`${reference(home)}#@latest`]),
      })
    }
    const build = await newestBuild(context, home, home.branch, states)
    const { number } = build
    if (ask !== undefined) await askToWrite(context, home, build, ask)
    else {
      const state = states === undefined ? '' : `${buildState(build)} `
      const of = home.branch === undefined ? '' : ` of ${home.branch}`
      const from = home.inferredFrom === null ? '' : ` (${home.inferredFrom})`
      told = true
      notes.note(say`${reference(home, number)}, the newest ${state}build${of}${from}`)
    }
    return { org_slug, pipeline_slug, number }
  }

  /** The pipeline; asks a person, else refuses. */
  async function pipeline(): Promise<PipelineTarget> {
    const found = await findPipeline()
    known = found
    if (found !== null) return found
    const question = {
      title: say`Which pipeline?`,
      missing: say`no pipeline is named; say -p [ORG/]SLUG, BUILDWIRE_PIPELINE, or pipeline_slug in .buildwire.json`,
      hint: ['pipelines', 'list'],
    }
    const { pick } = await import('../io/picker.js')
    return pick(io, context.noInput, question, async () => {
      const { org_slug } = await organization()
      const ci = await context.ci()
      const offered = await ci.pipelines
        .list({ org_slug }, { signal: context.signal })
        .toArray({ limit: 30 })
      const slugs = offered.flatMap(({ slug }) => slug ?? [])
      return slugs.map((slug) => {
        return {
          label: say`${org_slug}/${slug}`,
          value: { org_slug, pipeline_slug: slug, inferredFrom: null },
        }
      })
    })
  }

  /** Says once on stderr what was inferred. */
  function tell(found: BuildScope): void {
    if (told || found.inferredFrom === null) return
    told = true
    notes.note(inferredText(found) ?? blank)
  }

  /**
   * The build of a typed reference; `@latest` is looked up. Without one the newest build of {@link
   * defaults}.
   *
   * @throws CommandError `usage` when a write is to be confirmed and nobody can be asked, or the
   * answer is no.
   */
  async function build(
    typed: string | undefined,
    { branch, ...options }: BuildOptions = {},
  ): Promise<BuildPath> {
    if (typed === undefined) return newestOf({ branch, ...options })
    const read = parseBuildReference(typed, isUrl(typed) ? await bases() : null)
    const { org_slug: owner, pipeline_slug: slug } = read
    const home = await (slug === undefined
      ? pipeline()
      : named({ org_slug: owner, pipeline_slug: slug, inferredFrom: null }))
    tell(home)
    const { org_slug, pipeline_slug } = home
    known = { org_slug, pipeline_slug }
    const number =
      read.number === 'latest' ? (await newestBuild(context, home, branch)).number : read.number
    return { org_slug, pipeline_slug, number }
  }

  /** The suite: typed, from a variable or the project file. `about` says what was inferred. */
  async function suite(
    typed: string | undefined,
  ): Promise<SuitePath & { readonly about: Printable | null }> {
    const found = await organization()
    const suite_slug = typed ?? variable(io, 'SUITE') ?? (await context.project())?.suite_slug
    if (suite_slug === undefined) {
      throw usageError(
        say`no suite is named; say --suite SLUG, BUILDWIRE_SUITE, or suite_slug in .buildwire.json`,
      )
    }
    return { org_slug: found.org_slug, suite_slug, about: inferredText(found) }
  }

  async function test(
    typed: string,
    of: string | undefined,
  ): Promise<SuitePath & { readonly test_id: string }> {
    if (isUrl(typed)) return parseTestUrl(typed, await bases())
    const { org_slug, suite_slug } = await suite(of)
    return { org_slug, suite_slug, test_id: typed }
  }

  return {
    findPipeline,
    namedPipeline,
    pipelinesHere,
    pipeline,
    findOrganization,
    organization,
    defaults,
    build,
    suite,
    test,
    tell,
    pipelineOf: async (typed: string) =>
      named({ ...parsePipelineReference(typed), inferredFrom: null }),
    /**
     * The only organization that the token works in; null when there are several, or nobody tells.
     */
    onlyOrganization: () => onlyOrganization(context),
    /** What this run is about, as far as it is found: for hints of errors. */
    get known() {
      return known
    },
    set known(found) {
      known = found
    },
  }
}

function isUrl(typed: string) {
  return /^https?:\/\//iu.test(typed)
}

/** `acme/web (git remote origin)`; null for what was typed. */
export function inferredText({
  org_slug,
  pipeline_slug,
  inferredFrom,
}: BuildScope): Printable | null {
  return inferredFrom === null
    ? null
    : say`${[org_slug, pipeline_slug].filter(Boolean).join('/')} (${inferredFrom})`
}

async function onlyOrganization(context: TargetTools): Promise<OrganizationTarget | null> {
  const ci = await context.ci()
  const page = await ci.organizations
    .list({ per_page: 2 }, { signal: context.signal })
    .catch(unlessWithheld)
  const [only, second] = page?.items ?? []
  if (only?.slug === undefined || second !== undefined || page?.hasNext) return null
  return { org_slug: only.slug, inferredFrom: 'your only organization' }
}

/**
 * The newest build of a pipeline, on one branch where given; one in those states where there is
 * any.
 */
async function newestBuild(
  context: TargetTools,
  { org_slug, pipeline_slug }: PipelinePath,
  branch: string | undefined,
  states?: readonly BuildStateFilter[],
): Promise<Build> {
  const ci = await context.ci()
  const params = {
    org_slug,
    pipeline_slug,
    exclude_jobs: true,
    exclude_pipeline: true,
    per_page: 1,
  }
  const query = branch === undefined ? params : { ...params, branch }
  for (const filter of states === undefined ? [{}] : [{ state: states }, {}]) {
    const page = await ci.builds.listForPipeline(
      { ...query, ...filter },
      { signal: context.signal },
    )
    const [build] = page.items
    if (build) return build
  }
  const where = branch === undefined ? '' : ` on branch ${branch}`
  throw new CommandError('not_found', say`${org_slug}/${pipeline_slug} has no build${where}`, {
    hint: ['builds', 'list', '-p', `${org_slug}/${pipeline_slug}`],
  })
}

/** Lets a person say yes before a build changes that nobody named. */
async function askToWrite(
  context: TargetTools,
  path: PipelinePath,
  build: Build,
  verb: string,
): Promise<void> {
  const { io, noInput } = context
  const name = reference(path, build.number)
  const about = say`${buildState(build)}, ${build.branch}, ${JSON.stringify(firstLine(build.message ?? ''))}`
  if (isNonInteractive(io, noInput)) {
    throw usageError(say`no build is named, and nobody can be asked; --yes takes the newest`, {
      lines: [say`The newest is ${name} (${about})`],
      hint: context.again([name]),
    })
  }
  const { confirm } = await import('../io/picker.js')
  if (await confirm(io, say`${verb} ${name} (${about})?`)) return
  context.notes.line(say`Nothing was done`)
  throw new ExitRequest(ExitCode.usage)
}
