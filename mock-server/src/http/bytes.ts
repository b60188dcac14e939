import { accept, type Decision, refuse } from '../domain/decision.js'

/** Reads a body to its end, or refuses as soon as its chunks pass the limit, whatever Content-Length says. */
export const readBytes = async (request: Request, limit: number): Promise<Decision<Uint8Array>> => {
  const tooLarge = refuse('payload_too_large', 'Request body is too large', { headers: { Connection: 'close' } })
  if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge
  if (request.body === null) return accept(new Uint8Array())
  const chunks: Uint8Array[] = []
  const reader = request.body.getReader()
  let size = 0
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      size += chunk.value.byteLength
      if (size > limit) {
        await reader.cancel()
        return tooLarge
      }
      chunks.push(chunk.value)
    }
  } catch {
    // The caller left before the body was complete: nobody reads the answer, and nothing has happened yet.
    return refuse('bad_request', 'The request body could not be read', { detail: 'body_incomplete' })
  }
  return accept(Buffer.concat(chunks))
}
