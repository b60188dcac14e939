import type { Middleware } from '@buildwire/sdk'
import type { Notes } from './notes.js'
import { say } from './printable.js'
import { maskBody, SECRET_NAMES } from './redact.js'

const MAX_BODY = 4096

/** Writes the request and the response of each attempt, with secrets masked. */
export function debugHttp(notes: Notes): Middleware {
  return async (request, next) => {
    notes.debug(say`> ${request.method} ${maskBody(request.url)}`)
    for (const [name, value] of Object.entries(request.headers))
      notes.debug(say`> ${header(name, value)}`)
    if (request.body !== undefined) notes.debug(say`> ${cut(maskBody(request.body))}`)
    const response = await next(request)
    notes.debug(say`< ${response.status}`)
    for (const [name, value] of response.entries()) notes.debug(say`< ${header(name, value)}`)
    return {
      status: response.status,
      header: (name) => response.header(name),
      entries: () => response.entries(),
      async text(maxBytes) {
        const text = await response.text(maxBytes)
        notes.debug(say`< ${cut(maskBody(text))}`)
        return text
      },
      bytes: (maxBytes) => response.bytes(maxBytes),
      stream: () => response.stream(),
      discard: () => response.discard(),
    }
  }
}

function header(name: string, value: string): string {
  return `${name}: ${SECRET_NAMES.has(name.toLowerCase()) ? '[redacted]' : value}`
}

function cut(body: string): string {
  return body.length <= MAX_BODY ? body : `${body.slice(0, MAX_BODY)}… (${body.length} characters)`
}
