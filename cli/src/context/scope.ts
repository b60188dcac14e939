import type { GlobalFlagValues } from '../flags/global.js'
import { usageError } from '../io/command-error.js'
import { type Printable, say } from '../io/printable.js'
import type { Context } from './context.js'
import { inferredText } from './create-target.js'

/** Whose builds are listed. */
export type BuildScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'organization'; readonly org_slug: string; readonly inferredFrom: string | null }
  | {
      readonly kind: 'pipeline'
      readonly org_slug: string
      readonly pipeline_slug: string
      readonly inferredFrom: string | null
    }

/** `--all-orgs`: all; `--org` alone: that organization; else the pipeline found, the organization, all. */
export async function buildScope(
  { target }: Context,
  flags: Pick<GlobalFlagValues, 'org' | 'pipeline'> & {
    readonly 'all-orgs'?: boolean | undefined
    readonly 'current-branch'?: boolean | undefined
  },
): Promise<BuildScope> {
  if (flags['all-orgs'] === true) {
    if (flags.org !== undefined || flags.pipeline !== undefined) {
      throw usageError(say`--all-orgs excludes --org and --pipeline`)
    }
    return { kind: 'all' }
  }
  if (flags.org !== undefined && flags.pipeline === undefined) {
    return { kind: 'organization', org_slug: flags.org, inferredFrom: null }
  }
  const pipeline = await target.findPipeline()
  if (pipeline !== null) return { kind: 'pipeline', ...pipeline }
  if (flags['current-branch'] === true) {
    throw usageError(say`no pipeline is known to build this repository; name it with -p [ORG/]SLUG`, {
      lines: [say`A branch of this name may be another one in every other pipeline`],
      hint: ['pipelines', 'list'],
    })
  }
  const organization = await target.findOrganization()
  return organization === null ? { kind: 'all' } : { kind: 'organization', ...organization }
}

/** What was inferred, for the note on stderr; null when all was typed. */
export function scopeText(scope: BuildScope): Printable | null {
  return scope.kind === 'all' ? null : inferredText(scope)
}

/** The page that lists these builds. */
export async function scopeUrl(context: Context, scope: BuildScope): Promise<string> {
  const { value } = (await context.settings()).webUrl
  if (scope.kind === 'all') return `${value}/`
  const path = scope.kind === 'pipeline' ? [scope.org_slug, scope.pipeline_slug] : [scope.org_slug]
  return [value, ...path.map(encodeURIComponent)].join('/')
}
