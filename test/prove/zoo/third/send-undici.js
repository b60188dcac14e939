import { request } from 'undici'
import { deadline, token } from './lib.js'

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
export async function send(method, url, body) {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  if (body) headers['content-type'] = 'application/json'
  const signal = AbortSignal.timeout(deadline)
  const init = { method, headers, signal }
  const answer = await request(url, body ? { ...init, body: JSON.stringify(body) } : init)
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}
