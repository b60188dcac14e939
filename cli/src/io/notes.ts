import type { Paint } from './color.js'
import type { OutputStream } from './io.js'
import { blank, lines, type Printable, say } from './printable.js'
import type { Redactor } from './redact.js'
import { cells, hanging, split } from './width.js'

/** Writes to stderr all but the final error. Lines keep their order; `flush` waits for the last. */
export type Notes = ReturnType<typeof createNotes>

export interface NotesOptions {
  readonly stderr: OutputStream
  readonly redactor: Redactor
  readonly paint: Paint
  readonly quiet: boolean
  /** A program reads stdout, so notes are left out. */
  readonly machine: boolean
  readonly debugging: 'off' | 'on' | 'http'
}

/** Notes on a stream; errors of a closed stderr are ignored. */
export function createNotes({ stderr, redactor, paint, quiet, machine, debugging }: NotesOptions) {
  let last: Promise<void> = Promise.resolve()
  const write = (noteLines: readonly Printable[]) => {
    last = last.then(() => stderr.write(lines(noteLines))).catch(() => undefined)
  }
  const safe = (text: Printable) => redactor.redacted(text)
  /** Broken at blanks on a terminal; further lines are indented below the first. */
  const broken = (label: Printable, indent: number, text: Printable) =>
    stderr.isTTY
      ? split(safe(text)).flatMap((line) => hanging(label, indent, line, stderr.columns))
      : [say`${label}${safe(text)}`]
  const warning = say`Warning: `
  return {
    /** Information for a person; left out under `--quiet` and in machine modes. */
    note(text: Printable): void {
      if (!quiet && !machine) write(broken(blank, 2, text))
    },
    /** A warning; always written. */
    warn: (text: Printable): void => write(broken(paint('yellow', warning), cells(warning), text)),
    /** A decision or a timing, with `--debug` only. */
    debug(text: Printable): void {
      if (debugging !== 'off') write([say`${paint('dim', 'debug: ')}${safe(text)}`])
    },
    /** A line without a label, not broken: hints and prompts; always written. */
    line: (text: Printable): void => write([safe(text)]),
    debugging,
    paint,
    flush: () => last,
  }
}
