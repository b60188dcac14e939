import { isCiError } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import { MISSING_BUILD, newestBuild, pickBuild } from './builds/choose-build.js'
import type { Context, GlobalFlagValues } from './context.js'
import { type BuildReference, parseBuildReference, parsePipelineReference, parseTestUrl } from './flags/number.js'
import { pipelinesOfRemote } from './git/inference.js'
import { findRemote, type Remote } from './git/remote.js'
import { usageError } from './io/command-error.js'
import type { PipelinePath } from './io/error-report.js'
import { isNonInteractive, variable } from './io/io.js'
import { blank, type Printable, say } from './io/printable.js'

/** A pipeline and where its name came from. */
interface PipelineTarget {
  readonly org_slug: string
  readonly pipeline_slug: string
  /** For the note on stderr; null when it was typed. */
  readonly inferredFrom: string | null
}

/** A pipeline as something names it. */
interface NamedPipeline {
  readonly org_slug?: string | undefined
  readonly pipeline_slug: string
  readonly inferredFrom: string | null
}

/** The pipelines of an organization that build the repository of a git remote. */
interface PipelinesHere {
  readonly org_slug: string
  readonly slugs: readonly string[]
  readonly remote: Remote
}

/** An organization and where its name came from. */
interface OrganizationTarget {
  readonly org_slug: string
  readonly inferredFrom: string | null
}

/** A build's address. */
export interface BuildTarget {
  readonly org_slug: string
  readonly pipeline_slug: string
  readonly number: number
}

/** A suite's address. */
interface SuiteTarget {
  readonly org_slug: string
  readonly suite_slug: string
}

/** Which builds a person may pick from. */
export interface PickOptions {
  readonly branch?: string | undefined
  readonly suits: (build: Build) => boolean
}

/** Finds out what a command is about: typed, from variables, from files, from the repository, or by asking. */
export interface Target {
  /** The pipeline, or null when nothing names one; asks a person only to choose among several of one repository. */
  findPipeline(): Promise<PipelineTarget | null>
  /** What a flag, a variable or the project file names; its organization may have to be found yet. Asks nobody. */
  namedPipeline(): Promise<NamedPipeline | null>
  /** The pipelines that build the repository here; null where no remote, or no organization, is known. */
  pipelinesHere(): Promise<PipelinesHere | null>
  /** The pipeline; asks a person, else refuses. */
  pipeline(): Promise<PipelineTarget>
  /** The pipeline of a typed `[ORG/]SLUG`. */
  pipelineOf(typed: string): Promise<PipelineTarget>
  /** The organization, or null; never asks the server. */
  findOrganization(): Promise<OrganizationTarget | null>
  /** The only organization that the token works in; null when there are several, or nobody tells. */
  onlyOrganization(): Promise<OrganizationTarget | null>
  organization(): Promise<OrganizationTarget>
  /** The build of a typed reference. `@latest` is looked up, on `branch` where given. */
  build(typed: string, options?: { readonly branch?: string | undefined }): Promise<BuildTarget>
  /** As `build`; without a typed reference the newest of `branch`, or one that a person picks. */
  buildOrPicked(typed: string | undefined, options: PickOptions): Promise<BuildTarget>
  /** The suite: typed, from a variable or the project file. `about` says what was inferred. */
  suite(typed: string | undefined): Promise<SuiteTarget & { readonly about: Printable | null }>
  /** The test record of a typed id or URL. */
  test(typed: string, suite: string | undefined): Promise<SuiteTarget & { readonly test_id: string }>
  /** The pipeline that was found last. */
  readonly known: PipelinePath | null
  /** Says once on stderr what was inferred. */
  tell(found: { org_slug: string; pipeline_slug?: string; inferredFrom: string | null }): void
}

/** The targets of one run. */
export function createTarget(context: Context, flags: GlobalFlagValues): Target {
  const { io, notes } = context
  let told = false
  let known: PipelinePath | null = null

  const named = async ({ org_slug, ...pipeline }: NamedPipeline): Promise<PipelineTarget> => ({
    ...pipeline,
    org_slug: org_slug ?? (await organization()).org_slug,
  })

  async function findOrganization(): Promise<OrganizationTarget | null> {
    const typed = flags.org ?? flags.pipeline?.org_slug
    if (typed !== undefined) return { org_slug: typed, inferredFrom: null }
    const fromVariable = variable(io, 'ORG')
    if (fromVariable !== undefined) return { org_slug: fromVariable, inferredFrom: 'BUILDWIRE_ORG' }
    const project = await context.project()
    if (project?.org_slug !== undefined) return { org_slug: project.org_slug, inferredFrom: project.path }
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

  async function namedPipeline(): Promise<NamedPipeline | null> {
    if (flags.pipeline !== undefined) return { ...flags.pipeline, inferredFrom: null }
    const fromVariable = variable(io, 'PIPELINE')
    if (fromVariable !== undefined) {
      return { ...parsePipelineReference(fromVariable), inferredFrom: 'BUILDWIRE_PIPELINE' }
    }
    const project = await context.project()
    if (project?.pipeline_slug === undefined) return null
    const { org_slug, pipeline_slug } = parsePipelineReference(project.pipeline_slug)
    return { org_slug: org_slug ?? flags.org ?? project.org_slug, pipeline_slug, inferredFrom: project.path }
  }

  async function pipelinesHere(): Promise<PipelinesHere | null> {
    const remote = await findRemote(context.git)
    const found = remote === null ? null : await findOrganization()
    if (remote === null || found === null) return null
    const { org_slug } = found
    return { org_slug, slugs: await pipelinesOfRemote(context, org_slug, remote.location), remote }
  }

  async function findPipeline(): Promise<PipelineTarget | null> {
    const reference = await namedPipeline()
    if (reference !== null) return named(reference)
    const here = await pipelinesHere()
    const [only] = here?.slugs ?? []
    if (here === null || only === undefined) return null
    const { org_slug, slugs, remote } = here
    if (slugs.length === 1) return { org_slug, pipeline_slug: only, inferredFrom: `git remote ${remote.name}` }
    const { pick } = await import('./io/picker.js')
    const chosen = await pick(
      io,
      context.noInput,
      {
        title: say`Several pipelines build ${remote.location}. Which one?`,
        missing: say`several pipelines build ${remote.location}: ${slugs.join(', ')}; choose one with -p or BUILDWIRE_PIPELINE`,
        hint: ['pipelines', 'list', '--org', org_slug],
      },
      async () => slugs.map((slug) => ({ label: say`${org_slug}/${slug}`, value: slug })),
    )
    return { org_slug, pipeline_slug: chosen, inferredFrom: null }
  }

  async function pipeline(): Promise<PipelineTarget> {
    const found = await findPipeline()
    known = found
    if (found !== null) return found
    const question = {
      title: say`Which pipeline?`,
      missing: say`no pipeline is named; say -p [ORG/]SLUG, BUILDWIRE_PIPELINE, or pipeline_slug in .buildwire.json`,
      hint: ['pipelines', 'list'],
    }
    const { pick } = await import('./io/picker.js')
    return pick(io, context.noInput, question, async () => {
      const { org_slug } = await organization()
      const ci = await context.ci()
      const offered = await ci.pipelines.list({ org_slug }, { signal: context.signal }).toArray({ limit: 30 })
      return offered.flatMap(({ slug }) =>
        slug === undefined
          ? []
          : [{ label: say`${org_slug}/${slug}`, value: { org_slug, pipeline_slug: slug, inferredFrom: null } }],
      )
    })
  }

  async function resolveReference(reference: BuildReference, branch: string | undefined): Promise<BuildTarget> {
    const home =
      reference.pipeline_slug === undefined
        ? await pipeline()
        : await named({ org_slug: reference.org_slug, pipeline_slug: reference.pipeline_slug, inferredFrom: null })
    tell(home)
    const { org_slug, pipeline_slug } = home
    known = { org_slug, pipeline_slug }
    if (reference.number !== 'latest') return { org_slug, pipeline_slug, number: reference.number }
    const latest = await newestBuild(context, home, branch)
    return { org_slug, pipeline_slug, number: latest.number }
  }

  /** Nobody to ask means no build: said before a pipeline is looked for. */
  async function pipelineIfInteractive(): Promise<PipelineTarget> {
    if (isNonInteractive(io, context.noInput)) throw usageError(MISSING_BUILD, { hint: ['builds', 'list'] })
    return pipeline()
  }

  function tell(found: { org_slug: string; pipeline_slug?: string; inferredFrom: string | null }): void {
    if (told || found.inferredFrom === null) return
    told = true
    notes.note(inferredText(found) ?? blank)
  }

  return {
    findPipeline,
    namedPipeline,
    pipelinesHere,
    pipeline,
    pipelineOf: async (typed) => named({ ...parsePipelineReference(typed), inferredFrom: null }),
    findOrganization,
    onlyOrganization: () => onlyOrganization(context),
    organization,
    async build(typed, { branch } = {}) {
      const isUrl = /^https?:\/\//iu.test(typed)
      const settings = isUrl ? await context.settings() : null
      const bases = settings === null ? null : { baseUrl: settings.baseUrl.value, webUrl: settings.webUrl.value }
      return resolveReference(parseBuildReference(typed, bases), branch)
    },
    async buildOrPicked(typed, { branch, suits }) {
      if (typed !== undefined) return this.build(typed, { branch })
      if (branch !== undefined) return this.build('@latest', { branch })
      const home = await pipelineIfInteractive()
      const { org_slug, pipeline_slug } = home
      return { org_slug, pipeline_slug, number: await pickBuild(context, home, suits) }
    },
    async suite(typed) {
      const found = await organization()
      const { org_slug } = found
      const suite_slug = typed ?? variable(io, 'SUITE') ?? (await context.project())?.suite_slug
      if (suite_slug === undefined) {
        throw usageError(say`no suite is named; say --suite SLUG, BUILDWIRE_SUITE, or suite_slug in .buildwire.json`)
      }
      return { org_slug, suite_slug, about: inferredText(found) }
    },
    async test(typed, suite) {
      if (!/^https?:\/\//iu.test(typed)) {
        const { org_slug, suite_slug } = await this.suite(suite)
        return { org_slug, suite_slug, test_id: typed }
      }
      const { baseUrl, webUrl } = await context.settings()
      return parseTestUrl(typed, { baseUrl: baseUrl.value, webUrl: webUrl.value })
    },
    tell,
    get known() {
      return known
    },
  }
}

/** `acme/web (git remote origin)`; null for what was typed. */
export function inferredText(found: {
  org_slug: string
  pipeline_slug?: string | undefined
  inferredFrom: string | null
}): Printable | null {
  if (found.inferredFrom === null) return null
  const name = found.pipeline_slug === undefined ? found.org_slug : `${found.org_slug}/${found.pipeline_slug}`
  return say`${name} (${found.inferredFrom})`
}

async function onlyOrganization(context: Context): Promise<OrganizationTarget | null> {
  const ci = await context.ci()
  try {
    const page = await ci.organizations.list({ per_page: 2 }, { signal: context.signal })
    const [only] = page.items
    if (only?.slug === undefined || page.items.length > 1 || page.hasNext) return null
    return { org_slug: only.slug, inferredFrom: 'your only organization' }
  } catch (error) {
    if (isCiError(error, 'not_found') || isCiError(error, 'insufficient_scope') || isCiError(error, 'forbidden'))
      return null
    throw error
  }
}
