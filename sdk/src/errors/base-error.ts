const brand = Symbol.for('buildwire.error')

/**
 * Whether the request was carried out: `no` is proven, `yes` means that the server answered and its
 * answer says so, `unknown` that it may have been: no answer came, or none that tells.
 */
export type Sent = 'no' | 'yes' | 'unknown'

/** What every error of this package may say about itself. */
export interface ErrorFacts {
  sent: Sent
  /** Of the operation table, or `request`. */
  operationId?: string | undefined
  /** Which call it was, as events and middleware name it. */
  callId?: string | undefined
  /** What to do about it, as a sentence without its full stop. */
  advice?: string | undefined
  /** The server's own sentence, without this call's secrets. */
  serverMessage?: string | undefined
  /** A scrubbed copy of the foreign error. */
  cause?: unknown
  /**
   * Of the answer, as far as one came: without this call's secrets, cookies, and what a `location`
   * opens.
   */
  headers?: Headers | undefined
}

/** Everything that may be written to a log. */
const loggable = [
  'option',
  'status',
  'operationId',
  'callId',
  'method',
  'path',
  'requestId',
  'attempts',
  'sent',
  'kind',
  'timeoutMs',
  'error',
  'serverMessage',
  'errors',
  'advice',
  'retryAfterMs',
  'requiredScope',
  'grantedScopes',
  'scope',
  'limit',
  'expected',
  'got',
  'origin',
  'pages',
  'local',
  'maybeApproved',
] as const

/** What all errors of this package share. `message` is `summary` and the advice. */
abstract class Base extends Error {
  declare readonly code: string
  /** What happened, without advice. */
  readonly summary: string

  constructor(summary: string, { cause, headers, ...fields }: ErrorFacts) {
    const { advice } = fields
    super(
      advice === undefined ? summary : `${summary}. ${advice}`,
      cause === undefined ? undefined : { cause },
    )
    Object.assign(
      this,
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    )
    this.summary = summary
    // Beside what a printed error shows.
    if (headers !== undefined) Object.defineProperty(this, 'headers', { value: headers })
  }

  /** The fields that may be written to a log: an allow-list, without bodies and causes. */
  toJSON(): Record<string, unknown> {
    const { name, code, message } = this
    const known = loggable.map(
      (field) => [field, (this as unknown as Readonly<Record<string, unknown>>)[field]] as const,
    )
    return {
      name,
      code,
      message,
      ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    }
  }
}

Object.defineProperty(Base.prototype, brand, { value: true })

/** The base of an error class with the facts `F`: they are given to it, and stand on the error. */
type ErrorBase = abstract new <F extends ErrorFacts>(
  summary: string,
  facts: F,
) => Base & Readonly<F>

export const BaseError = Base as unknown as ErrorBase

/** Whether this is one of our errors, from whichever copy of the package. */
export function hasBrand(error: unknown): error is { readonly code?: unknown } {
  return typeof error === 'object' && error !== null && brand in error && error[brand] === true
}
