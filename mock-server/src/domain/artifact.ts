import { createHash } from 'node:crypto'
import type { ArtifactRecord } from '../records/records.js'

export const artifactStates = ['new', 'error', 'finished', 'deleted', 'expired'] as const

export function newArtifact(
  own: Pick<ArtifactRecord, 'id' | 'buildId' | 'jobId' | 'path'>,
  content: Buffer,
  { mime_type, state }: { readonly mime_type?: string | null | undefined; readonly state?: string | null | undefined },
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
