import { htmlText } from '@buildwire/sdk'
import type {
  Annotation,
  Artifact,
  Build,
  Job,
  Organization,
  Pipeline,
  TestRecord,
} from '@buildwire/sdk/contract'
import { reference } from '../io/printable.js'
import { buildAddress, buildBy } from './build.js'
import { jobState, jobTitle, parallelPart, triggeredBuild } from './job.js'
import type { RecordColumn, RecordKind, TsvColumn } from './view.js'

function fieldColumns<T>(...names: (keyof T & string)[]): TsvColumn<T>[] {
  return names.map((name) => ({ name, value: (record) => record[name] }))
}

type ListsModule = typeof import('./lists.js')

/** Makes the table of a kind from its columns; the drawing code is loaded only for a terminal. */
function tableOf<T>(
  columns: (lists: ListsModule) => readonly RecordColumn<T>[],
): RecordKind<T>['table'] {
  return async (records, view) => {
    const lists = await import('./lists.js')
    return lists.recordTable(records, columns(lists), view)
  }
}

/** A kind whose table and page show the same columns as its tab-separated lines. */
function simpleKind<T extends object>(
  kind: Pick<RecordKind<T>, 'plural' | 'schema' | 'columns' | 'id'>,
  flexible: string,
  title: (record: T) => string,
): RecordKind<T> {
  return {
    ...kind,
    table: tableOf(({ plainColumns }) => plainColumns(kind.columns, flexible)),
    detail: async (record, view) =>
      (await import('./lists.js')).recordPage(record, kind.columns, title(record), view),
  }
}

/** Builds: the list of `ci builds list` and the page of `ci builds get`. */
export const builds: RecordKind<Build> = {
  plural: 'builds',
  schema: 'Build',
  columns: [
    ...fieldColumns<Build>('number', 'state', 'blocked', 'branch', 'commit', 'message'),
    { name: 'creator', value: (build) => buildBy(build) || null },
    ...fieldColumns<Build>('created_at', 'started_at', 'finished_at'),
    { name: 'pipeline', value: (build) => buildAddress(build).pipeline_slug },
    ...fieldColumns<Build>('web_url'),
  ],
  id: (build, isQualified) =>
    isQualified ? reference(buildAddress(build), build.number) : String(build.number),
  extraLines: (build) =>
    (build.jobs ?? []).map((job) => [
      'job',
      job.id,
      job.state,
      job.name ?? job.label ?? job.step_key ?? job.type,
      job.exit_status,
      job.started_at,
      job.finished_at,
      parallelPart(job),
      triggeredBuild(job),
    ]),
  table: tableOf((lists) => lists.buildColumns),
  detail: async (record, view) => (await import('./build-page.js')).buildPage(record, view),
}

export const jobs: RecordKind<Job> = {
  plural: 'jobs',
  schema: 'Job',
  columns: [
    { name: 'state', value: jobState },
    { name: 'name', value: jobTitle },
    ...fieldColumns<Job>('type', 'step_key', 'exit_status', 'command'),
    { name: 'agent', value: (job) => job.agent?.name },
    ...fieldColumns<Job>('started_at', 'finished_at', 'id', 'web_url'),
    { name: 'triggered_build', value: triggeredBuild },
  ],
  id: (job) => job.id,
  async table(jobs, view) {
    const { jobRows, layoutJobs } = await import('./job-rows.js')
    return layoutJobs(
      jobs.flatMap((job) => jobRows([job], view)),
      view,
    )
  },
  detail: async (job, view) => jobNamed(job.id).detail(job, view),
}

/** Jobs whose page names the job by this word in commands. */
export function jobNamed(word: string): RecordKind<Job> {
  const detail: RecordKind<Job>['detail'] = async (job, view) =>
    (await import('./job-page.js')).jobPage(job, word, view)
  return { ...jobs, detail }
}

export const annotations: RecordKind<Annotation> = {
  plural: 'annotations',
  schema: 'Annotation',
  columns: [
    ...fieldColumns<Annotation>(
      'id',
      'style',
      'context',
      'priority',
      'scope',
      'created_at',
      'updated_at',
    ),
    { name: 'text', value: (note) => htmlText(note.body_html ?? '') },
  ],
  id: (note) => note.id,
  table: async (notes, view) => (await import('./lists.js')).annotationList(notes, view),
  detail: async (note, view) => (await import('./lists.js')).annotationList([note], view),
}

export const artifacts: RecordKind<Artifact> = {
  plural: 'artifacts',
  schema: 'Artifact',
  columns: [
    ...fieldColumns<Artifact>('path', 'file_size', 'mime_type', 'state', 'id', 'job_id', 'sha1sum'),
  ],
  id: (artifact) => artifact.id,
  table: tableOf((lists) => lists.artifactColumns),
  detail: (artifact, view) => artifacts.table([artifact], view),
}

export const pipelines = simpleKind<Pipeline>(
  {
    plural: 'pipelines',
    schema: 'Pipeline',
    columns: [...fieldColumns<Pipeline>('slug', 'name', 'repository', 'default_branch', 'web_url')],
    id: (pipeline) => pipeline.slug ?? '',
  },
  'repository',
  (pipeline) => pipeline.name ?? pipeline.slug ?? '',
)

export const organizations = simpleKind<Organization>(
  {
    plural: 'organizations',
    schema: 'Organization',
    columns: [...fieldColumns<Organization>('slug', 'name', 'web_url')],
    id: (organization) => organization.slug ?? '',
  },
  'name',
  (organization) => organization.name ?? organization.slug ?? '',
)

export const tests = simpleKind<TestRecord>(
  {
    plural: 'tests',
    schema: 'TestRecord',
    columns: [
      ...fieldColumns<TestRecord>('id', 'scope', 'name', 'location'),
      { name: 'labels', value: (test) => test.labels?.join(',') },
      ...fieldColumns<TestRecord>('web_url'),
    ],
    id: (test) => test.id,
  },
  'name',
  (test) => test.name ?? test.id,
)
