import type { PipelinePath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import type { GlobalFlagValues } from '../flags/global.js'
import { CommandError, usageError } from '../io/command-error.js'
import { once } from '../io/once.js'
import { reference, say } from '../io/printable.js'

/** The organization and the pipeline that an input names. */
export interface PipelineInput {
  readonly org_slug?: string | undefined
  readonly pipeline_slug?: string | undefined
}

/** A part of a path without escapes, and not a dot segment. */
const PLAIN_STEP = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/u

/**
 * Resolves the organization and the pipeline of a call: those that `--org` and `--pipeline` pin,
 * or any without these flags. An input cannot leave the pinned ones.
 */
export type Reach = ReturnType<typeof reachOf>

function unlessChoice(error: unknown): null {
  if (error instanceof CommandError && error.choices.length > 0) return null
  throw error
}

/** @throws CommandError `usage` for flags that name two organizations. */
export function reachOf(
  { settings, target }: Context,
  { org, pipeline }: Pick<GlobalFlagValues, 'org' | 'pipeline'>,
) {
  const owner = pipeline?.org_slug ?? org
  if (org !== undefined && owner !== org)
    throw usageError(say`--org and --pipeline name two organizations`)
  const pinnedPath = { org_slug: owner ?? null, pipeline_slug: pipeline?.pipeline_slug ?? null }
  const pin = owner === undefined && pipeline === undefined ? null : reference(pinnedPath)
  // The organization of `-p SLUG` is resolved once, and then pinned like the pipeline.
  const pinned = once(
    async (): Promise<PipelineInput> =>
      pipeline === undefined ? { org_slug: org } : await target.pipeline(),
  )

  async function defaultOrganization(): Promise<string> {
    const found = (await target.findOrganization()) ?? (await target.onlyOrganization())
    if (found !== null) return found.org_slug
    throw usageError(say`no organization is named`, {
      lines: [say`Name it with org_slug`],
      hint: ['organizations', 'list'],
    })
  }

  /** The scope of a list: a pipeline, else an organization, else everything. */
  async function listScope(input: PipelineInput): Promise<PipelineInput> {
    const pinnedInput = await pinned()
    for (const key of ['org_slug', 'pipeline_slug'] as const) {
      const named = input[key]
      const pinnedSlug = pinnedInput[key]
      const isFree = pinnedSlug === undefined || named === undefined
      if (isFree || named === pinnedSlug) continue
      throw new CommandError('forbidden', say`${JSON.stringify(named)} cannot be reached`, {
        lines: [say`This server was started for ${pin ?? ''} only; leave ${key} out`],
      })
    }
    const org_slug = pinnedInput.org_slug ?? input.org_slug
    const pipeline_slug = pinnedInput.pipeline_slug ?? input.pipeline_slug
    if (pipeline_slug !== undefined) {
      return { org_slug: org_slug ?? (await defaultOrganization()), pipeline_slug }
    }
    if (input.org_slug !== undefined) return { org_slug }
    // Where several pipelines build the repository of the directory, none is the default.
    const ofDirectory = await target.findPipeline().catch(unlessChoice)
    const isInScope = org_slug === undefined || ofDirectory?.org_slug === org_slug
    if (ofDirectory !== null && isInScope) return ofDirectory
    return { org_slug: org_slug ?? (await target.findOrganization())?.org_slug }
  }

  /**
   * Whether a URL of the API is below the pin; any is without one. A path with characters that a
   * server could read as another path is not.
   */
  async function contains(url: string): Promise<boolean> {
    if (pin === null) return true
    const { org_slug, pipeline_slug } = await pinned()
    const path = [
      '/v2/organizations',
      org_slug,
      ...(pipeline_slug ? ['pipelines', pipeline_slug] : []),
    ]
    const root = new URL((await settings()).baseUrl.value.replace(/\/$/u, '') + path.join('/'))
    const asked = URL.canParse(url) ? new URL(url) : null
    if (asked === null || asked.origin !== root.origin) return false
    if (asked.pathname === root.pathname) return true
    const steps = asked.pathname.slice(root.pathname.length + 1).split('/')
    const isBelow = asked.pathname.startsWith(`${root.pathname}/`)
    return isBelow && steps.every((step) => PLAIN_STEP.test(step))
  }

  return {
    /** The pin in words; null without one. */
    pin,
    /** The organization and the pipeline of the pin, as far as it has them. */
    pinned,
    listScope,
    /** The organization of an input: the pinned one, the one that it names, or the default. */
    async organization(input: PipelineInput): Promise<string> {
      return (await listScope(input)).org_slug ?? (await defaultOrganization())
    },
    contains,
    /**
     * The pipeline of an input: the pinned one, the one that it names, or the one of this
     * directory.
     */
    async pipeline(input: PipelineInput): Promise<PipelinePath> {
      const { org_slug, pipeline_slug } = await listScope(input)
      if (org_slug !== undefined && pipeline_slug !== undefined) return { org_slug, pipeline_slug }
      throw usageError(say`no pipeline is named`, {
        lines: [say`Name it with org_slug and pipeline_slug`],
        hint: ['pipelines', 'list', ...(org_slug === undefined ? [] : ['--org', org_slug])],
      })
    },
  }
}
