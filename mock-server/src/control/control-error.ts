import { type Decision, type Failure, type FailureCode, failureStatuses } from '../domain/decision.js'
import { formatPath, type IssueList } from '../fields/field.js'
import { isText } from '../fields/scalars.js'
import { failureOf } from '../http/failure.js'
import { SeedError } from '../seed/seed-error.js'
import { StoreError } from '../store/errors.js'

const failureCodes = {
  bad_request: 'bad_request',
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
  not_found: 'not_found',
  method_not_allowed: 'method_not_allowed',
  timeout: 'request_timeout',
  conflict: 'conflict',
  too_large: 'payload_too_large',
  unsupported: 'unsupported_media_type',
  invalid: 'unprocessable',
  unavailable: 'unavailable',
} as const satisfies Record<string, FailureCode>
export type ControlErrorCode = keyof typeof failureCodes
const codes = Object.keys(failureCodes) as readonly ControlErrorCode[]

export interface ControlIssue {
  /** `actions[0].delayMs`; empty for the whole. */
  readonly path: string
  readonly message: string
}

/**
 * A refusal of the control API: what HTTP answers, as an error.
 *
 * @example
 * try {
 *   await server.control.requests.verify({ match: { path: '/oauth/token' }, count: 1 })
 * } catch (error) {
 *   if (error instanceof ControlError) console.error(error.status, error.message, error.errors)
 * }
 */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ControlErrorCode
  /** The HTTP status of the same refusal. */
  readonly status: number
  readonly errors: readonly ControlIssue[]
  /** More of the answer's body, such as `nearest` of a verification. */
  readonly details: Readonly<Record<string, unknown>>
  /** Headers of the HTTP answer. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ControlErrorCode,
    message: string,
    more: {
      readonly errors?: readonly ControlIssue[]
      readonly details?: Readonly<Record<string, unknown>>
      readonly headers?: Readonly<Record<string, string>>
      readonly cause?: unknown
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.status = failureStatuses[failureCodes[code]]
    this.errors = more.errors ?? []
    this.details = more.details ?? {}
    this.headers = more.headers ?? {}
  }

  /** The body of the HTTP answer. */
  get body(): Readonly<Record<string, unknown>> {
    return { message: this.message, ...(this.errors.length > 0 && { errors: this.errors }), ...this.details }
  }
}

export function notFound(noun: string): never {
  throw new ControlError('not_found', `No ${noun} found`)
}

export const invalid = ({ issues, count }: Pick<IssueList, 'issues' | 'count'> | SeedError): ControlError => {
  const errors = issues.map(({ path, message }) => ({ path: isText(path) ? path : formatPath(path), message }))
  const more = count - errors.length
  return new ControlError('invalid', `Validation Failed${more > 0 ? ` (${more} more faults)` : ''}`, { errors })
}

export const invalidAt = (path: string, message: string): ControlError =>
  new ControlError('invalid', 'Validation Failed', { errors: [{ path, message }] })

const fromFailure = (failure: Failure, cause?: unknown): ControlError =>
  new ControlError(codes.find((code) => failureCodes[code] === failure.code) ?? 'invalid', failure.message, { cause })

export const granted = <T>(decision: Decision<T>): T => {
  if (decision.ok) return decision.value
  throw fromFailure(decision.failure)
}

/** Undefined for a bug. */
export const asControlError = (error: unknown): ControlError | undefined => {
  if (error instanceof ControlError) return error
  if (error instanceof SeedError) return invalid(error)
  return error instanceof StoreError ? fromFailure(failureOf(error), error) : undefined
}
