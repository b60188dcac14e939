import { isCiError } from '@buildwire/sdk'
import type { GlobalFlagValues } from '../flags/global.js'
import { type BuildReference, parseBuildReference, parsePipelineReference, parseTestUrl } from '../flags/number.js'
import { usageError } from '../io/command-error.js'
import type { ErrorFacts } from '../io/error-report.js'
import { variable } from '../io/io.js'
import { once } from '../io/once.js'
import { blank, joined, type Printable, reference, say } from '../io/printable.js'
import { buildState } from '../views/build.js'
import type { Context } from './context.js'
import { currentBranch } from './git/git.js'
import { pipelinesOfRemotes } from './git/inference.js'
import { findRemotes } from './git/remote.js'
import { askToWrite, newestBuild } from './newest-build.js'
import type {
  BuildOptions,
  BuildTarget,
  DefaultTarget,
  NamedPipeline,
  OrganizationTarget,
  PipelineOfRemote,
  PipelinesHere,
  PipelineTarget,
  Target,
} from './target.js'

/** The targets of one run. */
export function createTarget(context: Context, flags: GlobalFlagValues): Target {
  const { io, notes } = context
  let told = false
  let known: ErrorFacts['pipeline'] = null

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

  const pipelinesHere = once(lookHere)

  async function lookHere(): Promise<PipelinesHere | null> {
    const remotes = await findRemotes(context.git)
    const found = remotes.length === 0 ? null : await findOrganization()
    if (found === null) return null
    const { org_slug } = found
    return { org_slug, found: await pipelinesOfRemotes(context, org_slug, remotes) }
  }

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
      all.map((value) => ({ label: say`${reference(value)} (${value.inferredFrom ?? ''})`, value })),
    )
  }

  async function isPipelineHere({ org_slug, pipeline_slug, inferredFrom }: PipelineTarget): Promise<boolean> {
    if (inferredFrom !== null && inferredFrom === (await context.project())?.path) return true
    const checkout = await pipelinesHere()
    if (checkout === null || checkout.org_slug !== org_slug) return false
    return checkout.found === null || checkout.found.some(({ slug }) => slug === pipeline_slug)
  }

  async function defaults(branch?: string): Promise<DefaultTarget> {
    const home = await pipeline()
    if (branch !== undefined) return { ...home, branch, isHere: false }
    const isHere = await isPipelineHere(home)
    return { ...home, isHere, branch: (isHere ? await currentBranch(context.git) : null) ?? undefined }
  }

  async function newestOf({ branch, ask, states }: BuildOptions): Promise<BuildTarget> {
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
      const of = home.branch === undefined ? blank : say` of ${home.branch}`
      const from = home.inferredFrom === null ? blank : say` (${home.inferredFrom})`
      told = true
      notes.note(
        joined([
          say`${reference(home, number)}, the newest${states === undefined ? '' : ` ${buildState(build)}`} build`,
          of,
          from,
        ]),
      )
    }
    return { org_slug, pipeline_slug, number }
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
    const { pick } = await import('../io/picker.js')
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
    defaults,
    async build(typed, { branch, ...options } = {}) {
      if (typed === undefined) return newestOf({ branch, ...options })
      const isUrl = /^https?:\/\//iu.test(typed)
      const settings = isUrl ? await context.settings() : null
      const bases = settings === null ? null : { baseUrl: settings.baseUrl.value, webUrl: settings.webUrl.value }
      return resolveReference(parseBuildReference(typed, bases), branch)
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
    set known(found) {
      known = found
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
