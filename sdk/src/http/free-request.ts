import { checkedNames, checkedObject, must } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'
import { parseUrl } from '../errors/parse-url.js'
import type { ResponseInfo } from './api-promise.js'
import type { EncodedCall } from './call.js'
import type { CallOptions } from './client-options.js'
import type { ClientContext } from './context.js'
import { encodeFreeQuery, toJson } from './encode.js'
import { addedHeaders } from './headers.js'
import { send } from './send.js'

/** A request that no row of the operation table describes. */
export interface FreeRequest {
  /** Any HTTP method. */
  method: string
  /** A path below `baseUrl`, or a URL on its origin. */
  path: string
  /** Added to the query: scalars, lists as `name[]=…`, objects as `name[key]=…`. */
  query?: object | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown
}

/** An answer of any status, already read. */
export interface FreeResponse {
  readonly response: ResponseInfo
  text(): Promise<string>
  bytes(): Promise<Uint8Array>
}

/** `CiClient.request`. */
export async function freeRequest(
  context: ClientContext,
  params: FreeRequest,
  options: CallOptions,
): Promise<FreeResponse> {
  const prepare = (): EncodedCall => freeCall(context, params)
  const { data, response } = await send(
    context,
    prepare,
    options,
    ({ bytes = new Uint8Array() }) => bytes,
  )
  return { response, text: async () => new TextDecoder().decode(data), bytes: async () => data }
}

/** @throws ConfigError `config` */
function freeCall(context: ClientContext, params: FreeRequest): EncodedCall {
  checkedNames('params', params, {
    method: true,
    path: true,
    query: true,
    headers: true,
    body: true,
  })
  const method = checkedMethod(params.method)
  const url = target(context, params)
  const headers = addedHeaders(params.headers ?? {})
  const { body } = params
  const { prefix } = context.api
  // A URL on the origin need not have the prefix of `baseUrl`.
  const path = url.pathname.startsWith(`${prefix}/`)
    ? url.pathname.slice(prefix.length)
    : url.pathname
  const readOnly = method === 'GET' || method === 'HEAD'
  if (readOnly && body !== undefined)
    throw new ConfigError('body', `a ${method} request has no body`)
  return {
    operationId: 'request',
    asked: `${method} ${path}`,
    method,
    url: url.href,
    origin: url.origin,
    path,
    accept: 'application/json',
    body: body === undefined || typeof body === 'string' ? body : toJson(body),
    organization: /\/v2\/(?:analytics\/)?organizations\/([^/]+)/.exec(url.pathname)?.[1],
    retrySafe: readOnly,
    everyStatus: true,
    headers,
    advice: readOnly
      ? undefined
      : 'The request may have been carried out: look before you send it again',
  }
}

function checkedMethod(method: string): string {
  if (
    typeof method === 'string' &&
    /^[A-Za-z]{1,20}$/.test(method) &&
    !/^(connect|trace)$/i.test(method)
  ) {
    return method.toUpperCase()
  }
  throw must('method', 'be an HTTP method, such as GET')
}

function target(context: ClientContext, { path, query }: FreeRequest): URL {
  if (typeof path !== 'string' || path === '') throw must('path', 'be a path or a URL')
  const { origin, href } = context.api
  const text = /^[a-z][a-z0-9+.-]*:/i.test(path)
    ? path
    : `${href}${path.startsWith('/') ? '' : '/'}${path}`
  const url = parseUrl(text)
  if (url === undefined) throw must('path', 'be a path or a URL')
  if (url.origin !== origin || url.username !== '' || url.password !== '') {
    throw must('path', `stay on ${origin}: the token is sent nowhere else`)
  }
  checkedObject('query', query ?? {}, 'names and values')
  const added = encodeFreeQuery((query ?? {}) as Readonly<Record<string, unknown>>)
  if (added !== '') url.search = url.search === '' ? added : `${url.search}&${added.slice(1)}`
  url.hash = ''
  return url
}
