import type { Build } from '@buildwire/sdk/contract'
import { reference } from '../io/printable.js'
import { buildAddress, buildBy } from './build.js'
import { fieldColumns, tableOf } from './columns.js'
import type { RecordKind } from './view.js'

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
  id: (build, isQualified) => (isQualified ? reference(buildAddress(build), build.number) : String(build.number)),
  extraLines: (build) =>
    (build.jobs ?? []).map((job) => [
      'job',
      job.id,
      job.state,
      job.name ?? job.label ?? job.step_key ?? job.type,
      job.exit_status,
      job.started_at,
      job.finished_at,
    ]),
  table: tableOf(async () => (await import('./build-list.js')).buildColumns),
  detail: async (record, view) => (await import('./build-page.js')).buildPage(record, view),
}
