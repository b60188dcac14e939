import got from 'got'
import { deadline, token } from './lib.js'

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
export async function send(method, url, json) {
  const { statusCode, headers, body } = await got(url, {
    method,
    ...(json && { json }),
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    throwHttpErrors: false,
    followRedirect: false,
    retry: { limit: 0 },
    timeout: { request: deadline },
  })
  return { status: statusCode, headers, text: body }
}
