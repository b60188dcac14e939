import { fetchTransport } from '@buildwire/sdk'
import { expect, test } from 'vitest'
import { client, path, rejection } from './support/client.js'
import { json, serve } from './support/server.js'

const artifact = { ...path, number: 42, job_id: 'j1', artifact_id: 'a1' }
const html = { 'content-type': 'text/html' }

test.each<[location: string, url: string]>([
  ['https://files.ci.example/9c12?signature=4f3a', 'https://files.ci.example/9c12?signature=4f3a'],
  ['/files/9c12', 'BASE/files/9c12'],
  ['../content', 'BASE/v2/organizations/acme/pipelines/web/builds/42/jobs/j1/artifacts/content'],
])('a download that leads to %s says where, and is not followed', async (location, url) => {
  const server = await serve((response) => void response.writeHead(302, { location, ...html }).end('<p>Found</p>'))
  for (const transport of [undefined, fetchTransport()]) {
    const ci = client(server.url, { transport })
    expect(await ci.artifacts.download(artifact)).toEqual({ url: url.replace('BASE', server.url) })
  }
  expect(server.requests).toHaveLength(2)
})

test('without Location the body says where', async () => {
  const server = await serve((response) => json(response, 302, { url: 'https://files.ci.example/9c12' }))
  expect(await client(server.url).artifacts.download(artifact)).toEqual({ url: 'https://files.ci.example/9c12' })
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://[', 'data:text/plain,x'])(
  '%s is no place',
  async (location) => {
    const server = await serve((response) => void response.writeHead(302, { location }).end())
    const error = await rejection(client(server.url).artifacts.download(artifact))
    expect(error).toMatchObject({ code: 'invalid_response', operationId: 'artifacts.download' })
    expect(error.message).not.toContain(location)
  },
)
