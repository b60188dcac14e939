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
  /** The last so many lines of each job. */
  readonly tail?: number | undefined
  /** Each line says whose it is. */
  readonly prefix: boolean
}

const MAX_PREFIX = 32
const LINE_END = say`\n`

/** Prints logs on stdout as they come, line by line. */
export class LogPrinter {
  readonly #context: Context
  readonly #style: LogStyle
  readonly #looks: LogLooks
  readonly #width: number
  readonly #buffers = new Map<string, LineBuffer>()
  readonly #passed = leanMemory()
  /** The job whose line was printed in part. */
  #open: string | null = null

  constructor(context: Context, jobs: readonly Job[], style: LogStyle) {
    this.#context = context
    this.#style = style
    const colors = String(context.looks.paint('bold', 'x')) !== 'x'
    this.#looks = !context.io.stdout.isTTY ? 'piped' : colors ? 'colored' : 'uncolored'
    this.#width = Math.min(
      MAX_PREFIX,
      jobs.reduce((most, job) => Math.max(most, cells(this.#name(job))), 0),
    )
  }

  /** Takes the next bytes of a job's log, and prints the lines that are whole. */
  async print(job: Job, bytes: Uint8Array): Promise<void> {
    const buffer = this.#buffers.get(job.id) ?? new LineBuffer()
    this.#buffers.set(job.id, buffer)
    for (const part of buffer.add(bytes)) await this.#show(job, part, false)
    this.#passed(bytes.byteLength)
  }

  /** Prints the last line of a job's log, which may have no end. */
  async end(job: Job): Promise<void> {
    await this.#show(job, this.#buffers.get(job.id)?.rest() ?? new Uint8Array(), true)
    this.#buffers.delete(job.id)
  }

  /** Forgets the line that a log was in: it starts anew. */
  restart(job: Job): void {
    this.#buffers.delete(job.id)
  }

  async #show(job: Job, bytes: Uint8Array, ends: boolean): Promise<void> {
    const { stdout } = this.#context.io
    if (bytes.length === 0 && !(ends && this.#open === job.id)) return
    if (this.#style.raw) return stdout.write(bytes)
    const goesOn = this.#open === job.id
    const text = new TextDecoder().decode(bytes)
    const prefix = this.#style.prefix ? this.#prefix(job) : blank
    const shown = logLines(text).map((line, at) => {
      return say`${goesOn && at === 0 ? blank : prefix}${cleanLine(line, this.#looks)}`
    })
    const isOpen = !ends && !text.endsWith('\n')
    const before = this.#open !== null && !goesOn ? LINE_END : blank
    this.#open = isOpen ? job.id : null
    await stdout.write(say`${before}${joined(shown, LINE_END)}${isOpen ? blank : LINE_END}`)
  }

  #prefix(job: Job): Printable {
    if (this.#looks === 'piped') return say`${dropControls(jobTitle(job)).replaceAll('\t', ' ')}\t`
    const { paint, ascii } = this.#context.looks
    const name = shorten(this.#name(job), this.#width, { ascii })
    return say`${paint('dim', pad(name, this.#width))}  `
  }

  #name(job: Job): Printable {
    return say`${emojify(jobTitle(job), this.#context.looks.ascii)}`
  }
}
