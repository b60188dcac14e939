import type { Paint } from './color.js'
import type { OutputStream } from './io.js'
import { blank, lines, type Printable, say } from './printable.js'
import type { Redactor } from './redact.js'
import { cells, hanging, split } from './width.js'

/** What goes to stderr besides the final error. Lines are written in order; `flush` waits for the last of them. */
export interface Notes {
  /** Something a person may like to know; silent under `--quiet` and in machine modes. */
  note(text: Printable): void
  /** Something that may surprise; always written. */
  warn(text: Printable): void
  /** A decision or a timing, with `--debug` only. */
  debug(text: Printable): void
  /** A line as it is: hints and prompts. */
  line(text: Printable): void
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
  const write = (said: readonly Printable[]) => {
    last = last.then(() => stderr.write(lines(said))).catch(() => undefined)
  }
  const safe = (text: Printable) => redactor.redacted(text)
  /** Broken at blanks on a terminal; a further line stands under the first. */
  const broken = (label: Printable, indent: number, text: Printable) =>
    stderr.isTTY
      ? split(safe(text)).flatMap((line) => hanging(label, indent, line, stderr.columns))
      : [say`${label}${safe(text)}`]
  const warning = say`Warning: `
  return {
    note: (text) => {
      if (!quiet && !machine) write(broken(blank, 2, text))
    },
    warn: (text) => write(broken(paint('yellow', warning), cells(warning), text)),
    debug: (text) => {
      if (debugging !== 'off') write([say`${paint('dim', 'debug: ')}${safe(text)}`])
    },
    line: (text) => write([safe(text)]),
    debugging,
    paint,
    flush: () => last,
  }
}
