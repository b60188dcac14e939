import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context.js'
import type { BuildTarget } from '../target.js'
import { watchBuild } from './watch-build.js'

/** What has just been written. */
export interface AfterWrite {
  readonly write: 'create' | 'rebuild' | 'retry'
  /** The record that the server answered: the first that the watch shows. */
  readonly build?: Build | undefined
}

/**
 * Follows the build that a create, rebuild or retry has made or started, and exits by its outcome.
 *
 * @throws ExitRequest with the outcome's exit code where that is not 0.
 */
export async function watchAfterWrite(
  context: Context,
  target: BuildTarget,
  { write, build }: AfterWrite,
): Promise<void> {
  await watchBuild(context, { target, first: build, afterRetry: write === 'retry' })
}
