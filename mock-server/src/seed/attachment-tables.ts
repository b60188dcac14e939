import { annotate, annotationStyles } from '../domain/annotate.js'
import { artifactStates, newArtifact } from '../domain/artifact.js'
import { type Given, optional, required } from '../fields/composites.js'
import { integer, oneOf, text } from '../fields/scalars.js'
import type { ArtifactRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import type { Loading } from './loading.js'

/** Bytes of one artifact at most. */
export const mostArtifactBytes = 1_048_576

export const artifactTable = {
  path: required(text({ min: 1, max: 1000 }), 'Natural key within the job. Any text: a client must not trust it.'),
  content: optional(text({ max: mostArtifactBytes }), '', 'The content, as text.'),
  base64: optional(
    text({
      max: 1_398_104,
      pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      shape: 'base64',
    }),
    undefined,
    'The content, in base64, in place of `content`.',
  ),
  mime_type: optional(
    text({ max: 127, pattern: /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/, shape: 'a media type' }),
    undefined,
    'Default: application/octet-stream, text/plain for `content`.',
  ),
  state: optional(oneOf(...artifactStates), 'finished'),
}
export type SeedArtifact = Given<typeof artifactTable>

export const annotationTable = {
  context: optional(
    text({ min: 1, max: 1000, pattern: /\S/, shape: 'a name' }),
    'default',
    'Natural key within the build.',
  ),
  style: optional(oneOf(...annotationStyles), 'info'),
  priority: optional(integer(1, 10), 3),
  body: required(text({ min: 1, max: 65_536, pattern: /\S/, shape: 'a text' }), 'Markdown or HTML.'),
}
export type SeedAnnotation = Given<typeof annotationTable>

/** The artifact that a document describes: new, or the job's of this path with another content. Null: it is too large. */
export function artifactOf(
  state: ReadonlyState,
  uuid: (noun: string) => string,
  { buildId, jobId }: Pick<ArtifactRecord, 'buildId' | 'jobId'>,
  { path, content, base64, mime_type, state: stands }: SeedArtifact,
): { readonly record: ArtifactRecord; readonly stored: ArtifactRecord | undefined } | null {
  const bytes = base64 ? Buffer.from(base64, 'base64') : Buffer.from(content ?? '')
  if (bytes.byteLength > mostArtifactBytes) return null
  const stored = state.list('artifacts', jobId).find((artifact) => artifact.path === path)
  const type = mime_type ?? (base64 ? undefined : 'text/plain; charset=utf-8')
  const own = { id: stored?.id ?? uuid('artifact'), buildId, jobId, path }
  return { record: newArtifact(own, bytes, { mime_type: type, state: stands }), stored }
}

export function putAnnotation(loading: Loading, buildId: string, given: SeedAnnotation, now: number): void {
  const context = given.context ?? 'default'
  const stored = loading.state.find('annotationByContext', buildId, context)
  const request = {
    body: given.body,
    style: given.style ?? null,
    priority: given.priority ?? null,
    context,
    append: false,
  }
  const made = annotate(buildId, stored, request, { now, uuid: loading.context.uuid })
  if (made.ok) loading.put('annotations', made.value, stored)
}
