const brand = Symbol.for('buildwire.error')

/**
 * Whether the request was carried out. `no`: certainly not. `yes`: the server answered, and its
 * answer says so. `unknown`: it may have been, because no answer came, or none that tells.
 */
export type Sent = 'no' | 'yes' | 'unknown'

/**
 * What the constructor of an error class takes: the fields that the class declares, without those
 * of `Fixed`, which the class sets itself.
 */
export type ErrorFields<E extends BaseError, Fixed extends keyof E = never> = Omit<
  E,
  keyof Error | 'summary' | 'toJSON' | Fixed
> &
  Pick<Error, 'cause'>

/** The fields that every error has. */
export type CommonFields = ErrorFields<BaseError, 'code'>

/** The fields that `toJSON()` shows. All others stay out of logs. */
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

/** The base of all errors of this package. `message` is `summary` followed by `advice`. */
export abstract class BaseError extends Error {
  abstract readonly code: string
  /** What happened, without advice. */
  readonly summary: string
  declare readonly sent: Sent
  /** An operation of the contract, or `request`. */
  declare readonly operationId?: string | undefined
  /** The id of the call, as events and middleware name it. */
  declare readonly callId?: string | undefined
  /** What to do about it, as a sentence without its full stop. */
  declare readonly advice?: string | undefined
  /** The server's own sentence, without this call's secrets. */
  declare readonly serverMessage?: string | undefined
  /**
   * The headers of the answer, if one came: without this call's secrets, cookies, and the query and
   * fragment of `location`.
   */
  declare readonly headers?: Headers | undefined

  /** `cause` is a copy of the foreign error, without secrets. */
  constructor(summary: string, { cause, headers, ...fields }: CommonFields) {
    const { advice } = fields
    const message = advice === undefined ? summary : `${summary}. ${advice}`
    super(message, cause === undefined ? undefined : { cause })
    Object.defineProperty(this, brand, { value: true })
    Object.assign(this, withoutUndefined(fields))
    this.summary = summary
    // Not enumerable: a printed error does not show them.
    if (headers !== undefined) Object.defineProperty(this, 'headers', { value: headers })
  }

  /** The fields that may be written to a log, without bodies, headers and causes. */
  toJSON(): Record<string, unknown> {
    const { name, code, message } = this
    const fields = this as unknown as Readonly<Record<string, unknown>>
    const logged = Object.fromEntries(loggable.map((field) => [field, fields[field]]))
    return { name, code, message, ...withoutUndefined(logged) }
  }
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Whether this is one of our errors, from any copy of the package. */
export function hasBrand(error: unknown): error is { readonly code?: unknown } {
  return typeof error === 'object' && error !== null && brand in error && error[brand] === true
}
