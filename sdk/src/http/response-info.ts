import { requestIdOf } from './api-error.js'
import type { Answer } from './body.js'

/** What is known about the answer of a call beside its data. */
export interface ResponseInfo {
  readonly status: number
  readonly headers: Headers
  /** The server's id of this request, for its operators. */
  readonly requestId?: string | undefined
  /** HTTP requests of this call, from 1. */
  readonly attempts: number
  /** Whole milliseconds from the call to its end, waits included. */
  readonly durationMs: number
}

/** Headers are built when somebody looks: most callers never do. */
export class AnswerInfo implements ResponseInfo {
  readonly status: number
  readonly attempts: number
  readonly durationMs: number
  readonly #answer: Pick<Answer, 'header' | 'entries'>
  readonly #secrets: readonly string[]
  #headers: Headers | undefined

  /** What must not stand in the request's id, which the server chooses. */
  constructor(
    answer: Pick<Answer, 'status' | 'header' | 'entries'>,
    attempts: number,
    durationMs: number,
    secrets: readonly string[],
  ) {
    this.status = answer.status
    this.attempts = attempts
    this.durationMs = durationMs
    this.#answer = answer
    this.#secrets = secrets
  }

  get headers(): Headers {
    this.#headers ??= new Headers([...this.#answer.entries()])
    return this.#headers
  }

  get requestId(): string | undefined {
    return requestIdOf(this.#answer, this.#secrets)
  }
}
