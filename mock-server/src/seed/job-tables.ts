import { JOB_STATES } from '@buildwire/sdk/contract'
import { type InputOf, keys, list, mapOf, object, optional, orNull } from '../fields/composites.js'
import { flag, integer, oneOf, text, uuid } from '../fields/scalars.js'
import { maxJobs } from '../records/steps.js'
import { artifactTable } from './attachment-tables.js'
import { buildReference, email, shortText, time } from './common-fields.js'

/** The fields of a job that loading copies into the record without change. */
export const copiedJobFields = {
  type: optional(oneOf('script', 'waiter', 'manual', 'trigger'), 'script'),
  state: optional(oneOf(...JOB_STATES), 'passed'),
  name: optional(shortText, undefined, 'Default: the label or command of the step.'),
  step_key: optional(
    orNull(text({ max: 255 })),
    undefined,
    'Names a step of the pipeline, when it has one of this key.',
  ),
  command: optional(text({ max: 10_000 })),
  artifact_paths: optional(shortText, ''),
  agent_query_rules: optional(list(shortText, { max: 100 })),
  priority: optional(integer(-1_000_000, 1_000_000), 0),
  soft_failed: optional(flag, false),
  signal: optional(orNull(shortText)),
  signal_reason: optional(orNull(shortText)),
  parallel_group_index: optional(integer(0, 499)),
  parallel_group_total: optional(integer(1, maxJobs)),
  matrix: optional(mapOf(shortText)),
  log: optional(text({ max: 1_048_576 }), undefined, 'Default: computed from the job.'),
}

/** The times of a job, which are computed again if the document gives a new state. */
export const jobTimes = keys(
  optional(time),
  'created_at',
  'scheduled_at',
  'runnable_at',
  'started_at',
  'finished_at',
)

export const jobTable = {
  id: optional(uuid),
  ...copiedJobFields,
  ...jobTimes,
  exit_status: optional(integer(-1, 255)),
  group_key: optional(text({ max: 255 })),
  queue: optional(text({ max: 100 }), undefined, 'Key of a queue of the organization.'),
  agent: optional(
    text({ min: 1, max: 100 }),
    undefined,
    'Name of an agent, which is made when there is none yet.',
  ),
  promised_exit_status: optional(integer(1, 255)),
  promised_exit_status_at: optional(time),
  retried: optional(flag, false, 'True: the next job of the same step_key replaces this one.'),
  retry_type: optional(oneOf('manual', 'automatic'), 'manual'),
  async: optional(flag, false),
  triggered_build: optional(buildReference),
  unblocked_by: optional(email),
  unblocked_at: optional(time),
  artifacts: optional(list(object(artifactTable), { max: 100 }), []),
}

export type SeedJob = InputOf<typeof jobTable>
