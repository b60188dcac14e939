import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context.js'
import { ExitCode } from '../exit-codes.js'
import { ExitRequest, OutputClosedError } from '../io/command-error.js'
import { reference, say } from '../io/printable.js'
import type { BuildTarget } from '../target.js'
import { jobState, jobTitle } from '../views/job.js'
import { type Growth, grow, noGrowth, rest } from './growth.js'
import type { LogPrinter } from './print-log.js'
import { type LogReader, readLog } from './read-log.js'
import { logUrl } from './select.js'

const FINISHED = new Set(['passed', 'failed', 'timed_out', 'canceled', 'skipped', 'broken', 'expired'])

/** What is followed. */
export interface FollowInputs {
  readonly target: BuildTarget
  readonly jobs: readonly Job[]
  readonly reader: LogReader
  readonly printer: LogPrinter
}

interface Following {
  job: Job
  growth: Growth
  bytes: Uint8Array
  done: boolean
}

/**
 * Prints logs as they grow, until every job is over and its text stood still once.
 *
 * @throws ExitRequest by the jobs: 1 when one failed, 6 when one was canceled.
 */
export async function followLogs(context: Context, { target, jobs, reader, printer }: FollowInputs): Promise<void> {
  const { clock, notes, signal, interrupts } = context
  const resume = context.command(['builds', 'logs', reference(target, target.number), '--follow'])
  interrupts.setHint(say`resume: ${resume}`)
  const all: Following[] = jobs.map((job) => ({ job, growth: noGrowth, bytes: new Uint8Array(), done: false }))
  try {
    for (;;) {
      const open = all.filter(({ done }) => !done)
      await refresh(open, target, reader)
      for (const each of open) {
        // The state was read before the text, so that what is there after the end is complete.
        const over = FINISHED.has(each.job.state ?? '')
        const first = each.growth === noGrowth
        const bytes = await readLog(logUrl(each.job) ?? '', reader)
        const { growth, fresh, restarted, grew } = grow(each.growth, bytes)
        if (restarted) notes.note(say`the log of ${jobTitle(each.job)} starts anew`)
        await printer.print(each.job, fresh, { first })
        Object.assign(each, { growth, bytes, done: over && !grew })
        if (each.done) await printer.print(each.job, rest(growth, bytes), { first: false })
      }
      const still = all.filter(({ done }) => !done)
      if (still.length === 0) break
      await clock.sleep(Math.min(...still.map(({ growth }) => growth.delayMs)), signal)
    }
  } catch (error) {
    if (error instanceof OutputClosedError) throw new ExitRequest(ExitCode.not_finished)
    throw error
  }
  interrupts.setHint(null)
  const code = exitCode(all.map(({ job }) => job))
  if (code !== ExitCode.ok) throw new ExitRequest(code)
}

async function refresh(open: readonly Following[], target: BuildTarget, { ci, signal }: LogReader): Promise<void> {
  if (open.every(({ job }) => FINISHED.has(job.state ?? ''))) return
  const build = await ci.builds.get({ ...target, include_retried_jobs: true }, { signal })
  for (const each of open) each.job = build.jobs?.find(({ id }) => id === each.job.id) ?? each.job
}

function exitCode(jobs: readonly Job[]): number {
  const states = jobs.map(jobState)
  if (states.some((state) => ['failed', 'timed_out', 'broken', 'expired'].includes(state))) return ExitCode.negative
  return states.includes('canceled') ? ExitCode.canceled : ExitCode.ok
}
