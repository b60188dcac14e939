import type { PipelinePath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import type { GlobalFlagValues } from '../flags/global.js'
import { CommandError, usageError } from '../io/command-error.js'
import { once } from '../io/once.js'
import { reference, say } from '../io/printable.js'

/** What an input says about its place. */
export interface Place {
  readonly org_slug?: string | undefined
  readonly pipeline_slug?: string | undefined
}

/**
 * What can be reached: everything, or what `--org` and `--pipeline` pin; no input leads away from
 * that.
 */
export type Reach = ReturnType<typeof reachOf>

/** @throws CommandError `usage` for flags that name two organizations. */
export function reachOf(
  { target }: Context,
  { org, pipeline }: Pick<GlobalFlagValues, 'org' | 'pipeline'>,
) {
  const owner = pipeline?.org_slug ?? org
  if (org !== undefined && owner !== org)
    throw usageError(say`--org and --pipeline name two organizations`)
  const flags = { org_slug: owner ?? null, pipeline_slug: pipeline?.pipeline_slug ?? null }
  const pin = owner === undefined && pipeline === undefined ? null : reference(flags)
  // The organization that -p leaves out is as fixed as the pipeline.
  const pinned = once(
    async (): Promise<Place> =>
      pipeline === undefined ? { org_slug: org } : await target.pipeline(),
  )

  /** What a list is about: a pipeline, else an organization, else everything. */
  async function widest(input: Place): Promise<Place> {
    const fixed = await pinned()
    for (const key of ['org_slug', 'pipeline_slug'] as const) {
      const named = input[key]
      if (fixed[key] === undefined || named === undefined || named === fixed[key]) continue
      throw new CommandError('forbidden', say`${JSON.stringify(named)} cannot be reached`, {
        lines: [say`This server was started for ${pin ?? ''} alone; leave ${key} out`],
      })
    }
    const org_slug = fixed.org_slug ?? input.org_slug
    const pipeline_slug = fixed.pipeline_slug ?? input.pipeline_slug
    if (pipeline_slug !== undefined) {
      return { org_slug: org_slug ?? (await target.organization()).org_slug, pipeline_slug }
    }
    if (input.org_slug !== undefined) return { org_slug }
    const found = await target.findPipeline()
    if (found !== null && (org_slug === undefined || found.org_slug === org_slug)) return found
    return { org_slug: org_slug ?? (await target.findOrganization())?.org_slug }
  }

  return {
    /** The pin in words; null without one. */
    pin,
    widest,
    /**
     * The pipeline that an input means: the pinned one, the one that it names, or the one of this
     * directory.
     */
    async pipeline(input: Place): Promise<PipelinePath> {
      const { org_slug, pipeline_slug } = await widest(input)
      if (org_slug !== undefined && pipeline_slug !== undefined) return { org_slug, pipeline_slug }
      throw usageError(say`no pipeline is named`, {
        lines: [say`Name it with org_slug and pipeline_slug`],
        hint: ['pipelines', 'list', ...(org_slug === undefined ? [] : ['--org', org_slug])],
      })
    },
  }
}
