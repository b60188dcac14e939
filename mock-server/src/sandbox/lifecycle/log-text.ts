import { createHash } from 'node:crypto'
import { commandOf, isFinished } from '../../domain/job.js'
import type { JobRecord } from '../../records/records.js'

export interface JobLog {
  readonly content: string
  /**
   * When each group header was printed, in ns since the epoch: beyond 2^53, so for display only.
   */
  readonly header_times: readonly number[]
}

/** Lines that a running job prints at most; a job that takes longer falls silent. */
const mostLines = 5_000

interface Line {
  readonly text: string
  /** ms after the start. */
  readonly after: number
}

/**
 * A job's log at a moment (epoch ms): stored text, else text computed from the job alone that only
 * ever grows at its end.
 */
export function jobLog(job: JobRecord, now: number): JobLog {
  if (job.log !== null) return { content: job.log, header_times: [] }
  if (job.started_at === null) return { content: '', header_times: [] }
  const started = Date.parse(job.started_at)
  const until =
    isFinished(job) && job.finished_at !== null
      ? Date.parse(job.finished_at)
      : Math.max(now, started)
  const lines = [
    ...printed(job, until - started),
    ...(isFinished(job) ? closing(job, until - started) : []),
  ]
  return {
    content: lines.map(({ text }) => `${text}\n`).join(''),
    header_times: lines
      .filter(({ text }) => isHeader(text))
      .map(({ after }) => (started + after) * 1_000_000),
  }
}

function isHeader(text: string): boolean {
  return /^(?:---|\+\+\+|~~~) /.test(text)
}

/**
 * What the job has printed so long after its start: preparation, then the command's own output,
 * line by line.
 */
function* printed(job: JobRecord, elapsed: number): Generator<Line> {
  const dice = diceOf(job.id)
  let after = 0
  for (let index = 0; index < mostLines; index += 1) {
    if (index > 0) after += 60 + Math.floor(dice(index) * (index < opening.length ? 200 : 1_900))
    if (after > elapsed) return
    yield { text: opening[index]?.(job) ?? outputLine(job, index - opening.length, dice), after }
  }
}

const opening: readonly ((job: JobRecord) => string)[] = [
  () => '~~~ Preparing working directory',
  () => '\u001b[90m$\u001b[0m git fetch -v --prune -- origin',
  (job) => `~~~ Running ${job.name ?? 'command'}`,
  (job) => `\u001b[90m$\u001b[0m ${job.command.split('\n')[0] ?? ''}`,
]

const subjects = 'cart checkout prices sessions orders search webhooks accounts exports'.split(' ')
const claims = [
  'keeps its order',
  'rounds half to even',
  'survives an empty answer',
  'refuses a negative amount',
]

function outputLine(job: JobRecord, index: number, dice: (n: number) => number): string {
  const subject = pick(subjects, dice(index + 10_000))
  const claim = pick(claims, dice(index + 20_000))
  const shard =
    job.parallel_group_index === null
      ? ''
      : `[${job.parallel_group_index + 1}/${job.parallel_group_total}] `
  return `${shard}\u001b[32m✓\u001b[0m ${subject} ${claim} \u001b[90m(${Math.floor(dice(index + 30_000) * 90) + 3} ms)\u001b[0m`
}

function closing(job: JobRecord, after: number): readonly Line[] {
  const texts =
    job.state === 'passed' ? [] : ['+++ What went wrong', ...(told(job) ?? complaint(job))]
  const status = job.exit_status === null ? [] : [`Exited with status ${job.exit_status}`]
  return [...texts, ...status].map((text) => ({ text, after }))
}

function told(job: JobRecord): readonly string[] | undefined {
  return job.state === 'failed' ? commandOf(job)?.onFailure?.log?.trimEnd().split('\n') : undefined
}

function complaint(job: JobRecord): readonly string[] {
  if (job.signal_reason !== null) return [`The agent ended the job: ${job.signal_reason}`]
  if (job.signal !== null) return [`The process was ended by ${job.signal}`]
  if (job.state !== 'failed') return [`The job is ${job.state}`]
  const dice = diceOf(job.id)
  const expected = Math.floor(dice(1) * 900) + 100
  return [
    `\u001b[31m✗\u001b[0m ${pick(subjects, dice(2))} ${pick(claims, dice(3))}`,
    `  AssertionError: expected ${expected + 1} to be ${expected}`,
  ]
}

function pick(list: readonly string[], dice: number): string {
  return list[Math.floor(dice * list.length)] ?? ''
}

/**
 * The n-th number in [0, 1) that is this job's own: one digest for it all, then plain arithmetic.
 */
function diceOf(jobId: string): (n: number) => number {
  const seed = createHash('sha256').update(jobId).digest().readUInt32BE(0)
  return (n) => {
    let mixed = (seed ^ Math.imul(n + 1, 0x9e3779b1)) >>> 0
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
