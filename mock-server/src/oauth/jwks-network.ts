import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'

interface JwksRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

/** Gets what a key set's origin answers, before anything of it is believed. */
export type GetJwks = (uri: string, request: JwksRequest) => Promise<Response>

/**
 * A plain GET on a connection of its own: no redirects, no decoding, and no proxy that the
 * environment names.
 */
export const getFromNetwork: GetJwks = async (uri, { headers, signal }) => {
  const secure = new URL(uri).protocol === 'https:'
  const agent = secure ? new HttpsAgent() : new HttpAgent()
  const send = secure ? httpsRequest : httpRequest
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    send(uri, { agent, headers, signal }, resolve).on('error', reject).end()
  })
  const answered = Object.entries(message.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Response(Readable.toWeb(message) as ReadableStream, {
    status: message.statusCode ?? 0,
    headers: answered,
  })
}
