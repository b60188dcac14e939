import type { Build, GetBuildParams } from '../contract/schemas.gen.js'
import type { WaitOutcome } from '../resources/build-outcome.js'
import type { CiClient } from './client.js'
import { type WatchOptions, watchBuild } from './watch-build.js'

/** How to wait: as {@link WatchOptions}. */
export type WaitOptions = WatchOptions

/**
 * The last value of {@link watchBuild}: waits until a build is over, or until what `until` names. Jobs are left out unless you ask
 * for them.
 *
 * @returns The outcome and the build as last read; outcome `timeout` when `timeoutMs` is over.
 * @throws As {@link watchBuild}.
 * @example
 * ```ts
 * const { outcome, build } = await waitForBuild(ci, { org_slug: 'acme', pipeline_slug: 'web', number: 42 })
 * if (outcome !== 'passed') console.error(`${build.web_url} ${outcome}`)
 * ```
 */
export async function waitForBuild(
  ci: CiClient,
  params: GetBuildParams,
  options: WaitOptions = {},
): Promise<{ outcome: WaitOutcome; build: Build }> {
  const ref = params && { exclude_jobs: true, ...params }
  for await (const change of watchBuild(ci, ref, options)) {
    if (change.type === 'finished') return { outcome: change.outcome, build: change.build }
  }
  throw new Error('a watch ends with its outcome or an error')
}
