import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OAuthServer } from './oauth-server.js'

export type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A key set's origin on loopback, which answers as a test tells it and counts who came. */
export class Origin implements AsyncDisposable {
  readonly requests: IncomingMessage[] = []
  answer: Answering
  /** Lets the answers of an origin that holds them go. */
  release: () => void = () => undefined
  readonly #server = createServer((request, response) => {
    this.requests.push(request)
    this.answer(request, response)
  })

  constructor(answer: Answering) {
    this.answer = answer
  }

  static async serving(
    keys: readonly unknown[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Origin> {
    return Origin.answering(serve(keys, headers))
  }

  /** An origin that answers once it is released. */
  static async holding(keys: readonly unknown[]): Promise<Origin> {
    const held: (() => void)[] = []
    const origin = await Origin.answering((request, response) => {
      held.push(() => serve(keys)(request, response))
    })
    origin.release = () => {
      for (const answer of held) answer()
    }
    return origin
  }

  static async answering(answer: Answering): Promise<Origin> {
    const origin = new Origin(answer)
    await new Promise<void>((resolve) => origin.#server.listen(0, '127.0.0.1', resolve))
    return origin
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/jwks.json`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

export const says =
  (
    body: string | Buffer,
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ): Answering =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

export const serve = (
  keys: readonly unknown[],
  headers: Readonly<Record<string, string>> = {},
): Answering =>
  says(JSON.stringify({ keys }), 200, { 'Content-Type': 'application/json', ...headers })

/** An application of the token exchange whose keys are at this address. */
export const registerOrigin = (s: OAuthServer, jwks_uri: string, client_id = 'remote') =>
  s.apply({
    applications: [
      {
        kind: 'token_exchange',
        client_id,
        name: client_id,
        jwks_uri,
        grantableScopes: ['read_builds'],
        defaultScopes: ['read_builds'],
      },
    ],
  })
