import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context/context.js'
import { emojify } from '../io/emoji.js'
import { dropControls } from '../io/machine.js'
import { blank, joined, type Printable, say } from '../io/printable.js'
import { cells, pad, shorten } from '../io/width.js'
import { jobTitle } from '../views/job.js'
import { cleanLine, type LogLooks, logLines } from './escapes.js'
import { leanMemory } from './lean-memory.js'
import { LineBuffer } from './line-buffer.js'

export interface LogStyle {
  readonly raw?: boolean | undefined
  readonly tail?: number | undefined
  /** Each line says whose it is. */
  readonly prefix: boolean
}

const MAX_PREFIX = 32
const LINE_END = say`\n`

/** Prints logs on stdout as they come, line by line. */
export function logPrinter({ io, looks }: Context, jobs: readonly Job[], style: LogStyle) {
  const { stdout } = io
  const { paint, ascii } = looks
  const colors = String(paint('bold', 'x')) !== 'x'
  const kind: LogLooks = !stdout.isTTY ? 'piped' : colors ? 'colored' : 'uncolored'
  const nameOf = (job: Job) => say`${emojify(jobTitle(job), ascii)}`
  const widest = jobs.reduce((most, job) => Math.max(most, cells(nameOf(job))), 0)
  const width = Math.min(MAX_PREFIX, widest)
  const buffers = new Map<string, LineBuffer>()
  const passed = leanMemory()
  /** The job whose line was printed in part. */
  let open: string | null = null

  const prefixOf = (job: Job): Printable => {
    if (kind === 'piped') return say`${dropControls(jobTitle(job)).replaceAll('\t', ' ')}\t`
    return say`${paint('dim', pad(shorten(nameOf(job), width, looks), width))}  `
  }
  const show = async (job: Job, bytes: Uint8Array, ends: boolean): Promise<void> => {
    const goesOn = open === job.id
    if (bytes.length === 0 && !(ends && goesOn)) return
    if (style.raw) return stdout.write(bytes)
    const text = new TextDecoder().decode(bytes)
    const prefix = style.prefix ? prefixOf(job) : blank
    const shown = logLines(text).map(
      (line, at) => say`${goesOn && at === 0 ? blank : prefix}${cleanLine(line, kind)}`,
    )
    const isOpen = !ends && !text.endsWith('\n')
    const before = open !== null && !goesOn ? LINE_END : blank
    open = isOpen ? job.id : null
    await stdout.write(say`${before}${joined(shown, LINE_END)}${isOpen ? blank : LINE_END}`)
  }

  return {
    /** Takes the next bytes of a job's log, and prints the lines that are whole. */
    async print(job: Job, bytes: Uint8Array): Promise<void> {
      const buffer = buffers.get(job.id) ?? new LineBuffer()
      buffers.set(job.id, buffer)
      for (const part of buffer.add(bytes)) await show(job, part, false)
      passed(bytes.byteLength)
    },
    /** Prints the last line of a job's log, which may have no end. */
    async end(job: Job): Promise<void> {
      await show(job, buffers.get(job.id)?.rest() ?? new Uint8Array(), true)
      buffers.delete(job.id)
    },
    /** Forgets the line that a log was in: it starts anew. */
    restart: (job: Job) => buffers.delete(job.id),
  }
}
