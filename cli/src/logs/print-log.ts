import type { Job } from '@buildwire/sdk/contract'
import type { Context } from '../context.js'
import { emojify } from '../io/emoji.js'
import { dropControls } from '../io/machine.js'
import { blank, lines, type Printable, say } from '../io/printable.js'
import { cells, pad, shorten } from '../io/width.js'
import { jobTitle } from '../views/job.js'
import { cleanLine, type LogLooks, logLines } from './escapes.js'

/** How logs are printed. */
export interface LogStyle {
  /** Bytes as received. */
  readonly raw: boolean
  /** The last so many lines of each job. */
  readonly tail: number | undefined
  /** Each line says whose it is. */
  readonly prefix: boolean
}

const MAX_PREFIX = 32

/** Prints parts of logs on stdout. */
export class LogPrinter {
  readonly #context: Context
  readonly #style: LogStyle
  readonly #looks: LogLooks
  readonly #width: number

  constructor(context: Context, jobs: readonly Job[], style: LogStyle) {
    this.#context = context
    this.#style = style
    const colors = String(context.looks.paint('bold', say`x`)) !== 'x'
    this.#looks = !context.io.stdout.isTTY ? 'piped' : colors ? 'colored' : 'uncolored'
    this.#width = Math.min(MAX_PREFIX, Math.max(0, ...jobs.map((job) => cells(this.#name(job)))))
  }

  /** Prints whole lines of a job's log; the first part of a log is cut by `tail`. */
  async print(job: Job, bytes: Uint8Array, options: { readonly first: boolean }): Promise<void> {
    const { tail, raw } = this.#style
    const cut = options.first && tail !== undefined ? lastLines(bytes, tail) : bytes
    if (cut.length === 0) return
    if (raw) return this.#context.io.stdout.write(cut)
    const prefix = this.#style.prefix ? this.#prefix(job) : blank
    const shown = logLines(new TextDecoder().decode(cut)).map((line) => say`${prefix}${cleanLine(line, this.#looks)}`)
    await this.#context.io.stdout.write(lines(shown))
  }

  #prefix(job: Job): Printable {
    if (this.#looks === 'piped') return say`${dropControls(jobTitle(job)).replaceAll('\t', ' ')}\t`
    const { paint, ascii } = this.#context.looks
    const name = shorten(this.#name(job), this.#width, ascii ? '...' : '…')
    return say`${paint('dim', pad(name, this.#width))}  `
  }

  #name(job: Job): Printable {
    return say`${emojify(jobTitle(job), this.#context.looks.ascii)}`
  }
}

/** The bytes of the last `count` lines. */
export function lastLines(bytes: Uint8Array, count: number): Uint8Array {
  let start = bytes.length
  // A line end at the very end closes the last line and starts none.
  let from = bytes.length - (bytes.at(-1) === 0x0a ? 2 : 1)
  for (let found = 0; found < count; found++) {
    const end = from < 0 ? -1 : bytes.lastIndexOf(0x0a, from)
    start = end + 1
    if (end === -1) break
    from = end - 1
  }
  return bytes.subarray(start)
}
