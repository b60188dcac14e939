import type { Build, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { failuresOf } from '../context/errors/report.js'
import { usageError } from '../io/command-error.js'
import type { RunFacts } from '../io/error-report.js'
import { reference, say } from '../io/printable.js'
import type { ApiResult } from '../views/print.js'
import { builds } from '../views/records.js'

interface WrittenBuild {
  readonly path: BuildPath
  readonly build: Build
}

interface AfterFlags {
  readonly web?: boolean | undefined
  readonly watch?: boolean | undefined
  readonly quiet?: boolean | undefined
  /** Milliseconds of the watch. */
  readonly timeout?: number | undefined
}

interface WriteOptions extends AfterFlags {
  /** As in `Cancel acme/web#42?`. */
  readonly verb: string
  /** The build in the answer: as it is now, or as it was before its jobs were retried. */
  readonly schema?: 'Build' | 'RetriedBuild'
  readonly yes?: boolean | undefined
  /** The answer is a new build. */
  readonly makes?: boolean
}

/**
 * Writes to the named builds one after another and continues after an error. Prints each answer,
 * then opens or watches the builds as the flags say.
 */
export async function eachTarget(
  context: Context,
  numbers: readonly string[] = [],
  { verb, schema = 'Build', yes, makes = false, ...flags }: WriteOptions,
  write: (path: BuildPath) => Promise<ApiResult<Build>>,
): Promise<void> {
  const { out, target } = context
  checkAfterFlags(flags)
  const kind = { ...builds, schema }
  const isMany = numbers.length > 1
  const manyPipelines = isMany && numbers.some((typed) => /[#/]./u.test(typed))
  const atEnd = isMany && (out.mode === 'json' || out.mode === 'table')
  // The watch prints these builds itself.
  const isSilent = flags.watch === true && (schema === 'RetriedBuild' || printsAtEnd(context))
  const done: WrittenBuild[] = []
  const failures = failuresOf(context, isMany)
  let date: string | null = null
  for (const number of isMany ? numbers : [numbers[0]]) {
    try {
      const path = await target.build(number, { ask: yes === true ? undefined : verb })
      const { data: build, response } = await write(path)
      done.push({ path, build })
      date = response.headers.get('date')
      if (!isSilent && !atEnd) await out.record(kind, build, { date, manyPipelines })
    } catch (error) {
      await failures.report(error)
    }
  }
  if (atEnd && (!isSilent || done.length === 0)) {
    const written = done.map(({ build }) => build)
    await out.records(kind, written, { date, manyPipelines })
  }
  try {
    if (done.length > 0 && (makes || flags.watch === true))
      await afterMade(context, flags, done, isMany)
  } catch (error) {
    await failures.report(error)
  }
  failures.end()
}

/**
 * Runs a request that makes or starts something. A Ctrl-C before its answer prints that the build
 * may exist.
 */
export async function hinted<T>(
  context: Context,
  path: NonNullable<RunFacts['pipeline']>,
  call: Parameters<typeof context.ask<T>>[0],
): Promise<ApiResult<T>> {
  const { interrupts, command, target } = context
  target.setPipelineOfRun(path)
  const branch = path.branch === undefined ? [] : ['-b', path.branch]
  const list = command(['builds', 'list', '-p', reference(path), ...branch, '-L', 5])
  // Requests that set up the client start no build, so they run before the hint is set.
  await context.ci()
  interrupts.setHint(say`The build may exist: ${list}`)
  try {
    return await context.ask(call)
  } finally {
    interrupts.setHint(null)
  }
}

/** @throws CommandError before anything is sent, for a flag that would be ignored. */
export function checkAfterFlags({ watch, timeout }: AfterFlags): void {
  if (timeout !== undefined && watch !== true)
    throw usageError(say`--timeout ends a watch: use --watch too`)
}

/** Whether a watch prints the builds itself at its end, as the only records of this run. */
export function printsAtEnd({ out }: Context): boolean {
  return out.mode === 'json' || out.mode === 'id'
}

/**
 * Opens the pages of builds that were just made or started, then watches them. Without `watch` it
 * prints their addresses for people.
 */
export async function afterMade(
  context: Context,
  { web, watch: follows, quiet, timeout }: AfterFlags,
  written: readonly WrittenBuild[],
  isMany = false,
): Promise<void> {
  if (web === true) for (const { build } of written) await context.openPage(build.web_url)
  if (follows === true) {
    const { watch } = await import('../watch/watch-build.js')
    const targets = written.map(({ path, build }) => ({
      ...path,
      number: build.number,
      first: build,
    }))
    return watch(context, { targets, isMany, compact: quiet, timeoutMs: timeout })
  }
  if (context.out.mode !== 'table') return
  // The address is a line of text, because not every terminal shows links.
  const { safeUrl } = await import('../io/hyperlink.js')
  await context.out.lines(
    written.flatMap(({ build }) => safeUrl(build.web_url) ?? []).map((url) => say`  ${url}`),
  )
}
