import type { Paint } from './color.js'
import type { OutputStream } from './io.js'
import type { Redactor } from './redact.js'
import { sanitizeLines } from './sanitize.js'
import { hanging } from './width.js'

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
  const write = (lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('')
    last = last.then(() => stderr.write(text)).catch(() => undefined)
  }
  const safe = (text: string) => sanitizeLines(redactor.redact(text))
  /** Broken at blanks on a terminal; a further line stands under the first. */
  const broken = (label: string, indent: number, text: string) =>
    stderr.isTTY
      ? safe(text)
          .split('\n')
          .flatMap((line) => hanging(label, indent, line, stderr.columns))
      : [label + safe(text)]
  const warning = 'Warning: '
  return {
    note: (text) => {
      if (!quiet && !machine) write(broken('', 2, text))
    },
    warn: (text) => write(broken(paint('yellow', warning), warning.length, text)),
    debug: (text) => {
      if (debugging !== 'off') write([paint('dim', 'debug: ') + safe(text)])
    },
    line: (text) => write([safe(text)]),
    debugging,
    paint,
    flush: () => last,
  }
}
