import { isCiError, watchBuild } from '@buildwire/sdk'
import type { Build, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { reportFailure } from '../context/errors/report.js'
import { CommandError, ExitRequest, OutputClosedError } from '../io/command-error.js'
import { emojify } from '../io/emoji.js'
import { ExitCode } from '../io/exit-codes.js'
import { safeUrl } from '../io/hyperlink.js'
import { isNonInteractive } from '../io/io.js'
import { reference, say } from '../io/printable.js'
import { buildState } from '../views/build.js'
import { type NextStep, stepLines } from '../views/facts.js'
import { isFailedJob, isUnblockable, jobTitle } from '../views/job.js'
import { unblockWords } from '../views/match-jobs.js'
import { shown } from '../views/print.js'
import { builds } from '../views/records.js'
import { emptyWatch, reduceWatch, type WatchChange, type WatchModel } from './model.js'
import { outcomeExitCode, type Until, waitRules, worstExitCode } from './outcome.js'
import { choosePresenter } from './presenter.js'

interface WatchRequest {
  /** A build that occurs twice is watched once. */
  readonly targets: readonly WatchTarget[]
  /** Records are printed as a list; default: true for several builds. */
  readonly isMany?: boolean | undefined
  readonly until?: Until | undefined
  /** Continue while a build waits for a person. */
  readonly allowBlocked?: boolean | undefined
  readonly timeoutMs?: number | undefined
  readonly intervalMs?: number | undefined
  readonly compact?: boolean | undefined
}

/** A build, and its record if a create, rebuild or retry has just returned it. */
interface WatchTarget extends BuildPath {
  readonly first?: Build | undefined
}

/** The end of the watch of one build; `error` is the error that ended it, else null. */
interface WatchResult {
  readonly model: WatchModel
  readonly error: unknown
}

/**
 * Whether a watch may draw: the output is a table on a terminal of ten rows or more, and the run is
 * interactive.
 */
function canDraw({ io, out, noInput, redraws }: Context): boolean {
  return (
    redraws &&
    out.mode === 'table' &&
    io.stdout.isTTY &&
    io.stdout.rows >= 10 &&
    !isNonInteractive(io, noInput)
  )
}

/**
 * Watches builds to their outcomes and prints their changes. With several builds an error ends the
 * watch of its build only, and under `--until failing` the first failure ends all.
 *
 * @throws ExitRequest with the worst exit code if it is not 0. With a single build, the error that
 * ended its watch.
 */
export async function watch(context: Context, request: WatchRequest): Promise<void> {
  const { clock, interrupts } = context
  const byRef = new Map(request.targets.map((target) => [reference(target, target.number), target]))
  const refs = [...byRef.keys()]
  const targets = [...byRef.values()]
  const { until = 'finished', isMany = targets.length > 1 } = request
  const resume = (names: readonly string[]) =>
    say`still running; resume: ${context.command(['builds', 'watch', ...names])}`
  interrupts.setHint(resume(refs))
  const draws = canDraw(context)
  const presenter = await choosePresenter(context, refs, until, draws)

  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const follow = async (target: WatchTarget, at: number): Promise<WatchResult> => {
    let model = emptyWatch(refs[at] ?? '')
    try {
      for await (const change of changes(context, request, target, signal)) {
        model = await shown(() => reduceWatch(model, change, clock.now()))
        await shown(() => presenter.show(model))
        if (model.outcome !== null) break
      }
      const hasFailed = model.outcome === 'failing' || model.outcome === 'failed'
      if (until === 'failing' && hasFailed) stop.abort()
      return { model, error: null }
    } catch (error) {
      const isInterrupted = context.signal.aborted || error instanceof OutputClosedError
      if (targets.length === 1 || isInterrupted) throw error
      return { model, error: stop.signal.aborted ? null : error }
    }
  }

  let results: readonly WatchResult[]
  try {
    results = await Promise.all(targets.map(follow))
  } catch (error) {
    throw error instanceof OutputClosedError ? new ExitRequest(8) : error
  } finally {
    stop.abort()
    await presenter.close()
  }
  interrupts.setHint(null)

  const unfinished = results.flatMap(({ model }) =>
    model.outcome === 'timeout' && model.build !== null ? [model.ref] : [],
  )
  if (unfinished.length > 0 && !context.out.machine) context.notes.line(resume(unfinished))
  await printBuilds(context, results, isMany)

  const codes: number[] = []
  for (const result of results) {
    codes.push(await conclude(context, result, until, draws, targets.length > 1))
  }
  const [only] = targets
  const [result] = results
  const hasEnded = codes[0] === ExitCode.negative || result?.model.outcome === 'passed'
  if (targets.length === 1 && only !== undefined && hasEnded) {
    const { unstableText } = await import('./unstable.js')
    const { first: _, ...path } = only
    const unstable = await unstableText(context, path, result?.model.build)
    if (unstable !== null && draws) await context.out.lines([say`  ${unstable}`])
    else if (unstable !== null) context.notes.line(unstable)
  }
  const code = worstExitCode(codes)
  if (code !== 0) throw new ExitRequest(code)
}

/** Prints the builds as last read, for `--json` and `-o id`. */
async function printBuilds(
  { out }: Context,
  results: readonly WatchResult[],
  isMany: boolean,
): Promise<void> {
  if (out.mode !== 'json' && out.mode !== 'id') return
  const lastRead = results.flatMap(({ model }) => model.build ?? [])
  if (isMany) return out.records(builds, lastRead, { manyPipelines: true })
  for (const build of lastRead) await out.record(builds, build)
}

/** Prints the error, warning or next steps of a build, and returns its exit code. */
async function conclude(
  context: Context,
  { model, error }: WatchResult,
  until: Until,
  draws: boolean,
  isMany: boolean,
): Promise<number> {
  const { out, notes } = context
  const { build, outcome, ref } = model
  if (error !== null) return reportFailure(context, error)
  if (outcome === 'timeout' && build === null) {
    const message = say`no response in time${isMany ? ` for ${ref}` : ''}`
    const noAnswer = new CommandError('not_finished', message)
    if (!isMany) throw noAnswer
    return reportFailure(context, noAnswer)
  }
  if (outcome === 'unknown' && build !== null) {
    const name = isMany ? `build ${ref}` : 'the build'
    notes.warn(
      say`${name} ended in state ${JSON.stringify(buildState(build))}, which this version does not know`,
    )
  }
  const isOnePassed = isMany && outcome === 'passed'
  if (!out.machine && !isOnePassed) await printNextSteps(context, model, draws)
  return outcomeExitCode(outcome, until)
}

/** The changes of the SDK's watch. An error before the first answer is thrown, not yielded. */
async function* changes(
  context: Context,
  {
    compact,
    timeoutMs,
    intervalMs: pollIntervalMs,
    until = 'finished',
    allowBlocked = false,
  }: WatchRequest,
  { first, ...target }: WatchTarget,
  signal: AbortSignal,
): AsyncGenerator<WatchChange> {
  let isRead = first !== undefined
  try {
    const options = { ...waitRules(until, allowBlocked), first, timeoutMs, pollIntervalMs, signal }
    const params = { ...target, exclude_jobs: compact === true }
    for await (const change of watchBuild(await context.ci(), params, options)) {
      if (change.type === 'trouble' && !isRead) throw change.error
      isRead = true
      yield change
    }
  } catch (error) {
    const isTotalTimeout = isCiError(error, 'timeout') && error.kind === 'total'
    if (timeoutMs === undefined || isRead || !isTotalTimeout) throw error
    yield { type: 'finished', outcome: 'timeout' }
  }
}

const MAX_BLOCKED_JOBS = 3

/**
 * Prints the next commands for a build after its watch. Below a frame the build's address comes
 * first; plain lines contain it already.
 */
async function printNextSteps(context: Context, model: WatchModel, draws: boolean): Promise<void> {
  const { io, out, notes } = context
  const steps = nextSteps(context, model)
  if (!draws) {
    for (const { about, command } of steps) notes.line(say`${about}: ${command}`)
    return
  }
  const url = model.outcome === null ? null : safeUrl(model.build?.web_url)
  const lines = stepLines(steps, { width: io.stdout.columns, looks: context.looks })
  await out.lines(url === null ? lines : [say`  ${url}`, ...lines])
}

function nextSteps({ command, looks }: Context, { build, outcome, ref }: WatchModel): NextStep[] {
  if (build === null || outcome === null) return []
  const { jobs } = build
  const all = jobs ?? []
  const steps: NextStep[] = []
  if (outcome === 'blocked') {
    if (jobs === undefined)
      steps.push({ about: say`to unblock it`, command: command(['jobs', 'unblock', ref]) })
    for (const job of all.filter(isUnblockable).slice(0, MAX_BLOCKED_JOBS)) {
      const title = jobTitle(job)
      const name = JSON.stringify(emojify(title, looks.ascii))
      const about = say`${name} waits for a person; to unblock it`
      steps.push({ about, command: command(unblockWords(ref, job, all)) })
    }
  }
  if (outcome === 'failed' || outcome === 'failing') {
    steps.push({ about: say`Why it failed`, command: command(['why', ref]) })
  }
  const hasFailedJob = jobs?.some((job) => isFailedJob(job) && job.retried !== true)
  if (hasFailedJob ?? outcome === 'failed') {
    steps.push({ about: say`Logs`, command: command(['builds', 'logs', ref, '--failed']) })
  }
  return steps
}
