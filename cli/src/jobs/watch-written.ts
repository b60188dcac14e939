import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import type { BuildTarget } from '../context/target.js'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'

/** Refuses `--watch` for several builds, before anything is sent. */
export function oneToWatch(watch: boolean | undefined, numbers: readonly string[] | undefined): void {
  if (watch === true && (numbers?.length ?? 0) > 1) throw usageError(say`--watch follows one build; name one NUMBER`)
}

/** Whether a watch prints the build itself at its end, as the only record of this run. */
export function printsAtEnd({ out }: Context): boolean {
  return out.mode === 'json' || out.mode === 'id'
}

/** The addresses of builds that were just made, for people: not every terminal shows links. */
export async function tellAddresses({ out }: Context, made: readonly Build[]): Promise<void> {
  if (out.mode !== 'table') return
  const { safeUrl } = await import('../io/hyperlink.js')
  await out.lines(made.flatMap(({ web_url }) => safeUrl(web_url) ?? []).map((url) => say`  ${url}`))
}

/** Follows the build that a write made or started, and exits by its outcome. */
export async function watchWritten(
  context: Context,
  done: readonly { readonly path: BuildTarget; readonly build: Build }[],
  quiet: boolean | undefined,
): Promise<void> {
  const [only] = done
  if (only === undefined) return
  const { watch } = await import('../watch/watch-build.js')
  const target = { ...only.path, number: only.build.number }
  await watch(context, { targets: [target], first: only.build, compact: quiet })
}
