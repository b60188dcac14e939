import type { Context } from '../context/context.js'
import { reference, say } from '../io/printable.js'
import type { Written } from './each-target.js'

/** Flags of a write that makes or starts builds. */
interface AfterFlags {
  readonly web?: boolean | undefined
  readonly watch?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/** Whether a watch prints the builds itself at its end, as the only records of this run. */
export function printsAtEnd({ out }: Context): boolean {
  return out.mode === 'json' || out.mode === 'id'
}

/** Goes on with builds that were just made: their pages, then their outcomes, or their addresses for people. */
export async function afterMade(
  context: Context,
  { web, ...flags }: AfterFlags,
  made: readonly Written[],
  isMany = false,
): Promise<void> {
  if (web === true) for (const { build } of made) await context.openPage(build.web_url)
  if (flags.watch === true) return watchWritten(context, flags, made, isMany)
  if (context.out.mode !== 'table') return
  // Not every terminal shows links.
  const { safeUrl } = await import('../io/hyperlink.js')
  await context.out.lines(made.flatMap(({ build }) => safeUrl(build.web_url) ?? []).map((url) => say`  ${url}`))
}

/** Follows the builds that a write made or started, and exits by the worst outcome. `isMany`: several were named, whatever is left of them. */
export async function watchWritten(
  context: Context,
  { quiet }: Pick<AfterFlags, 'quiet'>,
  written: readonly Written[],
  isMany: boolean,
): Promise<void> {
  const { watch } = await import('../watch/watch-build.js')
  const targets = written.map(({ path, build }) => ({ ...path, number: build.number, first: build }))
  const each = new Map(targets.map((target) => [reference(target, target.number), target]))
  await watch(context, { targets: [...each.values()], isMany, compact: quiet })
}
