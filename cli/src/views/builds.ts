import type { Build } from '@buildwire/sdk/contract'
import { reference } from '../io/printable.js'
import { buildAddress, buildBy } from './build.js'
import type { RecordKind } from './view.js'

/** Builds: the list of `ci builds list` and the page of `ci builds get`. */
export const builds: RecordKind<Build> = {
  plural: 'builds',
  schema: 'Build',
  columns: [
    { name: 'number', value: (build) => build.number },
    { name: 'state', value: (build) => build.state },
    { name: 'blocked', value: (build) => build.blocked },
    { name: 'branch', value: (build) => build.branch },
    { name: 'commit', value: (build) => build.commit },
    { name: 'message', value: (build) => build.message },
    { name: 'creator', value: (build) => buildBy(build) || null },
    { name: 'created_at', value: (build) => build.created_at },
    { name: 'started_at', value: (build) => build.started_at },
    { name: 'finished_at', value: (build) => build.finished_at },
    { name: 'pipeline', value: (build) => buildAddress(build).pipeline_slug },
    { name: 'web_url', value: (build) => build.web_url },
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
  table: async (records, view) => (await import('./build-list.js')).buildList(records, view),
  detail: async (record, view) => (await import('./build-page.js')).buildPage(record, view),
}
