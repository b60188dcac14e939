import {
  type Decision,
  type Failure,
  type FailureCode,
  failureStatuses,
} from '../domain/decision.js'
import { type FieldTable, type InputOf, object } from '../fields/composites.js'
import { createIssueList, type Field, formatPath, type IssueList } from '../fields/field.js'
import { type WithoutNullKeys, withoutNullKeys } from '../fields/merge.js'
import { isText } from '../fields/scalars.js'
import { failureOf } from '../http/failure.js'
import type { Limits } from '../sandbox/options.js'
import type { Generation, Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
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
 * A refusal of the control API, with the status and body of the HTTP answer.
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
    return {
      message: this.message,
      ...(this.errors.length > 0 && { errors: this.errors }),
      ...this.details,
    }
  }
}

export function notFound(noun: string): never {
  throw new ControlError('not_found', `No ${noun} found`)
}

export function invalid({
  issues,
  count,
}: Pick<IssueList, 'issues' | 'count'> | SeedError): ControlError {
  const errors = issues.map(({ path, message }) => ({
    path: isText(path) ? path : formatPath(path),
    message,
  }))
  const more = count - errors.length
  return new ControlError(
    'invalid',
    `Validation Failed${more > 0 ? ` (${more} more faults)` : ''}`,
    { errors },
  )
}

export function invalidAt(path: string, message: string): ControlError {
  return new ControlError('invalid', 'Validation Failed', { errors: [{ path, message }] })
}

function fromFailure(failure: Failure, cause?: unknown): ControlError {
  return new ControlError(
    codes.find((code) => failureCodes[code] === failure.code) ?? 'invalid',
    failure.message,
    { cause },
  )
}

export function granted<T>(decision: Decision<T>): T {
  if (decision.ok) return decision.value
  throw fromFailure(decision.failure)
}

export function asControlError(error: unknown): ControlError | undefined {
  if (error instanceof ControlError) return error
  if (error instanceof SeedError) return invalid(error)
  return error instanceof StoreError ? fromFailure(failureOf(error), error) : undefined
}

export type NotReady = 'loading' | 'readOnly' | 'closing' | null

export interface ControlHost {
  /** ISO 8601. */
  readonly startedAt: string
  readonly limits: Limits
  sandboxes(): Sandboxes | null
  isListening(): boolean
  internalErrors(): number
  droppedLogLines(): number
  notReady(): NotReady
}

export function readParams<T>(field: Field<T>, params: unknown): T {
  const issues = createIssueList()
  field.check(params, [], issues)
  if (issues.count > 0) throw invalid(issues)
  return params as T
}

type ParamsOf<T extends FieldTable> = { readonly [K in keyof InputOf<T>]: InputOf<T>[K] } & {}
type Arguments<T extends FieldTable> =
  Record<never, never> extends InputOf<T> ? [params?: ParamsOf<T>] : [params: ParamsOf<T>]
type Work<P, R> = (params: P, generation: Generation, sandbox: Sandbox) => R | Promise<R>

/**
 * Makes the control calls of a sandbox. Each call waits for the sandbox, uses one generation, and
 * throws refusals as ControlErrors.
 */
export function callsOf(coming: () => Promise<Sandbox>) {
  const bare =
    <P, R>(work: Work<P, R>) =>
    async (params: P): Promise<R> => {
      const sandbox = await coming()
      try {
        return await work(params, sandbox.current, sandbox)
      } catch (error) {
        throw asControlError(error) ?? error
      }
    }
  return {
    bare,
    plain: <R>(work: (generation: Generation, sandbox: Sandbox) => R | Promise<R>) => {
      const made = bare((_: null, generation, sandbox) => work(generation, sandbox))
      return () => made(null)
    },
    call: <T extends FieldTable, R>(table: T, work: Work<WithoutNullKeys<InputOf<T>>, R>) => {
      const field = object(table)
      const checked = bare((params: ParamsOf<T>, ...rest) =>
        work(withoutNullKeys(readParams(field, params)), ...rest),
      )
      return (...[params = {} as ParamsOf<T>]: Arguments<T>): Promise<R> => checked(params)
    },
  }
}

export type Calls = ReturnType<typeof callsOf>
