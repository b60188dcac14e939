import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
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
  const agent = secure ? new HttpsAgent() : new HttpAgent()
  const send = secure ? httpsRequest : httpRequest
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    send(uri, { agent, headers, signal }, resolve).on('error', reject).end()
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
