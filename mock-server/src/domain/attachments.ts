import { createHash } from 'node:crypto'
import type { AnnotationRecord, ArtifactRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'
import { timestamp } from './timestamp.js'
import type { Moment } from './turn.js'

export const annotationStyles = ['success', 'info', 'warning', 'error'] as const

/**
 * Characters of an annotation's text, all that was added to it included: Markdown is made HTML in
 * more than linear time.
 */
const mostCharacters = 65_536

export interface AnnotationRequest extends Pick<AnnotationRecord, 'body' | 'context'> {
  /** Null: `info`, or what it is. */
  readonly style: AnnotationRecord['style'] | null
  /** Null: 3, or what it is. */
  readonly priority: number | null
  readonly append: boolean
}

export function isAnnotationText(body: string): boolean {
  return body.length <= mostCharacters || [...body].length <= mostCharacters
}

/**
 * The one annotation of a build with this context, after a call: made, replaced, or longer than
 * before.
 */
export function annotate(
  buildId: string,
  before: AnnotationRecord | undefined,
  { body, style, priority, context, append }: AnnotationRequest,
  moment: Moment,
): Decision<AnnotationRecord> {
  const at = timestamp(moment.now)
  const longer = append ? before : undefined
  const text = longer === undefined ? body : `${longer.body}\n\n${body}`
  if (!isAnnotationText(text)) {
    const errors = [{ field: 'body', code: 'invalid' }] as const
    return refuse('unprocessable', 'Validation Failed', { errors })
  }
  return accept({
    id: before?.id ?? moment.uuid('annotation'),
    buildId,
    context,
    style: style ?? longer?.style ?? 'info',
    priority: priority ?? longer?.priority ?? 3,
    body: text,
    created_at: before?.created_at ?? at,
    updated_at: at,
  })
}

export const artifactStates = ['new', 'error', 'finished', 'deleted', 'expired'] as const

export function newArtifact(
  own: Pick<ArtifactRecord, 'id' | 'buildId' | 'jobId' | 'path'>,
  content: Buffer,
  {
    mime_type,
    state,
  }: { readonly mime_type?: string | null | undefined; readonly state?: string | null | undefined },
): ArtifactRecord {
  return {
    ...own,
    state: artifactStates.find((known) => known === state) ?? 'finished',
    mime_type: mime_type ?? 'application/octet-stream',
    file_size: content.byteLength,
    sha1sum: createHash('sha1').update(content).digest('hex'),
    content: content.toString('base64'),
  }
}
