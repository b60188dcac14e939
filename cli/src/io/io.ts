import type { Readable } from 'node:stream'
import type { Printable } from './printable.js'

export interface OutputStream {
  readonly isTTY: boolean
  /** Cells of one line, read anew at each access since windows change. */
  readonly columns: number
  readonly rows: number
  /** Whether the terminal behind it is known to show OSC 8 links. */
  showsLinks(): Promise<boolean>
  /**
   * Writes text for people, or bytes for programs. Resolves when the system accepted it; rejects
   * with OutputClosedError when the reader has closed the stream.
   */
  write(text: Printable | Uint8Array): Promise<void>
  /**
   * Calls `listener` when the window changes its size, until the returned function is called;
   * absent if the stream is not a terminal.
   */
  onResize?(listener: () => void): () => void
  /** Reads the window's size without waiting for its signal; a change calls the listeners. */
  refreshSize?(): void
}

export interface InputStream {
  readonly isTTY: boolean
  stream(): Readable
  readAll(): Promise<Uint8Array>
  /** One line typed by a person, without its line end; null at the end of the input. */
  readLine(): Promise<string | null>
  /**
   * Reads single keys in raw mode, Ctrl-C too, until the returned function restores the terminal;
   * absent if the stream is not a terminal.
   */
  onKeys?(listener: (keys: string) => void): () => void
}

export type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** What the program uses of its process: streams, environment, directory. Tests pass their own. */
export interface Io {
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** The environment at the start, before this program changes it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly platform: string
  readonly pid: number
  readonly nodeVersion: string
  /** Calls `listener` at each such signal until the returned function is called. */
  onSignal(signal: EndingSignal, listener: () => void): () => void
  /** Calls `listener` with uncaught errors, until the returned function is called. */
  onUncaught(listener: (error: unknown) => void): () => void
  /** Ends at once, without waiting for pending output; for a second signal only. */
  exitNow(code: number): void
}

/** The variable `BUILDWIRE_<name>`; an empty one counts as unset. */
export function variable(io: Pick<Io, 'env'>, name: string): string | undefined {
  const value = io.env[`BUILDWIRE_${name}`]
  return value === '' ? undefined : value
}

function isOn(value: string | undefined) {
  return value !== undefined && !['', '0', 'false'].includes(value)
}

/** Whether a variable is set to something other than nothing, `0` or `false`. */
export function variableOn(io: Pick<Io, 'env'>, name: string): boolean {
  return isOn(variable(io, name))
}

/** Whether no person can answer: then there is no prompt, no picker and no browser. */
export function isNonInteractive(io: Io, noInput: boolean): boolean {
  return (
    noInput || variableOn(io, 'NO_INPUT') || !io.stdin.isTTY || !io.stderr.isTTY || isOn(io.env.CI)
  )
}
