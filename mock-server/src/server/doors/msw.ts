import { HttpResponse, http, type RequestHandler } from 'msw'
import { FaultError } from '../../rules/perform.js'
import type { MockServer } from '../create-mock-server.js'

/**
 * The server as MSW request handlers, for code that calls the global `fetch`. npm undici's own
 * `request` is not seen by MSW's `setupServer`: use `server.dispatcher()` there.
 *
 * @example
 * const worker = setupServer(...mswHandlers(server))
 * worker.listen()
 */
export function mswHandlers(
  server: Pick<MockServer, 'baseUrl' | 'authUrl' | 'webUrl' | 'fetch'>,
): RequestHandler[] {
  const origins = new Set(
    [server.baseUrl, server.authUrl, server.webUrl].map((url) => new URL(url).origin),
  )
  return [...origins].map((origin) =>
    // The pattern has no groups: MSW decodes groups, and throws at an invalid escape.
    http.all(
      // Bound: a fixed text at the start, which takes linear time on any input.
      new RegExp(`^${origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`),
      async ({ request }) => {
        try {
          return await server.fetch(request)
        } catch (error) {
          if (error instanceof FaultError) return HttpResponse.error()
          throw error
        }
      },
    ),
  )
}
