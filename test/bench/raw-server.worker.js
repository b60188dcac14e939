/**
 * The minimal server with `node:http`: sends bytes, prints records, or verifies an assertion and
 * mints a token.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { importJWK, jwtVerify } from 'jose'

const { bytes, records, jwk, audience } = workerData
const key = jwk ? await importJWK(jwk, 'ES256') : undefined
const tokens = new Map()

const server = createServer((request, response) => {
  const send = (body) =>
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      .end(body)
  if (request.method === 'GET') {
    request.resume()
    return send(bytes ?? JSON.stringify(records))
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part) => {
    text += part
  })
  request.on('end', async () => {
    const form = new URLSearchParams(text)
    const { payload } = await jwtVerify(form.get('client_assertion'), key, { audience })
    const token = randomBytes(32).toString('base64url')
    tokens.set(token, payload.sub)
    send(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600 }))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }))
