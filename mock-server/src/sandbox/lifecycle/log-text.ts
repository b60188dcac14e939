import { createHash } from 'node:crypto'
import { commandOf, isFinished } from '../../domain/job.js'
import type { JobRecord } from '../../records/records.js'

export interface LogText {
  readonly content: string
  /**
   * When each group header was printed, in ns since the epoch: beyond 2^53, so for display only.
   */
  readonly header_times: readonly number[]
}

/** A job prints at most this many lines. */
const mostLines = 5_000

interface PrintedLine {
  readonly text: string
  /** ms after the start. */
  readonly after: number
}

/**
 * A job's log at a time (epoch ms): the stored text, or a text that is computed from the job. With
 * time the computed text only grows at its end.
 */
export function jobLog(job: JobRecord, now: number): LogText {
  if (job.log !== null) return { content: job.log, header_times: [] }
  if (job.started_at === null) return { content: '', header_times: [] }

  const started = Date.parse(job.started_at)
  const isOver = isFinished(job)
  const hasEnd = isOver && job.finished_at !== null
  const until = hasEnd ? Date.parse(job.finished_at) : Math.max(now, started)
  const elapsed = until - started
  const lines = [...printed(job, elapsed), ...(isOver ? closing(job, elapsed) : [])]
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

/** The lines that the job has printed `elapsed` ms after its start: preparation, then output. */
function* printed(job: JobRecord, elapsed: number): Generator<PrintedLine> {
  const dice = diceOf(job.id)
  let after = 0
  for (let index = 0; index < mostLines; index += 1) {
    const mostPauseMs = index < opening.length ? 200 : 1_900
    if (index > 0) after += 60 + Math.floor(dice(index) * mostPauseMs)
    if (after > elapsed) return

    const text = opening[index]?.(job) ?? outputLine(job, index - opening.length, dice)
    yield { text, after }
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
  const durationMs = Math.floor(dice(index + 30_000) * 90) + 3
  return `${shard}\u001b[32m✓\u001b[0m ${subject} ${claim} \u001b[90m(${durationMs} ms)\u001b[0m`
}

function closing(job: JobRecord, after: number): readonly PrintedLine[] {
  const reason = failureLog(job) ?? complaint(job)
  const texts = job.state === 'passed' ? [] : ['+++ What went wrong', ...reason]
  const status = job.exit_status === null ? [] : [`Exited with status ${job.exit_status}`]
  return [...texts, ...status].map((text) => ({ text, after }))
}

/** The log that the step's `onFailure` names. */
function failureLog(job: JobRecord): readonly string[] | undefined {
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

/** Random numbers in [0, 1) that follow from the job's id; one digest serves for all of them. */
function diceOf(jobId: string): (n: number) => number {
  const seed = createHash('sha256').update(jobId).digest().readUInt32BE(0)
  return (n) => {
    let mixed = (seed ^ Math.imul(n + 1, 0x9e3779b1)) >>> 0
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
