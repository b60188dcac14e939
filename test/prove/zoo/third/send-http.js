import http from 'node:http'
import https from 'node:https'
import { deadline, token } from './lib.js'

/** One request and its whole answer: status, headers, text. Redirects are not followed. */
export function send(method, url, body, { bearer = token, type = 'application/json' } = {}) {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json' }
    if (bearer) headers.authorization = `Bearer ${bearer}`
    if (body) headers['content-type'] = type
    const options = { method, headers, signal: AbortSignal.timeout(deadline) }
    const { request } = url.startsWith('https:') ? https : http
    const outgoing = request(url, options, async (response) => {
      try {
        let text = ''
        response.setEncoding('utf8')
        for await (const part of response) text += part
        resolve({ status: response.statusCode, headers: response.headers, text })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
