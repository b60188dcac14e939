import type { BuildPath, SuitePath } from '@buildwire/sdk/contract'
import type { GlobalFlagValues } from '../flags/global.js'
import { parseBuildReference, parsePipelineReference, parseTestUrl } from '../flags/number.js'
import { usageError } from '../io/command-error.js'
import type { RunFacts } from '../io/error-report.js'
import { variable } from '../io/io.js'
import { blank, type Printable, reference, say } from '../io/printable.js'
import { buildState } from '../views/build.js'
import { currentBranch } from './git/git.js'
import { confirmChange, newestBuild } from './newest-build.js'
import { createPipelineTarget, onlyOrganization } from './pipeline-target.js'
import type { BuildOptions, BuildScope, DefaultTarget, TargetTools } from './target.js'

/** Finds the organization, pipeline, build, suite or test that a command works on. */
export type CommandTarget = ReturnType<typeof createTarget>

export function createTarget(context: TargetTools, flags: GlobalFlagValues) {
  const { io, notes } = context
  const pipelines = createPipelineTarget(context, flags)
  let inferenceIsNoted = false
  let pipelineOfRun: RunFacts['pipeline'] = null

  /** Prints on stderr what was inferred, at most once in a run. */
  function noteInferred(scope: BuildScope): void {
    if (inferenceIsNoted || scope.inferredFrom === null) return
    inferenceIsNoted = true
    notes.note(inferredText(scope) ?? blank)
  }

  async function urlBases() {
    const { baseUrl, webUrl } = await context.settings()
    return { baseUrl: baseUrl.value, webUrl: webUrl.value }
  }

  async function pipeline() {
    const target = await pipelines.pipeline()
    pipelineOfRun = target
    return target
  }

  /**
   * The pipeline of a command that names no build, and the branch whose builds count: the typed
   * one, else the current one if the pipeline builds this repository.
   */
  async function defaults(branch?: string): Promise<DefaultTarget> {
    const home = await pipeline()
    if (branch !== undefined) return { ...home, branch, isHere: false }
    const isHere = await pipelines.isPipelineHere(home)
    const checkedOut = isHere ? await currentBranch(context.git) : null
    return { ...home, isHere, branch: checkedOut ?? undefined }
  }

  async function newestOf({ branch, ask, states }: BuildOptions): Promise<BuildPath> {
    const home = await defaults(branch)
    const { org_slug, pipeline_slug } = home
    pipelineOfRun = { org_slug, pipeline_slug }
    if (home.isHere && home.branch === undefined) {
      throw usageError(say`no build is named, and no branch is checked out here`, {
        lines: [say`Name a build, or use @latest for the newest of any branch`],
        hint: context.again([`${reference(home)}#@latest`]),
      })
    }

    const build = await newestBuild(context, home, home.branch, states)
    const path = { org_slug, pipeline_slug, number: build.number }
    if (ask !== undefined) {
      await confirmChange(context, home, build, ask)
      return path
    }

    const state = states === undefined ? '' : `${buildState(build)} `
    const ofBranch = home.branch === undefined ? '' : ` of ${home.branch}`
    const source = home.inferredFrom === null ? '' : ` (${home.inferredFrom})`
    inferenceIsNoted = true
    notes.note(say`${reference(home, build.number)}, the newest ${state}build${ofBranch}${source}`)
    return path
  }

  /**
   * The build of a typed reference; `@latest` is looked up. Without a reference the newest build of
   * {@link defaults}.
   *
   * @throws CommandError `usage` when a change has to be confirmed and no person can be asked;
   * ExitRequest when the answer is no.
   */
  async function build(
    typed: string | undefined,
    { branch, ...options }: BuildOptions = {},
  ): Promise<BuildPath> {
    if (typed === undefined) return newestOf({ branch, ...options })
    const parsed = parseBuildReference(typed, isUrl(typed) ? await urlBases() : null)
    const home =
      parsed.pipeline_slug === undefined
        ? await pipeline()
        : await pipelines.withOrganization({
            org_slug: parsed.org_slug,
            pipeline_slug: parsed.pipeline_slug,
            inferredFrom: null,
          })
    noteInferred(home)
    const { org_slug, pipeline_slug } = home
    pipelineOfRun = { org_slug, pipeline_slug }
    if (parsed.number !== 'latest') return { org_slug, pipeline_slug, number: parsed.number }
    const { number } = await newestBuild(context, home, branch)
    return { org_slug, pipeline_slug, number }
  }

  /** The suite: typed, from a variable or the project file. `about` says what was inferred. */
  async function suite(
    typed: string | undefined,
  ): Promise<SuitePath & { readonly about: Printable | null }> {
    const owner = await pipelines.organization()
    const suite_slug = typed ?? variable(io, 'SUITE') ?? (await context.project())?.suite_slug
    if (suite_slug === undefined) {
      throw usageError(
        say`the suite is missing; use --suite SLUG, BUILDWIRE_SUITE, or suite_slug in .buildwire.json`,
      )
    }
    return { org_slug: owner.org_slug, suite_slug, about: inferredText(owner) }
  }

  async function test(
    typed: string,
    typedSuite: string | undefined,
  ): Promise<SuitePath & { readonly test_id: string }> {
    if (isUrl(typed)) return parseTestUrl(typed, await urlBases())
    const { org_slug, suite_slug } = await suite(typedSuite)
    return { org_slug, suite_slug, test_id: typed }
  }

  return {
    findOrganization: pipelines.findOrganization,
    organization: pipelines.organization,
    onlyOrganization: () => onlyOrganization(context),
    namedPipeline: pipelines.namedPipeline,
    pipelinesHere: pipelines.pipelinesHere,
    whyNoPipelineHere: pipelines.whyNoPipelineHere,
    findPipeline: pipelines.findPipeline,
    pipeline,
    /** The pipeline of a typed `[ORG/]SLUG`. */
    pipelineOf: async (typed: string) =>
      pipelines.withOrganization({ ...parsePipelineReference(typed), inferredFrom: null }),
    defaults,
    build,
    suite,
    test,
    noteInferred,
    /** The pipeline that this run works on, as far as it is known: for the hints of errors. */
    pipelineOfRun: () => pipelineOfRun,
    /** Names the pipeline, and the branch, that a request is about to change. */
    setPipelineOfRun(path: NonNullable<RunFacts['pipeline']>): void {
      pipelineOfRun = path
    },
  }
}

function isUrl(typed: string) {
  return /^https?:\/\//iu.test(typed)
}

/** `acme/web (git remote origin)`; null if the user typed it. */
export function inferredText({
  org_slug,
  pipeline_slug,
  inferredFrom,
}: BuildScope): Printable | null {
  if (inferredFrom === null) return null
  return say`${[org_slug, pipeline_slug].filter(Boolean).join('/')} (${inferredFrom})`
}
