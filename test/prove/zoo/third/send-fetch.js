import { deadline, token } from './lib.js'

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
export async function send(method, url, body, bearer = token) {
  const headers = { authorization: `Bearer ${bearer}`, accept: 'application/json' }
  if (body) headers['content-type'] = 'application/json'
  const signal = AbortSignal.timeout(deadline)
  const init = { method, headers, signal, redirect: 'manual' }
  const response = await fetch(url, body ? { ...init, body: JSON.stringify(body) } : init)
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text }
}
