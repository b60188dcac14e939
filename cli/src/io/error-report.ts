import type { Hint } from './command-error.js'
import type { Printable } from './printable.js'

/** An error as it is told: to people as at most four lines, to programs as one JSON object. */
export interface ErrorReport {
  readonly code: string
  /** One sentence without the status. */
  readonly message: Printable
  /** The sentence people read, where it says more than `message`. */
  readonly headline: Printable | null
  readonly status: number | null
  readonly operationId: string | null
  readonly requestId: string | null
  readonly detail: string | null
  readonly errors: readonly unknown[]
  readonly requiredScope: string | null
  readonly grantedScopes: readonly string[] | null
  readonly retryAfterMs: number | null
  readonly hint: Hint | null
  readonly exitCode: number
  /** Lines between the headline and the hint. */
  readonly lines: readonly Printable[]
  /** What the person may choose from, one a line below those. */
  readonly choices: readonly Printable[]
  /** Only for our own faults. */
  readonly stack: string | null
}

/** The credential of `token inspect` and `--with-token`: a login cannot mend it. */
export const FROM_STDIN = 'stdin'

interface Server {
  readonly value: string
  readonly source: string
}

/** A pipeline's address. */
export interface PipelinePath {
  readonly org_slug: string
  readonly pipeline_slug: string
}

/** What the path of a request names. */
export interface Address {
  readonly org?: string | undefined
  readonly pipeline?: string | undefined
  readonly number?: string | undefined
  readonly suite?: string | undefined
  readonly test?: string | undefined
  readonly job?: string | undefined
}

/** What an explanation may refer to. */
export interface ErrorFacts {
  /** Which credential was used, such as `BUILDWIRE_TOKEN`. */
  readonly credential: string | null
  readonly contextName: string | null
  /** The pipeline that this run is about, once it is known. */
  readonly pipeline: (PipelinePath & { readonly branch?: string | undefined }) | null
  /** A command line that leads to the server and the context of this run. */
  readonly command: (words: readonly (string | number)[]) => Printable
  /** The servers of this run, and where their addresses came from. */
  readonly baseUrl: Server | null
  readonly authUrl: Server | null
  /** The variable that names a proxy for a URL; null when it is asked directly. */
  readonly proxyOf: (url: string) => string | null
  /** What a missing extension operation costs and what replaces it, by operation. */
  readonly replaces?: Readonly<Record<string, (address: Address) => Printable>> | undefined
}

/** A report with every field that is not known set to null. */
export function report(fields: Partial<ErrorReport> & Pick<ErrorReport, 'code' | 'message' | 'exitCode'>): ErrorReport {
  return {
    status: null,
    operationId: null,
    requestId: null,
    detail: null,
    errors: [],
    requiredScope: null,
    grantedScopes: null,
    retryAfterMs: null,
    hint: null,
    headline: null,
    lines: [],
    choices: [],
    stack: null,
    ...fields,
  }
}
