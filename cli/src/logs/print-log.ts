import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { emojify } from '../io/emoji.js'
import { dropControls } from '../io/machine.js'
import { blank, joined, type Printable, say } from '../io/printable.js'
import { cells, pad, shorten } from '../io/width.js'
import { jobTitle } from '../views/job.js'
import { cleanLines, type LogLooks } from './escapes.js'
import { leanMemory } from './lean-memory.js'
import { LineBuffer } from './line-buffer.js'

export interface LogStyle {
  readonly raw?: boolean | undefined
  readonly tail?: number | undefined
  /** Only lines that contain this text. */
  readonly grep?: string | undefined
  /** With so many lines before and after each of these lines. */
  readonly around?: number | undefined
  /** Each line begins with the name of its job. */
  readonly prefix: boolean
}

const MAX_PREFIX = 32
const LINE_END = say`\n`

/** How lines are cleaned, and what stands before the lines of each job. */
export function lineLooks(
  { io, looks }: Pick<Context, 'io' | 'looks'>,
  jobs: readonly Job[],
  { prefix }: LogStyle,
) {
  const { paint, ascii } = looks
  const hasColors = String(paint('bold', 'x')) !== 'x'
  const terminalLooks = hasColors ? 'colored' : 'uncolored'
  const logLooks: LogLooks = io.stdout.isTTY ? terminalLooks : 'piped'
  const nameOf = (job: Job) => say`${emojify(jobTitle(job), ascii)}`
  const widest = jobs.reduce((most, job) => Math.max(most, cells(nameOf(job))), 0)
  const width = Math.min(MAX_PREFIX, widest)

  const prefixOf = (job: Job): Printable => {
    if (!prefix) return blank
    if (logLooks === 'piped') return say`${dropControls(jobTitle(job)).replaceAll('\t', ' ')}\t`
    return say`${paint('dim', pad(shorten(nameOf(job), width, looks), width))}  `
  }
  return { logLooks, prefixOf }
}

/** Prints logs on stdout as they arrive, line by line. */
export function logPrinter(context: Context, jobs: readonly Job[], style: LogStyle) {
  const { stdout } = context.io
  const { logLooks, prefixOf } = lineLooks(context, jobs, style)
  const buffers = new Map<string, LineBuffer>()
  const collectGarbage = leanMemory()
  /** The job whose last line was printed without its end. */
  let openJob: string | null = null

  const show = async (job: Job, bytes: Uint8Array, ends: boolean): Promise<void> => {
    const continuesLine = openJob === job.id
    const endsLine = ends && continuesLine
    if (bytes.length === 0 && !endsLine) return
    if (style.raw) return stdout.write(bytes)
    const text = new TextDecoder().decode(bytes)
    const prefix = prefixOf(job)
    const shown = cleanLines(text, logLooks).map(
      (line, at) => say`${continuesLine && at === 0 ? blank : prefix}${line}`,
    )
    const isOpen = !ends && !text.endsWith('\n')
    const before = openJob !== null && !continuesLine ? LINE_END : blank
    openJob = isOpen ? job.id : null
    await stdout.write(say`${before}${joined(shown, LINE_END)}${isOpen ? blank : LINE_END}`)
  }

  return {
    /** Adds bytes of a job's log, and prints the lines that are complete. */
    async print(job: Job, bytes: Uint8Array): Promise<void> {
      const buffer = buffers.get(job.id) ?? new LineBuffer()
      buffers.set(job.id, buffer)
      for (const part of buffer.add(bytes)) await show(job, part, false)
      collectGarbage(bytes.byteLength)
    },
    /** Prints the last line of a job's log, which may have no line end. */
    async end(job: Job): Promise<void> {
      await show(job, buffers.get(job.id)?.rest() ?? new Uint8Array(), true)
      buffers.delete(job.id)
    },
    /** Drops the incomplete line of a log that starts anew. */
    restart: (job: Job) => buffers.delete(job.id),
  }
}
