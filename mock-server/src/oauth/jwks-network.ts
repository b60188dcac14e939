import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** What a key set's origin answered, before anything of it is believed. */
interface JwksAnswer {
  readonly status: number
  header(name: string): string | null
  readonly body: AsyncIterable<Uint8Array>
}

export type GetJwks = (uri: string, signal: AbortSignal) => Promise<JwksAnswer>

const headers = { Accept: 'application/jwk-set+json, application/json', 'Accept-Encoding': 'identity' }

const answerOf = (message: IncomingMessage): JwksAnswer => ({
  status: message.statusCode ?? 0,
  header: (name) => {
    const value = message.headers[name]
    return value === undefined ? null : String(value)
  },
  body: message,
})

/** A plain GET on a connection of its own: no redirects, no decoding, and no proxy that the environment names. */
export const getFromNetwork: GetJwks = (uri, signal) =>
  new Promise((resolve, reject) => {
    const secure = new URL(uri).protocol === 'https:'
    const agent = secure ? new HttpsAgent() : new HttpAgent()
    const send = secure ? httpsRequest : httpRequest
    const request = send(uri, { agent, headers, signal }, (message) => resolve(answerOf(message)))
    request.on('error', reject)
    request.end()
  })

/** The same through a `fetch` that was handed in. */
export const getByFetch =
  (fetch: typeof globalThis.fetch): GetJwks =>
  async (uri, signal) => {
    const response = await fetch(uri, { headers, signal, redirect: 'manual' })
    async function* chunks(): AsyncGenerator<Uint8Array> {
      if (response.body !== null) yield* response.body
    }
    const status = response.redirected ? 0 : response.status
    return { status, header: (name) => response.headers.get(name), body: chunks() }
  }
