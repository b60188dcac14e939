import type { Paint } from './color.js'
import type { OutputStream } from './io.js'
import type { Redactor } from './redact.js'
import { sanitizeLines } from './sanitize.js'

/** What goes to stderr besides the final error. Lines are written in order; `flush` waits for the last of them. */
export interface Notes {
  /** Something a person may like to know; silent under `--quiet` and in machine modes. */
  note(text: string): void
  /** Something that may surprise; always written. */
  warn(text: string): void
  /** A decision or a timing, with `--debug` only. */
  debug(text: string): void
  /** A line as it is: hints and prompts. */
  line(text: string): void
  readonly debugging: 'off' | 'on' | 'http'
  /** Styles text on stderr. */
  readonly paint: Paint
  flush(): Promise<void>
}

/** What the notes depend on. */
export interface NotesOptions {
  readonly stderr: OutputStream
  readonly redactor: Redactor
  readonly paint: Paint
  readonly quiet: boolean
  /** stdout is read by a program: notes would only be noise. */
  readonly machine: boolean
  readonly debugging: 'off' | 'on' | 'http'
}

/** Notes on a stream; a stderr that nobody reads is ignored. */
export function createNotes({ stderr, redactor, paint, quiet, machine, debugging }: NotesOptions): Notes {
  let last: Promise<void> = Promise.resolve()
  const write = (text: string) => {
    const safe = `${sanitizeLines(redactor.redact(text))}\n`
    last = last.then(() => stderr.write(safe)).catch(() => undefined)
  }
  const styled = (style: 'dim' | 'yellow', label: string, text: string) => {
    const safe = `${paint(style, label)}${sanitizeLines(redactor.redact(text))}\n`
    last = last.then(() => stderr.write(safe)).catch(() => undefined)
  }
  return {
    note: (text) => {
      if (!quiet && !machine) write(text)
    },
    warn: (text) => styled('yellow', 'Warning: ', text),
    debug: (text) => {
      if (debugging !== 'off') styled('dim', 'debug: ', text)
    },
    line: write,
    debugging,
    paint,
    flush: () => last,
  }
}
