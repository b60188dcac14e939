import type { Paint } from './color.js'
import type { OutputStream } from './io.js'
import { blank, lines, type Printable, say } from './printable.js'
import type { Redactor } from './redact.js'
import { cells, hanging, split } from './width.js'

/**
 * What goes to stderr besides the final error. Lines are written in order; `flush` waits for the
 * last of them.
 */
export type Notes = ReturnType<typeof createNotes>

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
export function createNotes({ stderr, redactor, paint, quiet, machine, debugging }: NotesOptions) {
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
    /** Something a person may like to know; silent under `--quiet` and in machine modes. */
    note(text: Printable): void {
      if (!quiet && !machine) write(broken(blank, 2, text))
    },
    /** Something that may surprise; always written. */
    warn: (text: Printable): void => write(broken(paint('yellow', warning), cells(warning), text)),
    /** A decision or a timing, with `--debug` only. */
    debug(text: Printable): void {
      if (debugging !== 'off') write([say`${paint('dim', 'debug: ')}${safe(text)}`])
    },
    /** A line as it is: hints and prompts. */
    line: (text: Printable): void => write([safe(text)]),
    debugging,
    paint,
    flush: () => last,
  }
}
