import { EventEmitter } from 'node:events'
import type { OutputStream } from './io.js'
import type { Printable } from './printable.js'
import { made } from './printable-maker.js'
import { cells } from './width.js'

/** More rows than any frame has: a window that got smaller than the last frame must not make ink clear the terminal. */
const ROWS = 10_000

/**
 * The stream that ink draws on: ours, seen as a terminal that is never too small. It keeps the order of writes and knows
 * when all of them are done.
 */
export class InkStream extends EventEmitter {
  readonly isTTY = true
  readonly rows = ROWS
  readonly #stream: OutputStream
  readonly #onClosed: (error: unknown) => void
  readonly #frame: () => readonly Printable[]
  #last: Promise<void> = Promise.resolve()
  #stop: () => void
  #columns: number

  constructor(stream: OutputStream, onClosed: (error: unknown) => void, frame: () => readonly Printable[]) {
    super()
    this.#stream = stream
    this.#onClosed = onClosed
    this.#frame = frame
    this.#columns = stream.columns
    this.#stop = stream.onResize?.(() => this.checkSize() || this.emit('resize')) ?? (() => undefined)
  }

  /** Follows a window that changed its width, also before its signal has come; whether it did. */
  checkSize(): boolean {
    this.#stream.refreshSize?.()
    if (this.#stream.columns === this.#columns) return false
    this.#eraseWrapped(this.#frame())
    this.#columns = this.#stream.columns
    return this.emit('resize')
  }

  get columns(): number {
    return this.#stream.columns
  }

  /** A method of its own for ink, which hands it around. */
  write = (text: string): boolean => {
    // Written at once: a signal may end the program before the next turn, and the cursor must be back by then.
    const done = this.#stream.write(made(text)).catch((error: unknown) => this.#onClosed(error))
    this.#last = this.#last.then(() => done)
    return true
  }

  /** Terminals wrap the lines of a frame that became too wide; ink counts each of them as one and would leave the rest. */
  #eraseWrapped(lines: readonly Printable[]): void {
    const width = this.#stream.columns
    if (width >= this.#columns) return
    const extra = lines.reduce((sum, line) => sum + Math.max(0, Math.ceil(cells(line) / width) - 1), 0)
    if (extra > 0) this.write('\u001b[2K\u001b[1A'.repeat(extra))
  }

  /** Resolves when everything written so far is out. */
  async end(): Promise<void> {
    this.#stop()
    this.#stop = () => undefined
    await this.#last
  }
}
