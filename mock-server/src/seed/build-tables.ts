import { BUILD_STATES, JOB_STATES } from '@buildwire/sdk/contract'
import { maxJobs } from '../domain/plan-jobs.js'
import { choice, type Given, hasKey, list, mapOf, object, optional, orNull, required } from '../fields/composites.js'
import { isPlainObject } from '../fields/field.js'
import { exactly, flag, integer, oneOf, text, uuid } from '../fields/scalars.js'
import { annotationTable, artifactTable } from './attachment-tables.js'
import { lifecycle, play } from './step-tables.js'
import { email, slug, time } from './words.js'

/** A build that waits for somebody is so by `blocked`; `creating` and `finished` no build of ours is. */
const foreign = ['creating', 'blocked', 'finished'] as const
type SeedBuildState = Exclude<(typeof BUILD_STATES)[number], (typeof foreign)[number]>
const buildStates = BUILD_STATES.filter((state): state is SeedBuildState => !foreign.some((other) => other === state))

const words = text({ max: 1000 })
const moment = optional(time)
const times = <const K extends string>(...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, moment])) as { readonly [N in K]: typeof moment }
export const buildNumber = integer(1, 999_999_999_999_999)
const buildReference = object({ pipeline: required(slug), number: required(buildNumber) })

/** What of a job is kept as it is given. */
export const jobOwn = {
  type: optional(oneOf('script', 'waiter', 'manual', 'trigger'), 'script'),
  state: optional(oneOf(...JOB_STATES), 'passed'),
  name: optional(words, undefined, 'Default: the label or command of the step.'),
  step_key: optional(
    orNull(text({ max: 255 })),
    undefined,
    'Names a step of the pipeline, when it has one of this key.',
  ),
  command: optional(text({ max: 10_000 })),
  artifact_paths: optional(words, ''),
  agent_query_rules: optional(list(words, { max: 100 })),
  priority: optional(integer(-1_000_000, 1_000_000), 0),
  soft_failed: optional(flag, false),
  signal: optional(orNull(words)),
  signal_reason: optional(orNull(words)),
  parallel_group_index: optional(integer(0, 499)),
  parallel_group_total: optional(integer(1, maxJobs)),
  matrix: optional(mapOf(words)),
  log: optional(text({ max: 1_048_576 }), undefined, 'Default: computed from the job.'),
}

/** What a new state changes, too. */
export const jobTimes = times('created_at', 'scheduled_at', 'runnable_at', 'started_at', 'finished_at')

export const jobTable = {
  id: optional(uuid),
  ...jobOwn,
  ...jobTimes,
  exit_status: optional(integer(-1, 255)),
  group_key: optional(text({ max: 255 })),
  queue: optional(text({ max: 100 }), undefined, 'Key of a queue of the organization.'),
  agent: optional(text({ min: 1, max: 100 }), undefined, 'Name of an agent, which is made when there is none yet.'),
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

const metaDataValue = choice('text, true or false', () => [
  { when: (value) => typeof value === 'boolean', field: flag },
  { when: () => true, field: text() },
])

/** What of a build is kept as it is given. */
export const buildOwn = {
  cancel_reason: optional(orNull(text())),
  message: optional(orNull(text())),
  commit: optional(text({ min: 1, max: 255 }), undefined, 'Default: 40 hex digits of its own.'),
  branch: optional(text({ min: 1, max: 255 }), undefined, 'Default: the default branch of the pipeline.'),
  env: optional(mapOf(text(), { pattern: /^[A-Za-z0-9_]+$/, shape: 'letters, digits and _' }), {}),
  source: optional(oneOf('webhook', 'api', 'ui', 'trigger_job', 'schedule'), 'webhook'),
  author: optional(orNull(object({ name: required(words), email: required(words) }))),
  scheduled_at: optional(time),
  meta_data: optional(mapOf(metaDataValue), {}),
  clean_checkout: optional(flag, false),
  lifecycle: optional(lifecycle, undefined, 'Default: the lifecycle of the pipeline.'),
}

/** What a new state changes, too. */
export const buildTimes = times('started_at', 'failing_at', 'finished_at')

export const pullRequestTable = {
  id: optional(orNull(words)),
  base: optional(orNull(words)),
  repository: optional(orNull(words)),
  labels: optional(list(words, { max: 100 }), []),
  draft: optional(flag, false),
}

export const buildTable = {
  id: optional(uuid),
  number: optional(buildNumber, undefined, 'Natural key; without it the build is new and gets the next number.'),
  state: optional(oneOf(...buildStates), undefined, 'Default: what the jobs imply.'),
  blocked: optional(flag, false),
  ...buildOwn,
  ...buildTimes,
  creator: optional(orNull(email), undefined, 'E-mail address of a user; null: nobody started it.'),
  created_at: optional(time, undefined, 'Default: now.'),
  pull_request: optional(orNull(object(pullRequestTable))),
  rebuilt_from: optional(orNull(buildReference)),
  testRuns: optional(list(object({ id: optional(uuid), suite: required(slug) }), { max: 100 }), []),
  jobs: optional(list(object(jobTable, { unknownKeys: 'dropped' }), { max: maxJobs })),
  annotations: optional(list(object(annotationTable), { max: 100 }), []),
  force: optional(flag, false, 'Accept a build that is at odds with its jobs.'),
}

const { message, commit, branch, env, source, creator, author, created_at, meta_data, pull_request, testRuns } =
  buildTable

/** What a build may say that goes through the steps of its pipeline. */
export const playedTable = {
  ...{ message, commit, branch, env, source, creator, author, meta_data, pull_request, testRuns },
  clean_checkout: buildTable.clean_checkout,
  state: optional(exactly('waiting'), undefined, 'waiting: it waits for another build and does not begin.'),
}

const playedBuildTable = { ...playedTable, created_at, play: required(play) }

/** A build as it stands, or one that is played from its beginning until now. */
export const seedBuild = choice('an object', () => [
  { when: hasKey('play'), field: object(playedBuildTable) },
  { when: isPlainObject, field: object(buildTable, { unknownKeys: 'dropped' }) },
])

export type SeedJob = Given<typeof jobTable>
export type PlayedBuild = Given<typeof playedBuildTable>
export type SeedBuild = Given<typeof buildTable>
