import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import type { BuildTarget } from '../context/target.js'
import { tellError } from '../context/tell-error.js'
import { ExitRequest } from '../io/command-error.js'
import type { ErrorFacts } from '../io/error-report.js'
import { ExitCode } from '../io/exit-codes.js'
import { reference, say } from '../io/printable.js'
import { builds } from '../views/builds.js'

/** A write on one build, and the answer's `Date`. */
export type BuildWrite = (path: BuildTarget) => Promise<{ build: Build; date: string | null }>

/** How a write is told and confirmed. */
export interface WriteOptions {
  /** As in `Cancel acme/web#42?`. */
  readonly verb: string
  /** The value of `--yes`. */
  readonly yes: boolean | undefined
  /** Something else shows the build. */
  readonly isSilent?: boolean | undefined
}

/** What a write on several builds got. */
export interface WriteResult {
  readonly done: readonly { readonly path: BuildTarget; readonly build: Build }[]
}

/**
 * Writes to each named build, one after another and past errors; prints what it got. The exit code is that of the
 * failures when they agree, else 1.
 */
export async function eachTarget(
  context: Context,
  numbers: readonly string[] | undefined,
  { verb, yes, isSilent = false }: WriteOptions,
  write: BuildWrite,
): Promise<WriteResult> {
  const { out, target, io, redactor } = context
  if (numbers === undefined || numbers.length <= 1) {
    const path = await target.build(numbers?.[0], { ask: yes === true ? undefined : verb })
    const { build, date } = await write(path)
    if (!isSilent) await out.record(builds, build, { date })
    return { done: [{ path, build }] }
  }
  const manyPipelines = numbers.some((typed) => /[#/]./u.test(typed))
  const done: { path: BuildTarget; build: Build }[] = []
  const codes = new Set<number>()
  let last: string | null = null
  for (const number of numbers) {
    try {
      const path = await target.build(number)
      const { build, date } = await write(path)
      done.push({ path, build })
      last = date
      if (out.mode !== 'json' && out.mode !== 'table') await out.record(builds, build, { manyPipelines })
    } catch (error) {
      if (context.signal.aborted) throw error
      codes.add(await tellError(error, [], { io, redactor, context }))
    }
  }
  if (out.mode === 'json' || out.mode === 'table') {
    await out.records(
      builds,
      done.map(({ build }) => build),
      { date: last, manyPipelines },
    )
  }
  const [code] = codes
  if (code !== undefined) throw new ExitRequest(codes.size === 1 ? code : ExitCode.negative)
  return { done }
}

/** Runs a request that makes or starts something: a Ctrl-C meanwhile says that it may have happened. */
export async function hinted<T>(
  context: Context,
  path: NonNullable<ErrorFacts['pipeline']>,
  run: () => Promise<T>,
): Promise<T> {
  const { interrupts, command, target } = context
  target.known = path
  const branch = path.branch === undefined ? [] : ['-b', path.branch]
  const list = command(['builds', 'list', '-p', reference(path), ...branch, '-L', 5])
  interrupts.setHint(say`The build may exist: ${list}`)
  try {
    return await run()
  } finally {
    interrupts.setHint(null)
  }
}
