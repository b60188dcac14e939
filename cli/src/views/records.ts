import { htmlText } from '@buildwire/sdk'
import type { Annotation, Artifact, Job, Organization, Pipeline, TestRecord } from '@buildwire/sdk/contract'
import { jobName, jobState, jobTitle } from './job.js'
import type { RecordKind, TsvColumn } from './view.js'

/** A kind of record whose table shows its tab-separated columns. */
function simpleKind<T extends object>(
  kind: Pick<RecordKind<T>, 'plural' | 'schema' | 'columns' | 'id'> & {
    flexible: string
    title: (record: T) => string
  },
): RecordKind<T> {
  const { flexible, title, ...rest } = kind
  return {
    ...rest,
    table: async (records, view) => {
      const { simpleTable } = await import('./simple-table.js')
      return simpleTable(records, kind.columns, flexible, view)
    },
    detail: async (record, view) => {
      const { simplePage } = await import('./simple-table.js')
      return simplePage(record, kind.columns, title(record), view)
    },
  }
}

const webUrl: TsvColumn<{ web_url?: string | null | undefined }> = {
  name: 'web_url',
  value: (record) => record.web_url,
}

/** Jobs of a build, each on its own. */
export const jobs: RecordKind<Job> = simpleKind<Job>({
  plural: 'jobs',
  schema: 'Job',
  columns: [
    { name: 'state', value: jobState },
    { name: 'name', value: jobTitle },
    { name: 'type', value: (job) => job.type },
    { name: 'step_key', value: (job) => job.step_key },
    { name: 'exit_status', value: (job) => job.exit_status },
    { name: 'command', value: (job) => job.command },
    { name: 'agent', value: (job) => job.agent?.name },
    { name: 'started_at', value: (job) => job.started_at },
    { name: 'finished_at', value: (job) => job.finished_at },
    { name: 'id', value: (job) => job.id },
    webUrl,
  ],
  id: (job) => job.id,
  flexible: 'name',
  title: jobName,
})

/** Notes on a build. */
export const annotations: RecordKind<Annotation> = {
  plural: 'annotations',
  schema: 'Annotation',
  columns: [
    { name: 'id', value: (note) => note.id },
    { name: 'style', value: (note) => note.style },
    { name: 'context', value: (note) => note.context },
    { name: 'priority', value: (note) => note.priority },
    { name: 'scope', value: (note) => note.scope },
    { name: 'created_at', value: (note) => note.created_at },
    { name: 'updated_at', value: (note) => note.updated_at },
    { name: 'text', value: (note) => htmlText(note.body_html ?? '') },
  ],
  id: (note) => note.id,
  table: async (notes, view) => (await import('./annotation-list.js')).annotationList(notes, view),
  detail: async (note, view) => (await import('./annotation-list.js')).annotationList([note], view),
}

/** Files that jobs left behind. */
export const artifacts: RecordKind<Artifact> = simpleKind<Artifact>({
  plural: 'artifacts',
  schema: 'Artifact',
  columns: [
    { name: 'path', value: (artifact) => artifact.path },
    { name: 'file_size', value: (artifact) => artifact.file_size },
    { name: 'mime_type', value: (artifact) => artifact.mime_type },
    { name: 'state', value: (artifact) => artifact.state },
    { name: 'id', value: (artifact) => artifact.id },
    { name: 'job_id', value: (artifact) => artifact.job_id },
    { name: 'sha1sum', value: (artifact) => artifact.sha1sum },
  ],
  id: (artifact) => artifact.id,
  flexible: 'path',
  title: (artifact) => artifact.path ?? artifact.id,
})

/** Pipelines of an organization. */
export const pipelines: RecordKind<Pipeline> = simpleKind<Pipeline>({
  plural: 'pipelines',
  schema: 'Pipeline',
  columns: [
    { name: 'slug', value: (pipeline) => pipeline.slug },
    { name: 'name', value: (pipeline) => pipeline.name },
    { name: 'repository', value: (pipeline) => pipeline.repository },
    { name: 'default_branch', value: (pipeline) => pipeline.default_branch },
    webUrl,
  ],
  id: (pipeline) => pipeline.slug ?? '',
  flexible: 'repository',
  title: (pipeline) => pipeline.name ?? pipeline.slug ?? '',
})

/** Organizations that the token works in. */
export const organizations: RecordKind<Organization> = simpleKind<Organization>({
  plural: 'organizations',
  schema: 'Organization',
  columns: [
    { name: 'slug', value: (organization) => organization.slug },
    { name: 'name', value: (organization) => organization.name },
    webUrl,
  ],
  id: (organization) => organization.slug ?? '',
  flexible: 'name',
  title: (organization) => organization.name ?? organization.slug ?? '',
})

/** Test records of a suite. */
export const tests: RecordKind<TestRecord> = simpleKind<TestRecord>({
  plural: 'tests',
  schema: 'TestRecord',
  columns: [
    { name: 'id', value: (test) => test.id },
    { name: 'scope', value: (test) => test.scope },
    { name: 'name', value: (test) => test.name },
    { name: 'location', value: (test) => test.location },
    { name: 'labels', value: (test) => test.labels?.join(',') },
    webUrl,
  ],
  id: (test) => test.id,
  flexible: 'name',
  title: (test) => test.name ?? test.id,
})
