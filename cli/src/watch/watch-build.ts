import { isCiError, watchBuild } from '@buildwire/sdk'
import type { Build } from '@buildwire/sdk/contract'
import type { Context } from '../context.js'
import { CommandError, ExitRequest, OutputClosedError } from '../io/command-error.js'
import { isNonInteractive } from '../io/io.js'
import { type Printable, reference, say } from '../io/printable.js'
import { shown } from '../io/shown.js'
import type { BuildTarget } from '../target.js'
import { buildState } from '../views/build.js'
import { builds } from '../views/builds.js'
import { emptyWatch, reduceWatch, type WatchInput, type WatchModel } from './model.js'
import { tellNextSteps } from './next-steps.js'
import { outcomeExitCode, type Until, type WatchRules, waitRules } from './outcome.js'
import { choosePresenter } from './presenter.js'

/** What is watched, and until when. */
export interface WatchRequest {
  readonly target: BuildTarget
  readonly until?: Until | undefined
  readonly allowBlocked?: boolean | undefined
  readonly timeoutMs?: number | undefined
  readonly intervalMs?: number | undefined
  /** Leave the jobs out. */
  readonly compact?: boolean | undefined
  /** The record that a create, rebuild or retry has just answered. */
  readonly first?: Build | undefined
}

/** Whether a watch may draw: both streams are terminals of a fair size, and somebody is there who looks. */
function canDraw({ io, looks, out, notes, noInput }: Context): boolean {
  const isCi = ['CI', 'CONTINUOUS_INTEGRATION'].some((name) => {
    const value = io.env[name]
    return value !== undefined && value !== '0' && value !== 'false'
  })
  return (
    io.stdout.isTTY &&
    !isNonInteractive(io, noInput) &&
    !isCi &&
    !looks.plain &&
    io.env.TERM !== 'dumb' &&
    out.mode === 'table' &&
    notes.debugging === 'off' &&
    io.stdout.columns >= 40 &&
    io.stdout.rows >= 10
  )
}

/**
 * Watches a build to its outcome and prints what happens.
 *
 * @throws ExitRequest with the outcome's exit code where that is not 0; whatever ends the polling for good.
 */
export async function watch(context: Context, request: WatchRequest): Promise<void> {
  const { target, until = 'finished' } = request
  const rules: WatchRules = { until, allowBlocked: request.allowBlocked === true }
  const name = reference(target)
  const ref = reference(target, target.number)
  const resume = say`still running; resume: ${context.command(['builds', 'watch', ref])}`
  context.interrupts.setHint(resume)
  const draws = canDraw(context)
  const presenter = await choosePresenter(context, { pipeline: name, until, draws })
  let model: WatchModel = emptyWatch
  try {
    for await (const input of inputs(context, request, rules)) {
      model = await shown(() => reduceWatch(model, input, rules))
      await shown(() => presenter.show(model))
      if (model.outcome !== null) break
    }
  } catch (error) {
    if (error instanceof OutputClosedError) throw new ExitRequest(8)
    throw error
  } finally {
    await presenter.close()
  }
  context.interrupts.setHint(null)
  if (!context.out.machine) await shown(() => tellNextSteps(context, model, ref, draws))
  await finish(context, model, until, resume)
}

async function finish(context: Context, model: WatchModel, until: Until, resume: Printable): Promise<void> {
  const { build, outcome } = model
  const { out, notes } = context
  if (outcome === 'unknown' && build !== null) {
    notes.warn(say`the build ended in state ${JSON.stringify(buildState(build))}, which this version does not know`)
  }
  if (outcome === 'timeout' && build === null) throw new CommandError('not_finished', say`no answer came in time`)
  if (outcome === 'timeout' && !out.machine) notes.line(resume)
  if (build !== null && (out.mode === 'json' || out.mode === 'id')) await out.record(builds, build)
  const code = outcome === null ? 8 : outcomeExitCode(outcome, until)
  if (code !== 0) throw new ExitRequest(code)
}

/** What the SDK's watch yields, as steps of the model. */
async function* inputs(context: Context, request: WatchRequest, rules: WatchRules): AsyncGenerator<WatchInput> {
  const { clock, signal } = context
  const { target, compact, first, timeoutMs, intervalMs: pollIntervalMs } = request
  const ref = { ...target, exclude_jobs: compact === true }
  let read = first !== undefined
  try {
    const options = { ...waitRules(rules), first, timeoutMs, pollIntervalMs, signal }
    for await (const change of watchBuild(await context.ci(), ref, options)) {
      if (change.type === 'build') {
        read = true
        yield { kind: 'snapshot', at: change.at, build: change.build, delayMs: change.nextMs }
      } else if (change.type === 'trouble') {
        // Before anything was read, an error is the answer.
        if (!read) throw change.error
        const { code, message } = change.error
        yield { kind: 'trouble', at: clock.now(), code, message, delayMs: change.nextMs }
      } else if (change.type === 'finished' && change.outcome === 'timeout') {
        yield { kind: 'timeout', at: clock.now() }
      }
    }
  } catch (error) {
    if (timeoutMs === undefined || read || !isCiError(error, 'timeout') || error.kind !== 'total') throw error
    yield { kind: 'timeout', at: clock.now() }
  }
}
