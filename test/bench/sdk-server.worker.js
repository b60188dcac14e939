/**
 * Serves one build, endless pages of builds, and tokens, as fast as Node can. Both sides of a
 * benchmark use this server.
 */
import { createServer } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { build, builds, perPage } = workerData
const one = Buffer.from(JSON.stringify(build))
let exchanges = 0

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://127.0.0.1')
  if (request.method === 'POST') {
    exchanges += 1
    request.resume().on('end', () => {
      const body = {
        access_token: `bwtx_${String(exchanges).padStart(43, 'x')}`,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'read_builds',
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    return
  }
  if (url.pathname === '/v2/builds') {
    const page = Number(url.searchParams.get('page') ?? 1)
    const items = Array.from({ length: perPage }, (_, index) => {
      const n = (page - 1) * perPage + index
      return {
        ...build,
        id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        number: builds - n,
      }
    })
    const next = `<http://${request.headers.host}/v2/builds?page=${page + 1}&per_page=${perPage}>; rel="next"`
    const link = page * perPage < builds ? { link: next } : {}
    response
      .writeHead(200, { 'content-type': 'application/json', ...link })
      .end(JSON.stringify(items))
    return
  }
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': one.length })
    .end(one)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }))
parentPort.on('message', () => parentPort.postMessage({ exchanges }))
