import { html, raw } from 'hono/html'
import type sanitize from 'sanitize-html'
import { once } from '../base/once.js'
import { parseUuid } from '../http/query.js'
import { artifactLink, isArtifactLink } from '../present/artifact-link.js'
import { presentAnnotation } from '../present/present-attachment.js'
import type { AnnotationRecord, ArtifactRecord } from '../records/records.js'
import type { PageRequest } from './page-context.js'
import { type Child, listing, row } from './record.js'

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const text = 'p br hr strong em b i del s code pre kbd blockquote a details summary'
const structure = 'ul ol li dl dt dd table thead tbody tr th td'

/** Loads the package that cleans HTML when the first page of a build needs it, not at every start. */
export async function loadSanitizer(): Promise<typeof sanitize> {
  return (await import('sanitize-html')).default
}

/**
 * HTML of a job that is safe in a page: text, lists, tables and links. Scripts, images, styles and
 * headings are removed.
 */
function cleanHtml(body: string, sanitizeHtml: typeof sanitize): string {
  return sanitizeHtml(body, {
    allowedTags: [...headings, ...`${text} ${structure}`.split(' ')],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    transformTags: {
      // Headings would break the outline of the page.
      ...Object.fromEntries(headings.map((name) => [name, 'strong'])),
      a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noreferrer' }),
    },
  })
}

/** The clean HTML per record; records are immutable. */
const cleaned = new WeakMap<AnnotationRecord, string>()
const tones: Readonly<Record<string, string>> = { error: 'bad', success: 'good', warning: 'warn' }

/** An annotation that a job wrote on its build. */
export function annotationView(annotation: AnnotationRecord, sanitizeHtml: typeof sanitize): Child {
  const body = once(cleaned, annotation, () =>
    cleanHtml(presentAnnotation(annotation).body_html ?? '', sanitizeHtml),
  )
  const look = `notice annotation ${tones[annotation.style ?? ''] ?? ''}`
  return html`<section class="${look}" aria-label="Annotation ${annotation.context}">${raw(body)}</section>`
}

function size(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** The list of artifacts; nothing without artifacts. Their links are valid for a minute. */
export function artifacts(
  { env: { sandbox } }: PageRequest,
  records: Iterable<ArtifactRecord>,
): Child {
  const now = sandbox.clock.now()
  const rows = [...records].map((artifact) =>
    artifact.state === 'finished'
      ? row({
          href: artifactLink(sandbox, artifact, now),
          text: artifact.path,
          aside: size(artifact.file_size),
        })
      : row({ href: '#', text: artifact.path, aside: artifact.state }),
  )
  return rows.length > 0 && listing('Artifacts', '', rows)
}

function plain(c: PageRequest, status: 403 | 404, words: string): Response {
  return c.body(`${words}\n`, status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  })
}

/**
 * `/artifacts/{id}/content`: the content of an artifact for a client with a valid link. A browser
 * downloads it and does not run it.
 */
export function artifactContent(c: PageRequest): Response {
  const { sandbox } = c.env
  const id = parseUuid(c.req.param('id') ?? '') ?? ''
  const { expires, signature } = c.req.query()
  if (!isArtifactLink(sandbox, id, { expires, signature }))
    return plain(c, 403, 'This link is not valid any more')
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
