import { checkedObject } from '../base/checked.js'
import type { Operation } from '../contract/operations.gen.js'
import type { OAuthError, Sent } from '../errors/errors.js'
import type { HttpAnswer, RequestName } from './body.js'
import type { ClientContext } from './context.js'
import { encode } from './encode.js'

/** One call, encoded: everything that is needed to send it and to judge its answer. */
export interface EncodedCall extends RequestName {
  readonly method: string
  readonly url: string
  readonly origin: string
  /** For messages and events: without origin and query. */
  readonly path: string
  readonly accept: string
  /** Sending it twice does no more than sending it once. */
  readonly retrySafe: boolean
  readonly body?: string | undefined
  /** Of the body, when it is not JSON. */
  readonly contentType?: string
  readonly scope?: string | null
  readonly extension?: boolean
  readonly organization?: string | undefined
  /** The caller wants the answer whatever its status. */
  readonly everyStatus?: boolean
  /** The caller reads the body of a success part by part. */
  readonly streamed?: boolean
  /** No token is sent: the address alone, which came from an answer, opens the content. */
  readonly anonymous?: boolean
  /** The time limit of the call also ends a streamed body. */
  readonly bounded?: boolean
  /** A status other than 2xx that is a success, such as 416 for a range behind the end. */
  readonly also?: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A redirect is a success. It is not followed. */
  readonly redirects?: boolean
  /** What the caller can do when it is unknown whether the server did the work. */
  readonly advice?: string | undefined
  readonly oauth?: OAuthRow | undefined
}

/**
 * What is different about an OAuth endpoint: no bearer, no request window, and errors in the words
 * of RFC 6749 §5.2.
 */
export interface OAuthRow {
  /** Makes the form of the next attempt. No error and no event repeats its `secrets`. */
  form(): Promise<{
    readonly fields: Readonly<Record<string, string>>
    readonly secrets: readonly string[]
  }>
  /**
   * Looks at an answer before it is judged; true sends the request once more, outside the retries.
   */
  again?(answer: HttpAnswer): boolean
  /** Whether the answer has an `error` word, which makes it a refusal whatever its status. */
  refuses(answer: HttpAnswer): boolean
  mayPass(answer: HttpAnswer): boolean
  toError(answer: HttpAnswer, refused: RefusedCall): OAuthError
}

/** A call whose answer is not a success. */
export interface RefusedCall {
  readonly call: EncodedCall
  readonly sent: Sent
  readonly attempts: number
  readonly retryAfterMs: number
  readonly secrets: readonly string[]
}

/**
 * The call that an operation's row and params make. @throws ConfigError `config` before anything is
 * sent.
 */
export function operationCall(
  context: ClientContext,
  operation: Operation,
  params: object,
): EncodedCall {
  const encoded = encode(operation, checkedParams(params))
  const graphql = operation.server === 'graphql'
  const service = graphql ? context.graphql : context.api
  const path = graphql ? service.prefix || '/' : encoded.path
  return {
    operationId: operation.id,
    asked: `${operation.method} ${path}`,
    method: operation.method,
    // graphqlUrl is the whole address; its row's path only says where it stands by default.
    url: graphql ? service.href : service.href + path + encoded.query,
    origin: service.origin,
    path,
    accept: operation.result === 'text' ? 'text/plain' : 'application/json',
    body: encoded.body,
    scope: operation.scope,
    extension: operation.extension,
    organization: encoded.organization,
    retrySafe: operation.retrySafe,
    redirects: operation.result === 'redirect',
    advice: operation.retrySafe ? undefined : advice[operation.id],
  }
}

/** Params as an object, empty without params. @throws ConfigError `config` */
export function checkedParams(params: object): Readonly<Record<string, unknown>> {
  return checkedObject('params', params ?? {}, 'names and values') as Readonly<
    Record<string, unknown>
  >
}

/** Makes data of a success. @throws InvalidResponseError */
export type AnswerReader<T> = (answer: HttpAnswer, call: EncodedCall) => T

const advice: Readonly<Record<string, string>> = {
  'builds.create':
    'The build may exist: list the newest builds of this branch (builds.listForPipeline) before you create it again',
  'builds.rebuild':
    'The new build may exist: look for a build whose rebuilt_from is this one (builds.listForPipeline) before you try again',
  'builds.retryFailedJobs':
    'The jobs may be queued already: read the build with include_retried_jobs (builds.get) before you try again',
  'annotations.create':
    'The annotation may exist: read the annotations of the build (annotations.list) before you add to it again',
  'accessToken.revoke': 'The token may be revoked already: a call with it that answers 401 says so',
  graphql: 'The document may have been executed',
}
