import { InvalidResponseError } from '../errors/errors.js'
import type { BodyStream } from '../transport/body-stream.js'
import type { Call } from './call.js'
import type { CallOptions, ClientContext } from './context.js'
import { RateGate } from './rate-limit.js'
import { type Sent, send } from './send.js'

/** A body that is read as it comes, and how large it is. */
export interface OpenedBody {
  readonly body: BodyStream | undefined
  /** Bytes, or null when nobody said. */
  readonly size: number | null
}

/**
 * Opens what stands at an address that an answer named, at any origin. The request carries neither the token nor what
 * middleware would add, and what that origin says of its limits is not ours. Its address, which may be the key to the
 * content, appears in no error.
 */
export function elsewhere(
  context: ClientContext,
  operationId: string,
  named: Sent<{ readonly url: string }>,
  options: CallOptions,
): Promise<Sent<OpenedBody>> {
  const stranger: ClientContext = {
    ...context,
    provider: undefined,
    fixedToken: undefined,
    middleware: [],
    gate: new RateGate(context.clock),
  }
  return send(
    stranger,
    () => callTo(context, operationId, named),
    { ...options, headers: undefined },
    (answer) => ({ body: answer.stream, size: lengthOf(answer) }),
  )
}

/** What `content-length` says of a body that travels as it is. */
export function lengthOf(answer: { header(name: string): string | undefined }): number | null {
  const length = answer.header('content-length') ?? ''
  return answer.header('content-encoding') === undefined && /^\d{1,15}$/.test(length) ? Number(length) : null
}

/** @throws InvalidResponseError for an address that the client's own rules for `baseUrl` would refuse. */
function callTo(context: ClientContext, operationId: string, { data, response }: Sent<{ readonly url: string }>): Call {
  const url = URL.canParse(data.url) ? new URL(data.url) : undefined
  const plain = url?.protocol === 'http:' && context.api.href.startsWith('http:')
  if (url === undefined || !(plain || url.protocol === 'https:') || url.username !== '' || url.password !== '') {
    throw new InvalidResponseError('The address of the content cannot be used: it must be https, without a user name', {
      ...{ operationId, status: response.status, requestId: response.requestId },
      expected: 'an https URL',
      got: url === undefined ? 'no URL' : `an address with ${url.protocol}`,
    })
  }
  return {
    operationId,
    asked: `GET ${url.origin}/…`,
    method: 'GET',
    url: url.href,
    origin: url.origin,
    path: '/…',
    accept: '*/*',
    retrySafe: true,
    streamed: true,
    anonymous: true,
    headers: { 'accept-encoding': 'identity' },
  }
}
