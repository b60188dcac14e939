import type { Annotation, Artifact } from '@buildwire/sdk/contract'
import { once } from '../base/once.js'
import { loadMarked } from '../base/parsers.js'
import type { AnnotationRecord, ArtifactRecord } from '../records/records.js'
import type { Presentation } from './present.js'

export function escaped(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`)
}

/** Records never change, so the HTML of each is made once. */
const htmlOf = new WeakMap<AnnotationRecord, string>()

/**
 * Converts Markdown to HTML; HTML stays as it is. If the text is nested too deeply for the parser,
 * the source is shown.
 */
function rendered(text: string): string {
  try {
    return loadMarked().parse(text, { async: false })
  } catch (error) {
    if (error instanceof RangeError) return `<pre>${escaped(text)}</pre>\n`
    throw error
  }
}

export function presentAnnotation(record: AnnotationRecord): Annotation {
  return {
    id: record.id,
    context: record.context,
    style: record.style,
    scope: 'build',
    priority: record.priority,
    body_html: once(htmlOf, record, () => rendered(record.body)),
    created_at: record.created_at,
    updated_at: record.updated_at,
  }
}

export function presentArtifact(show: Presentation, record: ArtifactRecord): Artifact {
  const build = show.state.get('builds', record.buildId)
  const buildUrl = build === undefined ? '' : show.locationOf(build).url
  const url = `${buildUrl}/jobs/${record.jobId}/artifacts/${record.id}`
  const cut = record.path.lastIndexOf('/')
  return {
    id: record.id,
    job_id: record.jobId,
    url,
    download_url: `${url}/download`,
    state: record.state,
    path: record.path,
    dirname: cut < 0 ? '.' : record.path.slice(0, cut) || '/',
    filename: record.path.slice(cut + 1),
    mime_type: record.mime_type,
    file_size: record.file_size,
    glob_path: null,
    original_path: null,
    sha1sum: record.sha1sum,
  }
}
