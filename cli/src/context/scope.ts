import type { GlobalFlagValues } from '../flags/global.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import type { Context } from './context.js'
import type { BuildScope } from './target.js'

/** `--all-orgs`: all; `--org` alone: that organization; else the pipeline found, the organization, all. */
export async function buildScope(
  { target }: Context,
  flags: Pick<GlobalFlagValues, 'org' | 'pipeline'> & {
    readonly 'all-orgs'?: boolean | undefined
    readonly 'current-branch'?: boolean | undefined
  },
): Promise<BuildScope> {
  if (flags['all-orgs'] === true) {
    if (flags.org === undefined && flags.pipeline === undefined) return { inferredFrom: null }
    throw usageError(say`--all-orgs excludes --org and --pipeline`)
  }
  if (flags.org !== undefined && flags.pipeline === undefined) return { org_slug: flags.org, inferredFrom: null }
  const pipeline = await target.findPipeline()
  if (pipeline !== null) return pipeline
  if (flags['current-branch'] === true) {
    throw usageError(say`no pipeline is known to build this repository; name it with -p [ORG/]SLUG`, {
      lines: [say`A branch of this name may be another one in every other pipeline`],
      hint: ['pipelines', 'list'],
    })
  }
  return (await target.findOrganization()) ?? { inferredFrom: null }
}

/** The page that lists these builds. */
export async function scopeUrl(context: Context, { org_slug, pipeline_slug }: BuildScope): Promise<string> {
  const { value } = (await context.settings()).webUrl
  const path = [org_slug, pipeline_slug].flatMap((slug) => (slug === undefined ? [] : encodeURIComponent(slug)))
  return `${value}/${path.join('/')}`
}
