import axios from 'axios'
import { deadline, token } from './lib.js'

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
export async function send(method, url, data) {
  const {
    status,
    headers,
    data: text,
  } = await axios.request({
    method,
    url,
    data,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    responseType: 'text',
    transformResponse: (body) => body,
    validateStatus: () => true,
    maxRedirects: 0,
    proxy: false,
    signal: AbortSignal.timeout(deadline),
  })
  return { status, headers, text }
}
