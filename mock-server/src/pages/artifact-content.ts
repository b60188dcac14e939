import { parseUuid } from '../http/query.js'
import { isArtifactLink } from '../present/artifact-link.js'
import type { PageRequest } from './page-context.js'

const plain = (c: PageRequest, status: 403 | 404, text: string): Response =>
  c.body(`${text}\n`, status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })

/** `/artifacts/{id}/content`: what a job left behind, to whoever has a link that is still valid. It runs nowhere. */
export function artifactContent(c: PageRequest): Response {
  const { sandbox } = c.env
  const id = parseUuid(c.req.param('id') ?? '') ?? ''
  const { expires, signature } = c.req.query()
  if (!isArtifactLink(sandbox, id, { expires, signature })) return plain(c, 403, 'This link is not valid any more')
  const artifact = sandbox.store.state.get('artifacts', id)
  if (artifact === undefined) return plain(c, 404, 'No artifact found')
  const content = Buffer.from(artifact.content, 'base64')
  return c.body(content, 200, {
    'Content-Type': artifact.mime_type,
    'Content-Length': String(content.byteLength),
    'Content-Disposition': 'attachment',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
}
