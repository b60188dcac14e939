import type { Organization, Pipeline, TestRecord } from '@buildwire/sdk/contract'
import type { RecordKind, TsvColumn } from './view.js'

/** A kind of record whose table shows its tab-separated columns. */
function simpleKind<T extends { web_url?: string | null | undefined }>(
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
