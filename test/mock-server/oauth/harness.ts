import { test as base, expect } from 'vitest'
import type { Fields } from './assertions.js'
import { type Answer, startServer } from './oauth-server.js'

export * from './oauth-server.js'
export * from './seed.js'

/** A test with a server of its own. */
export const test = base.extend('s', async ({ task: _task }, { onCleanup }) => {
  const s = await startServer()
  onCleanup(() => s.server.close())
  return s
})

const statuses: Readonly<Record<string, number>> = {
  server_error: 503,
  temporarily_unavailable: 429,
}

/** A refusal with these exact words, and everything that each OAuth answer must have. */
export const expectRefusal = (answer: Answer, error: string, description?: string): void => {
  expect({ error: answer.body['error'], text: answer.body['error_description'] }).toEqual({
    error,
    text: description ?? expect.any(String),
  })
  const challenge = answer.headers.get('www-authenticate')
  expect(answer.status).toBe(challenge === null ? (statuses[error] ?? 400) : 401)
  expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
  expect(String(answer.body['error_description'])).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expectOAuthHeaders(answer)
  if (challenge !== null)
    expect([error, challenge]).toEqual(['invalid_client', 'Basic realm="buildwire"'])
}

export const expectOAuthHeaders = (answer: Answer): void => {
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('pragma')).toBe('no-cache')
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
}

export const expectBadSignature = (answer: Answer): void =>
  expectRefusal(answer, 'invalid_client', 'Invalid client assertion signature')

export const expectTokens = (answer: Answer, members: Fields = {}): void => {
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toMatchObject({ token_type: 'Bearer', ...members })
  expect(Object.values(answer.body)).not.toContain(null)
  expectOAuthHeaders(answer)
}

/** What of an answer a caller could compare: body and headers, less date and request id. */
const fingerprint = ({ status, headers, text }: Answer): unknown => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
})

/** All answers of an oracle group are one. */
export const expectIdentical = (answers: readonly Answer[]): void => {
  const [first, ...others] = answers.map(fingerprint)
  for (const other of others) expect(other).toEqual(first)
}
