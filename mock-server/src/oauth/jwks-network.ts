import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

interface JwksRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

/** Fetches a key set; returns the unchecked response. */
export type GetJwks = (uri: string, request: JwksRequest) => Promise<Response>

/** A GET on a new connection, without redirects, decoding, or a proxy from the environment. */
export const getFromNetwork: GetJwks = async (uri, { headers, signal }) => {
  const secure = new URL(uri).protocol === 'https:'
  const { Agent, request } = await (secure ? import('node:https') : import('node:http'))
  const agent = new Agent()
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request(uri, { agent, headers, signal }, resolve).on('error', reject).end()
  })
  const responseHeaders = Object.entries(message.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Response(Readable.toWeb(message) as ReadableStream, {
    status: message.statusCode ?? 0,
    headers: responseHeaders,
  })
}
