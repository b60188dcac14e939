import type { CiClient } from '../client/client.js'
import type { Build, BuildPath } from '../contract/schemas.gen.js'
import { isCiError } from '../errors/errors.js'
import type { CallOptions } from '../http/client-options.js'
import type { SummaryAnnotation, SummaryBefore, SummaryBuildRef } from './failure-summary.js'
import { htmlText, textOf, textsOf } from './text.js'

const searched = 100

/**
 * What earlier builds of the branch say: the last that passed, the first that failed after it.
 * `fails`: this one does, or will.
 */
export async function failuresBefore(
  ci: CiClient,
  { org_slug, pipeline_slug }: BuildPath,
  { build, fails }: { build: Build; fails: boolean },
  options: CallOptions,
): Promise<SummaryBefore | null> {
  const branch = textOf(build.branch)
  if (branch === null) return null
  const created_to = textOf(build.created_at) ?? undefined
  const filter = {
    branch,
    created_to,
    per_page: searched,
    exclude_jobs: true,
    exclude_pipeline: true,
  }
  const call = { ...options, anchored: false }
  try {
    const page = await ci.builds.listForPipeline({ org_slug, pipeline_slug, ...filter }, call)
    return compare(
      { build, fails },
      page.items.filter(({ number }) => number < build.number),
    )
  } catch (error) {
    // Without this list the answer is smaller, and no less true.
    if (!isCiError(error)) throw error
    return null
  }
}

/**
 * The first later build of the branch that passed; null when none did, or the list could not be
 * read. A build that waits for a person counts if all jobs before that passed.
 */
export async function passedAfter(
  ci: CiClient,
  { org_slug, pipeline_slug }: BuildPath,
  build: Build,
  options: CallOptions,
): Promise<SummaryBuildRef | null> {
  const branch = textOf(build.branch)
  const created_from = textOf(build.created_at)
  if (branch === null || created_from === null) return null
  const filter = { branch, created_from, state: ['passed', 'blocked'] as const }
  const query = { ...filter, per_page: searched, exclude_jobs: true, exclude_pipeline: true }
  const call = { ...options, anchored: false }
  try {
    const page = await ci.builds.listForPipeline({ org_slug, pipeline_slug, ...query }, call)
    const first = page.items.findLast(
      ({ number, state }) => number > build.number && state === 'passed',
    )
    return buildRef(first)
  } catch (error) {
    if (!isCiError(error)) throw error
    return null
  }
}

/** Compares a build with those before it, newest first. */
function compare(
  { build, fails }: { build: Build; fails: boolean },
  earlier: readonly Build[],
): SummaryBefore {
  const passed = earlier.findIndex(({ state }) => state === 'passed')
  const since = passed === -1 ? earlier : earlier.slice(0, passed)
  const first = since.findLast(({ state }) => state === 'failed' || state === 'failing')
  return {
    last_passed: buildRef(earlier[passed]),
    builds_since: since.length + 1,
    first_failed: buildRef(first ?? (fails ? build : undefined)),
    searched: earlier.length,
  }
}

/** A build, in short. */
export function buildRef(build: Build): SummaryBuildRef
export function buildRef(build: Build | undefined): SummaryBuildRef | null
export function buildRef(build: Build | undefined): SummaryBuildRef | null {
  if (build === undefined) return null
  return { number: build.number, ...textsOf(build, 'commit', 'created_at', 'web_url') }
}

/** Notes longer than this are cut before anybody reads them, in UTF-16 units. */
const longestNote = 40_000

/**
 * The notes of style error and warning, errors first; null when there are some that could not be
 * read.
 */
export async function notesOf(
  ci: CiClient,
  path: BuildPath,
  options: CallOptions,
): Promise<SummaryAnnotation[] | null> {
  try {
    const page = await ci.annotations.list({ ...path, per_page: 100 }, options)
    const notes = page.items.flatMap(({ style, context, body_html }): SummaryAnnotation[] => {
      const loud = (['error', 'warning'] as const).find((word) => word === style)
      const text = htmlText((textOf(body_html) ?? '').slice(0, longestNote))
      return loud === undefined || text === ''
        ? []
        : [{ style: loud, context: textOf(context), text }]
    })
    return [
      ...notes.filter(({ style }) => style === 'error'),
      ...notes.filter(({ style }) => style === 'warning'),
    ]
  } catch (error) {
    if (!isCiError(error)) throw error
    // A service without annotations, or a token that may not read them, has none.
    const absent =
      error.code === 'not_found' ||
      error.code === 'forbidden' ||
      error.code === 'insufficient_scope'
    return absent ? [] : null
  }
}
