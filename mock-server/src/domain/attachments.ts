import { createHash } from 'node:crypto'
import { ARTIFACT_STATES } from '@buildwire/sdk/contract'
import type { AnnotationRecord, ArtifactRecord } from '../records/records.js'
import { accept, type Decision, refuse } from './decision.js'
import { timestamp } from './timestamp.js'
import type { Moment } from './turn.js'

export const annotationStyles = ['success', 'info', 'warning', 'error'] as const

/**
 * The limit for the text of an annotation with all appended text, in characters. Converting
 * Markdown takes more than linear time.
 */
const maxCharacters = 65_536
export const annotationLimits = `must have 1 to ${maxCharacters} characters, with the text it is appended to`

export interface AnnotationRequest extends Pick<AnnotationRecord, 'body' | 'context'> {
  /** Null: unchanged when appending, else `info`. */
  readonly style: AnnotationRecord['style'] | null
  /** Null: unchanged when appending, else 3. */
  readonly priority: number | null
  readonly append: boolean
}

export function isAnnotationText(body: string): boolean {
  return body.length <= maxCharacters || [...body].length <= maxCharacters
}

/** The annotation of a build with this context: new, replaced, or with text appended. */
export function annotate(
  buildId: string,
  before: AnnotationRecord | undefined,
  { body, style, priority, context, append }: AnnotationRequest,
  moment: Moment,
): Decision<AnnotationRecord> {
  const at = timestamp(moment.now)
  const extended = append ? before : undefined
  const text = extended === undefined ? body : `${extended.body}\n\n${body}`
  if (!isAnnotationText(text)) {
    const errors = [{ field: 'body', code: 'invalid', message: annotationLimits }] as const
    return refuse('unprocessable', 'Validation Failed', { errors })
  }
  return accept({
    id: before?.id ?? moment.uuid('annotation'),
    buildId,
    context,
    style: style ?? extended?.style ?? 'info',
    priority: priority ?? extended?.priority ?? 3,
    body: text,
    created_at: before?.created_at ?? at,
    updated_at: at,
  })
}

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
    state: ARTIFACT_STATES.find((known) => known === state) ?? 'finished',
    mime_type: mime_type ?? 'application/octet-stream',
    file_size: content.byteLength,
    sha1sum: createHash('sha1').update(content).digest('hex'),
    content: content.toString('base64'),
  }
}
