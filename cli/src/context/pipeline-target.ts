import type { GlobalFlagValues } from '../flags/global.js'
import { parsePipelineReference } from '../flags/number.js'
import { naming, usageError } from '../io/command-error.js'
import { variable } from '../io/io.js'
import { once } from '../io/once.js'
import { type Printable, reference, say } from '../io/printable.js'
import { findRemotes } from './git/git.js'
import { pipelinesOfRemotes } from './git/inference.js'
import type {
  NamedPipeline,
  OrganizationTarget,
  PipelineOfRemote,
  PipelinesHere,
  PipelineTarget,
  TargetTools,
} from './target.js'
import { unlessWithheld } from './withheld.js'

/** At most this many pipelines are offered when a person has to choose one. */
const MAX_CHOICES = 30

/**
 * Finds the organization and the pipeline that a command works on: from flags, variables, files and
 * git remotes, or by asking a person.
 */
export function createPipelineTarget(context: TargetTools, flags: GlobalFlagValues) {
  const { io } = context

  /** The organization, or null; sends no request. */
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
    const configured = (await findOrganization()) ?? (await onlyOrganization(context))
    if (configured !== null) return configured
    throw usageError(say`no organization is named`, {
      lines: [say`Name it with --org SLUG, BUILDWIRE_ORG, or org_slug in .buildwire.json`],
      hint: ['organizations', 'list'],
    })
  }

  /**
   * The pipeline that a flag, a variable or the project file names; its organization may still be
   * unknown. Sends no request and asks no question.
   */
  async function namedPipeline(): Promise<NamedPipeline | null> {
    if (flags.pipeline !== undefined) return { ...flags.pipeline, inferredFrom: null }

    const fromVariable = variable(io, 'PIPELINE')
    if (fromVariable !== undefined) {
      const parsed = naming('BUILDWIRE_PIPELINE', () => parsePipelineReference(fromVariable))
      return { ...parsed, inferredFrom: 'BUILDWIRE_PIPELINE' }
    }

    const project = await context.project()
    const fromProject = project?.pipeline_slug
    if (project === null || fromProject === undefined) return null
    const parsed = naming(project.path, () => parsePipelineReference(fromProject))
    return {
      org_slug: parsed.org_slug ?? flags.org ?? project.org_slug,
      pipeline_slug: parsed.pipeline_slug,
      inferredFrom: project.path,
    }
  }

  /** The same pipeline with its organization. */
  async function withOrganization({
    org_slug,
    ...pipeline
  }: NamedPipeline): Promise<PipelineTarget> {
    return { ...pipeline, org_slug: org_slug ?? (await organization()).org_slug }
  }

  /**
   * The pipelines that build the repository here, by all its remotes; null where no remote, or no
   * organization, is known.
   */
  const pipelinesHere = once(async (): Promise<PipelinesHere | null> => {
    const remotes = await findRemotes(context.git)
    if (remotes.length === 0) return null
    const owner = await findOrganization()
    if (owner === null) return null
    const { org_slug } = owner
    return { org_slug, remotes, ...(await pipelinesOfRemotes(context, org_slug, remotes)) }
  })

  /** Why no git remote leads to a pipeline, and what would; null where that is not known. */
  async function whyNoPipelineHere(): Promise<Printable | null> {
    const here = await pipelinesHere()
    if (here?.pipelines?.length !== 0) return null
    const { org_slug, remotes, alike } = here
    const tried = remotes.map(({ name, location }) => `${location} (git remote ${name})`).join(', ')
    const [other] = alike
    const way =
      other === undefined
        ? say`Name one with -p`
        : say`${org_slug}/${other.slug} builds ${other.location}: name it with -p ${other.slug}`
    return say`No pipeline of ${org_slug} builds ${tried}. ${way}`
  }

  /**
   * The pipeline, or null when none is named or found. Asks a person only to choose among several
   * pipelines of one repository.
   */
  async function findPipeline(): Promise<PipelineTarget | null> {
    const typed = await namedPipeline()
    if (typed !== null) return withOrganization(typed)

    const { org_slug = '', pipelines } = (await pipelinesHere()) ?? {}
    const targets = (pipelines ?? []).map(({ slug, remote }: PipelineOfRemote): PipelineTarget => {
      return { org_slug, pipeline_slug: slug, inferredFrom: `git remote ${remote.name}` }
    })
    const [only, second] = targets
    if (only === undefined || second === undefined) return only ?? null

    const { pick } = await import('../io/picker.js')
    const question = {
      title: say`Several pipelines build this repository. Which one?`,
      missing: say`several pipelines build this repository; choose one with -p`,
      choices: targets.map((target) => context.again(['-p', reference(target)])),
    }
    return pick(io, context.noInput, question, async () =>
      targets.map((target) => ({
        label: say`${reference(target)} (${target.inferredFrom ?? ''})`,
        value: target,
      })),
    )
  }

  /** The pipeline; lets a person choose where none is found. */
  async function pipeline(): Promise<PipelineTarget> {
    const inferred = await findPipeline()
    if (inferred !== null) return inferred

    const reason = await whyNoPipelineHere()
    const question = {
      title: say`Which pipeline?`,
      missing: say`the pipeline is missing; use -p [ORG/]SLUG, BUILDWIRE_PIPELINE, or pipeline_slug in .buildwire.json`,
      lines: reason === null ? [] : [reason],
      hint: ['pipelines', 'list'],
    }
    const { pick } = await import('../io/picker.js')
    return pick(io, context.noInput, question, async () => {
      const { org_slug } = await organization()
      const ci = await context.ci()
      const listed = await ci.pipelines
        .list({ org_slug }, { signal: context.signal })
        .toArray({ limit: MAX_CHOICES })
      const slugs = listed.flatMap(({ slug }) => slug ?? [])
      return slugs.map((slug) => {
        return {
          label: say`${org_slug}/${slug}`,
          value: { org_slug, pipeline_slug: slug, inferredFrom: null },
        }
      })
    })
  }

  /** Whether a pipeline builds what is checked out here; true where the server does not tell. */
  async function isPipelineHere(target: PipelineTarget): Promise<boolean> {
    const { org_slug, pipeline_slug, inferredFrom } = target
    const isOfProject = inferredFrom !== null && inferredFrom === (await context.project())?.path
    if (isOfProject) return true

    const here = await pipelinesHere()
    if (here?.org_slug !== org_slug) return false
    return here.pipelines?.some(({ slug }) => slug === pipeline_slug) ?? true
  }

  return {
    findOrganization,
    organization,
    namedPipeline,
    withOrganization,
    pipelinesHere,
    whyNoPipelineHere,
    findPipeline,
    pipeline,
    isPipelineHere,
  }
}

/** The only organization that the token works in; null for several, or where none is listed. */
export async function onlyOrganization(context: TargetTools): Promise<OrganizationTarget | null> {
  const ci = await context.ci()
  const page = await ci.organizations
    .list({ per_page: 2 }, { signal: context.signal })
    .catch(unlessWithheld)
  const [only, second] = page?.items ?? []
  const isOnly = second === undefined && !page?.hasNext
  if (only?.slug === undefined || !isOnly) return null
  return { org_slug: only.slug, inferredFrom: 'your only organization' }
}
