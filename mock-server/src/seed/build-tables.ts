import { JOB_STATES } from '@buildwire/sdk/contract'
import { maxJobs } from '../domain/plan-jobs.js'
import { choice, type Given, list, mapOf, object, optional, orNull, required } from '../fields/composites.js'
import { flag, integer, oneOf, text, uuid } from '../fields/scalars.js'
import { lifecycle } from './step-tables.js'
import { time } from './times.js'

const buildStates = [
  'scheduled',
  'running',
  'passed',
  'failing',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'not_run',
  'waiting',
  'waiting_failed',
] as const

const words = text({ max: 1000 })
const email = text({ max: 254, pattern: /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, shape: 'one e-mail address' })
const slug = text({ max: 100, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, shape: 'a slug: letters, digits, . _ -' })
const buildNumber = integer(1, 999_999_999_999_999)
const buildReference = object({ pipeline: required(slug), number: required(buildNumber) })

const jobTable = {
  id: optional(uuid),
  type: optional(oneOf('script', 'waiter', 'manual', 'trigger'), 'script'),
  state: optional(oneOf(...JOB_STATES), 'passed'),
  name: optional(words, undefined, 'Default: the label or command of the step.'),
  step_key: optional(
    orNull(text({ max: 255 })),
    undefined,
    'Names a step of the pipeline, when it has one of this key.',
  ),
  group_key: optional(text({ max: 255 })),
  command: optional(text({ max: 10_000 })),
  artifact_paths: optional(words, ''),
  agent_query_rules: optional(list(words, { max: 100 })),
  priority: optional(integer(-1_000_000, 1_000_000), 0),
  queue: optional(text({ max: 100 }), undefined, 'Key of a queue of the organization.'),
  agent: optional(text({ min: 1, max: 100 }), undefined, 'Name of an agent, which is made when there is none yet.'),
  soft_failed: optional(flag, false),
  exit_status: optional(integer(-1, 255)),
  signal: optional(orNull(words)),
  signal_reason: optional(orNull(words)),
  promised_exit_status: optional(integer(1, 255)),
  promised_exit_status_at: optional(time),
  created_at: optional(time),
  scheduled_at: optional(time),
  runnable_at: optional(time),
  started_at: optional(time),
  finished_at: optional(time),
  retried: optional(flag, false, 'True: the next job of the same step_key replaces this one.'),
  retry_type: optional(oneOf('manual', 'automatic'), 'manual'),
  parallel_group_index: optional(integer(0, 499)),
  parallel_group_total: optional(integer(1, maxJobs)),
  matrix: optional(mapOf(words)),
  async: optional(flag, false),
  triggered_build: optional(buildReference),
  unblocked_by: optional(email),
  unblocked_at: optional(time),
  log: optional(text({ max: 1_048_576 }), undefined, 'Default: computed from the job.'),
}

const metaDataValue = choice<string | boolean>('text, true or false', () => [
  { when: (value) => typeof value === 'boolean', field: flag },
  { when: () => true, field: text() },
])

export const buildTable = {
  id: optional(uuid),
  number: optional(buildNumber, undefined, 'Natural key; without it the build is new and gets the next number.'),
  state: optional(oneOf(...buildStates), undefined, 'Default: what the jobs imply.'),
  blocked: optional(flag, false),
  cancel_reason: optional(orNull(text())),
  message: optional(orNull(text())),
  commit: optional(text({ min: 1, max: 255 }), undefined, 'Default: 40 hex digits of its own.'),
  branch: optional(text({ min: 1, max: 255 }), undefined, 'Default: the default branch of the pipeline.'),
  env: optional(mapOf(text(), { pattern: /^[A-Za-z0-9_]+$/, shape: 'letters, digits and _' }), {}),
  source: optional(oneOf('webhook', 'api', 'ui', 'trigger_job', 'schedule'), 'webhook'),
  creator: optional(orNull(email), undefined, 'E-mail address of a user; null: nobody started it.'),
  author: optional(orNull(object({ name: required(words), email: required(words) }))),
  created_at: optional(time, undefined, 'Default: now.'),
  scheduled_at: optional(time),
  started_at: optional(time),
  failing_at: optional(time),
  finished_at: optional(time),
  meta_data: optional(mapOf(metaDataValue), {}),
  pull_request: optional(
    orNull(
      object({
        id: optional(orNull(words)),
        base: optional(orNull(words)),
        repository: optional(orNull(words)),
        labels: optional(list(words, { max: 100 }), []),
        draft: optional(flag, false),
      }),
    ),
  ),
  rebuilt_from: optional(orNull(buildReference)),
  clean_checkout: optional(flag, false),
  lifecycle: optional(lifecycle, undefined, 'Default: the lifecycle of the pipeline.'),
  testRuns: optional(list(object({ id: optional(uuid), suite: required(slug) }), { max: 100 }), []),
  jobs: optional(list(object(jobTable, { unknownKeys: 'dropped' }), { max: maxJobs })),
  force: optional(flag, false, 'Accept a build that is at odds with its jobs.'),
}

export type SeedJob = Given<typeof jobTable>
export type SeedBuild = Given<typeof buildTable>
