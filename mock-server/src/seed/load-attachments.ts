import { annotate, newArtifact } from '../domain/attachments.js'
import type { InputOf } from '../fields/composites.js'
import type { ArtifactRecord, BuildRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import type { annotationTable, artifactTable } from './attachment-tables.js'
import type { SeedJob } from './job-tables.js'
import { storedJob } from './load-job.js'
import type { Loading } from './loading.js'

type ArtifactOwner = Pick<ArtifactRecord, 'buildId' | 'jobId'>

/** The artifact that a document describes: a new one, or the stored one of this path, replaced. */
export function artifactOf(
  state: ReadonlyState,
  uuid: (noun: string) => string,
  { buildId, jobId }: ArtifactOwner,
  given: InputOf<typeof artifactTable>,
): { readonly record: ArtifactRecord; readonly stored: ArtifactRecord | undefined } {
  const { path, content, base64 } = given
  const bytes = base64 ? Buffer.from(base64, 'base64') : Buffer.from(content ?? '')
  const defaultType = base64 ? undefined : 'text/plain; charset=utf-8'
  const mime_type = given.mime_type ?? defaultType

  const stored = state.list('artifacts', jobId).find((artifact) => artifact.path === path)
  const id = stored?.id ?? uuid('artifact')
  const record = newArtifact({ id, buildId, jobId, path }, bytes, { mime_type, state: given.state })
  return { record, stored }
}

export function putArtifact(
  loading: Loading,
  owner: ArtifactOwner,
  given: InputOf<typeof artifactTable>,
): void {
  const { record, stored } = artifactOf(loading.state, loading.context.uuid, owner, given)
  loading.put('artifacts', record, stored)
}

export function putAnnotation(
  loading: Loading,
  buildId: string,
  given: InputOf<typeof annotationTable>,
  now: number,
): void {
  const context = given.context ?? 'default'
  const stored = loading.state.find('annotationByContext', buildId, context)
  const { body, style = null, priority = null } = given
  const request = { body, style, priority, context, append: false }
  const annotation = annotate(buildId, stored, request, { now, uuid: loading.context.uuid })
  if (annotation.ok) loading.put('annotations', annotation.value, stored)
}

/**
 * Loads the artifacts of the n-th job of a document. In a build that existed before, the job is the
 * one with the same id or step key.
 */
export function loadArtifacts(
  loading: Loading,
  build: BuildRecord,
  given: SeedJob,
  n: number,
): void {
  const nth = build.jobs.at(n)
  const isSameJob = given.id
    ? nth?.id === given.id
    : !given.step_key || nth?.step_key === given.step_key
  const job = isSameJob ? nth : storedJob(build, given)
  for (const artifact of given.artifacts ?? [])
    putArtifact(loading, { buildId: build.id, jobId: job?.id ?? '' }, artifact)
}
