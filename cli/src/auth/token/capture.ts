import type { Transport } from '@buildwire/sdk'
import { decodeJwt } from './jwt.js'

/** A request to the token endpoint that was made and not sent. */
export interface CapturedExchange {
  readonly transport: Transport
  readonly sent: {
    readonly method: string
    readonly url: string
    readonly form: Readonly<Record<string, string>>
    readonly header: unknown
    readonly claims: unknown
  } | null
}

/** A transport that keeps the request and answers a refusal, so that what is shown is exactly what would be sent. */
export function captureExchange(): CapturedExchange {
  const captured: { sent: CapturedExchange['sent'] } = { sent: null }
  const body = JSON.stringify({ error: 'invalid_request', error_description: 'nothing was sent' })
  const headers = new Map([['content-type', 'application/json']])
  const transport: Transport = async ({ method, url, body: sent = '' }) => {
    const form = Object.fromEntries(new URLSearchParams(sent))
    const jwt = decodeJwt(form.client_assertion ?? '')
    const client_assertion = jwt === null ? '[redacted]' : jwt.masked
    captured.sent ??= {
      method,
      url,
      form: { ...form, client_assertion },
      header: jwt?.header ?? null,
      claims: jwt?.claims ?? null,
    }
    return {
      status: 400,
      header: (name) => headers.get(name),
      entries: () => headers,
      text: async () => body,
      bytes: async () => new TextEncoder().encode(body),
      async *stream() {
        yield new TextEncoder().encode(body)
      },
      discard: async () => undefined,
    }
  }
  return {
    transport,
    get sent() {
      return captured.sent
    },
  }
}
