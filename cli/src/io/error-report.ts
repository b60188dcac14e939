import type { PipelinePath } from '@buildwire/sdk/contract'
import type { Hint } from './command-error.js'
import type { Printable } from './printable.js'

/** An error as it is reported: to people as a few lines, to programs as one JSON object. */
export interface ErrorReport {
  readonly code: string
  /** One sentence without the status. */
  readonly message: Printable
  readonly exitCode: number
  /** The sentence people read, where it says more than `message`. */
  readonly headline?: Printable
  readonly status?: number | undefined
  readonly operationId?: string | undefined
  readonly requestId?: string | undefined
  readonly detail?: string | undefined
  readonly errors?: readonly unknown[]
  readonly requiredScope?: string | undefined
  readonly grantedScopes?: readonly string[] | undefined
  readonly retryAfterMs?: number | undefined
  readonly hint?: Hint | undefined
  /** Lines between the headline and the hint. */
  readonly lines?: readonly Printable[] | undefined
  /** Choices for the person, one a line below those. */
  readonly choices?: readonly Printable[]
  /** Only for errors of this program itself. */
  readonly stack?: string
}

/** The credential of `token inspect` and `--with-token`, which a login does not replace. */
export const FROM_STDIN = 'stdin'

/** A value, and where it came from: a flag, a variable, a file. */
export interface Sourced {
  readonly value: string
  readonly source: string
}

/** What an error report says about the run: its server, credential, context and pipeline. */
export interface RunFacts {
  /** Which credential was used, such as `BUILDWIRE_TOKEN`. */
  readonly credential: string | null
  readonly contextName: string | null
  /** The pipeline that this run works on, once it is known. */
  readonly pipeline: (PipelinePath & { readonly branch?: string | undefined }) | null
  /** A command line that leads to the server and the context of this run. */
  readonly command: (words: readonly (string | number)[]) => Printable
  /** The servers of this run, and where their addresses came from. */
  readonly baseUrl: Sourced | null
  readonly authUrl: Sourced | null
  /** The variable that names a proxy for a URL; null when requests go there directly. */
  readonly proxyOf: (url: string) => string | null
}
