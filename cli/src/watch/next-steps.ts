import type { Context } from '../context/context.js'
import { emojify } from '../io/emoji.js'
import { safeUrl } from '../io/hyperlink.js'
import { say } from '../io/printable.js'
import { isFailedJob, isUnblockable, jobTitle } from '../views/job.js'
import { type NextStep, stepLines } from '../views/steps.js'
import type { WatchModel } from './model.js'

const SHOWN = 3

/**
 * Tells what to do once a watch is over. Below a frame it starts with the address of the build, which plain lines have
 * told. No command is cut: where it does not fit behind its words, it has a line of its own.
 */
export async function tellNextSteps(context: Context, model: WatchModel, drawn: boolean): Promise<void> {
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
