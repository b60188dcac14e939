import { isCiError, watchBuild } from '@buildwire/sdk'
import type { Build, BuildPath } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { tellFailure } from '../context/errors.js'
import { CommandError, ExitRequest, OutputClosedError } from '../io/command-error.js'
import { emojify } from '../io/emoji.js'
import { safeUrl } from '../io/hyperlink.js'
import { isNonInteractive } from '../io/io.js'
import { reference, say } from '../io/printable.js'
import { buildState } from '../views/build.js'
import { type NextStep, stepLines } from '../views/facts.js'
import { isFailedJob, isUnblockable, jobTitle } from '../views/job.js'
import { shown } from '../views/print.js'
import { builds } from '../views/records.js'
import { emptyWatch, reduceWatch, type WatchChange, type WatchModel } from './model.js'
import { outcomeExitCode, type Until, waitRules, worstExitCode } from './outcome.js'
import { choosePresenter } from './presenter.js'

interface WatchRequest {
  /** A build that is named twice is watched once. */
  readonly targets: readonly WatchTarget[]
  /** Records come as those of several; default: there are several. */
  readonly isMany?: boolean | undefined
  readonly until?: Until | undefined
  /** Go on while a build waits for a person. */
  readonly allowBlocked?: boolean | undefined
  readonly timeoutMs?: number | undefined
  readonly intervalMs?: number | undefined
  readonly compact?: boolean | undefined
}

/** A build, and the record of it that a create, rebuild or retry has just answered. */
interface WatchTarget extends BuildPath {
  readonly first?: Build | undefined
}

/** How the watch of one build ended; an error is what kept it from going on. */
interface Watched {
  readonly model: WatchModel
  readonly error: unknown
}

/**
 * Whether a watch may draw: both streams are terminals of a fair size, and somebody is there who
 * looks.
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
 * Watches builds to their outcomes and prints what happens. Of several, one that can be watched no
 * longer does not end the others, and the first that fails does under `--until failing`.
 *
 * @throws ExitRequest with the worst exit code where that is not 0; whatever ends the watch of a
 * single build for good.
 */
export async function watch(context: Context, request: WatchRequest): Promise<void> {
  const { clock, interrupts } = context
  const byRef = new Map(request.targets.map((target) => [reference(target, target.number), target]))
  const [refs, targets] = [[...byRef.keys()], [...byRef.values()]]
  const { until = 'finished', isMany = targets.length > 1 } = request
  const resume = (of: readonly string[]) =>
    say`still running; resume: ${context.command(['builds', 'watch', ...of])}`
  interrupts.setHint(resume(refs))
  const draws = canDraw(context)
  const presenter = await choosePresenter(context, refs, until, draws)
  const left = new AbortController()
  const signal = AbortSignal.any([context.signal, left.signal])
  const follow = async (target: WatchTarget, at: number): Promise<Watched> => {
    let model = emptyWatch(refs[at] ?? '')
    try {
      for await (const change of changes(context, request, target, signal)) {
        model = await shown(() => reduceWatch(model, change, clock.now()))
        await shown(() => presenter.show(model))
        if (model.outcome !== null) break
      }
      if (until === 'failing' && (model.outcome === 'failing' || model.outcome === 'failed'))
        left.abort()
      return { model, error: null }
    } catch (error) {
      if (targets.length === 1 || context.signal.aborted || error instanceof OutputClosedError)
        throw error
      return { model, error: left.signal.aborted ? null : error }
    }
  }
  let all: readonly Watched[]
  try {
    all = await Promise.all(targets.map(follow))
  } catch (error) {
    throw error instanceof OutputClosedError ? new ExitRequest(8) : error
  } finally {
    left.abort()
    await presenter.close()
  }
  interrupts.setHint(null)
  const open = all.flatMap(({ model }) =>
    model.outcome === 'timeout' && model.build !== null ? [model.ref] : [],
  )
  if (open.length > 0 && !context.out.machine) context.notes.line(resume(open))
  await printBuilds(context, all, isMany)
  const codes: number[] = []
  for (const one of all) codes.push(await conclude(context, one, until, draws, targets.length > 1))
  const code = worstExitCode(codes)
  if (code !== 0) throw new ExitRequest(code)
}

/** The builds as last read, for those who want no news but a record. */
async function printBuilds(
  { out }: Context,
  all: readonly Watched[],
  isMany: boolean,
): Promise<void> {
  if (out.mode !== 'json' && out.mode !== 'id') return
  const read = all.flatMap(({ model }) => model.build ?? [])
  if (isMany) return out.records(builds, read, { manyPipelines: true })
  for (const build of read) await out.record(builds, build)
}

/** Tells what is left to say of a build, and its exit code. */
async function conclude(
  context: Context,
  { model, error }: Watched,
  until: Until,
  draws: boolean,
  isMany: boolean,
): Promise<number> {
  const { out, notes } = context
  const { build, outcome, ref } = model
  if (error !== null) return tellFailure(context, error)
  if (outcome === 'timeout' && build === null) {
    const lost = new CommandError(
      'not_finished',
      say`no answer came in time${isMany ? ` for ${ref}` : ''}`,
    )
    if (!isMany) throw lost
    return tellFailure(context, lost)
  }
  if (outcome === 'unknown' && build !== null) {
    const name = isMany ? `build ${ref}` : 'the build'
    notes.warn(
      say`${name} ended in state ${JSON.stringify(buildState(build))}, which this version does not know`,
    )
  }
  if (!out.machine && !(isMany && outcome === 'passed')) await tellNextSteps(context, model, draws)
  return outcomeExitCode(outcome, until)
}

/** What the SDK's watch yields, but for an error before anything was read: that is the answer. */
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
    for await (const change of watchBuild(
      await context.ci(),
      { ...target, exclude_jobs: compact === true },
      options,
    )) {
      if (change.type === 'trouble' && !isRead) throw change.error
      isRead = true
      yield change
    }
  } catch (error) {
    if (timeoutMs === undefined || isRead || !isCiError(error, 'timeout') || error.kind !== 'total')
      throw error
    yield { type: 'finished', outcome: 'timeout' }
  }
}

const SHOWN = 3

/**
 * Tells what to do once a watch is over. Below a frame it starts with the build's address, which
 * plain lines have told.
 */
async function tellNextSteps(context: Context, model: WatchModel, drawn: boolean): Promise<void> {
  const { io, out, notes } = context
  const steps = nextSteps(context, model)
  if (!drawn) {
    for (const { about, command } of steps) notes.line(say`${about}: ${command}`)
    return
  }
  const url = model.outcome === null ? null : safeUrl(model.build?.web_url)
  const lines = stepLines(steps, io.stdout.columns)
  await out.lines(url === null ? lines : [say`  ${url}`, ...lines])
}

function nextSteps({ command, looks }: Context, { build, outcome, ref }: WatchModel): NextStep[] {
  if (build === null || outcome === null) return []
  const { jobs } = build
  const steps: NextStep[] = []
  if (outcome === 'blocked') {
    const unblock = ['jobs', 'unblock', ref]
    if (jobs === undefined) steps.push({ about: say`to let it go on`, command: command(unblock) })
    for (const job of (jobs ?? []).filter(isUnblockable).slice(0, SHOWN)) {
      const title = jobTitle(job)
      const isOnly = jobs?.filter((other) => jobTitle(other) === title).length === 1
      const about = say`${JSON.stringify(emojify(title, looks.ascii))} waits for a person; to let it go on`
      steps.push({ about, command: command([...unblock, '--job', isOnly ? title : job.id]) })
    }
  }
  if (jobs?.some((job) => isFailedJob(job) && job.retried !== true) ?? outcome === 'failed') {
    steps.push({ about: say`Logs`, command: command(['builds', 'logs', ref, '--failed']) })
  }
  return steps
}
