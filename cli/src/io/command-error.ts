import { ExitCode, type ExitCodeName } from './exit-codes.js'
import { type Printable, say } from './printable.js'

/** The words of a command of `ci` to try next, or another advice as text. */
export type Hint = readonly (string | number)[] | Printable

export interface CommandErrorDetails {
  /** The request and its response, or the cause; at most two lines are shown. */
  readonly lines?: readonly Printable[] | undefined
  /** Choices for the person, one a line. */
  readonly choices?: readonly Printable[] | undefined
  /** Shown after `Try:`. */
  readonly hint?: Hint | undefined
  /** The exit code, if it differs from the one of the name. */
  readonly exitCode?: number | undefined
  readonly cause?: unknown
}

/** An error of a command, named as in the exit-code table and written for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: ExitCodeName
  /** Kept apart from `message`, because the flag parser rewrites messages. */
  readonly headline: Printable
  readonly lines: readonly Printable[]
  readonly choices: readonly Printable[]
  readonly hint: Hint | undefined
  readonly exitCode: number

  constructor(code: ExitCodeName, headline: Printable, details: CommandErrorDetails = {}) {
    super(String(headline), details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.headline = headline
    this.lines = details.lines ?? []
    this.choices = details.choices ?? []
    this.hint = details.hint
    this.exitCode = details.exitCode ?? ExitCode[code]
  }
}

/** A wrong command line: exit code 2. */
export function usageError(headline: Printable, details: CommandErrorDetails = {}): CommandError {
  return new CommandError('usage', headline, details)
}

/** Reads a value; an error begins with the name of its flag, variable or file. */
export function naming<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CommandError) || error.message.startsWith(name)) throw error
    throw usageError(say`${name}: ${error.headline}`, error)
  }
}

/** Ends a command with an exit code and no message; its output already says what happened. */
export class ExitRequest extends Error {
  override readonly name = 'ExitRequest'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`exit ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** The reader of stdout closed it. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError'
}

/** A signal ends the run. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly exitCode: number

  constructor(signal: string, exitCode: number) {
    super(`interrupted by ${signal}`)
    this.exitCode = exitCode
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The system's code of an error, such as ENOENT; else its message. */
export function errorCode(error: unknown): string {
  if (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
  ) {
    return error.code
  }
  return messageOf(error)
}
