import type { Build, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { failuresOf } from '../context/errors.js'
import type { ErrorFacts } from '../io/error-report.js'
import { reference, say } from '../io/printable.js'
import type { SchemaName } from '../views/fields.js'
import type { Answer } from '../views/print.js'
import { builds } from '../views/records.js'

export interface Written {
  readonly path: BuildPath
  readonly build: Build
}

export interface WriteOptions {
  /** As in `Cancel acme/web#42?`. */
  readonly verb: string
  /** What of the contract it answers; a Build, unless it says more. */
  readonly schema?: SchemaName | undefined
  readonly yes: boolean | undefined
  /** Something else shows the builds. */
  readonly isSilent?: boolean | undefined
  /** What is done with those that were written to; `isMany`: several were named. */
  readonly goOn?: ((done: readonly Written[], isMany: boolean) => Promise<void>) | undefined
}

/**
 * Writes to each named build, one after another and past errors; prints what it got, and goes on with it. The exit code
 * is that of the failures when they agree, else 1.
 */
export async function eachTarget(
  context: Context,
  numbers: readonly string[] = [],
  { verb, schema = 'Build', yes, isSilent = false, goOn }: WriteOptions,
  write: (path: BuildPath) => Promise<Answer<Build>>,
): Promise<void> {
  const { out, target } = context
  const kind = { ...builds, schema }
  const isMany = numbers.length > 1
  const manyPipelines = isMany && numbers.some((typed) => /[#/]./u.test(typed))
  const atEnd = isMany && (out.mode === 'json' || out.mode === 'table')
  const done: Written[] = []
  const failures = failuresOf(context)
  let date: string | null = null
  for (const number of isMany ? numbers : [numbers[0]]) {
    try {
      const path = await target.build(number, { ask: yes === true ? undefined : verb })
      const { data: build, response } = await write(path)
      done.push({ path, build })
      date = response.headers.get('date')
      if (!isSilent && !atEnd) await out.record(kind, build, { date, manyPipelines })
    } catch (error) {
      if (!isMany) throw error
      await failures.tell(error)
    }
  }
  if (atEnd && (!isSilent || done.length === 0)) {
    const written = done.map(({ build }) => build)
    await out.records(kind, written, { date, manyPipelines })
  }
  try {
    if (done.length > 0) await goOn?.(done, isMany)
  } catch (error) {
    if (!isMany) throw error
    await failures.tell(error)
  }
  failures.end()
}

/** Runs a request that makes or starts something: a Ctrl-C meanwhile says that it may have happened. */
export async function hinted<T>(
  context: Context,
  path: NonNullable<ErrorFacts['pipeline']>,
  call: Parameters<typeof context.ask<T>>[0],
): Promise<Answer<T>> {
  const { interrupts, command, target } = context
  target.known = path
  const branch = path.branch === undefined ? [] : ['-b', path.branch]
  const list = command(['builds', 'list', '-p', reference(path), ...branch, '-L', 5])
  await context.ci() // what is read for the client starts nothing
  interrupts.setHint(say`The build may exist: ${list}`)
  try {
    return await context.ask(call)
  } finally {
    interrupts.setHint(null)
  }
}

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
