import { BUILD_STATES, JOB_STATES } from '@buildwire/sdk/contract'
import { annotationStyles, artifactStates } from '../domain/attachments.js'
import {
  aside,
  choice,
  type Given,
  hasKey,
  key,
  keys,
  list,
  mapOf,
  object,
  optional,
  orNull,
  required,
  where,
} from '../fields/composites.js'
import { isPlainObject } from '../fields/field.js'
import { exactly, flag, integer, oneOf, type TextRules, text, uuid } from '../fields/scalars.js'
import { metaDataValue } from '../records/records.js'
import {
  artifactPath,
  behaviour,
  lifecycle,
  maxDurationMs,
  maxJobs,
  mimeType,
  stepKey,
  steps,
} from '../records/steps.js'
import { email, slug, time } from './words.js'

/** Bytes of one artifact at most. */
const mostBytes = 1_048_576

function bytesIn(encoding: 'utf8' | 'base64', rules: TextRules) {
  return where(
    text(rules),
    (content) => Buffer.byteLength(content, encoding) <= mostBytes,
    `must have at most ${mostBytes} bytes`,
  )
}

export const artifactTable = {
  path: artifactPath,
  content: optional(bytesIn('utf8', { max: mostBytes }), '', 'The content, as text.'),
  base64: optional(
    bytesIn('base64', {
      max: 1_398_104,
      pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      shape: 'base64',
    }),
    undefined,
    'The content, in base64, in place of `content`.',
  ),
  mime_type: mimeType,
  state: optional(oneOf(...artifactStates), 'finished'),
}

export const annotationTable = {
  context: optional(
    text({ min: 1, max: 1000, pattern: /\S/, shape: 'a name' }),
    'default',
    'Natural key within the build.',
  ),
  style: optional(oneOf(...annotationStyles), 'info'),
  priority: optional(integer(1, 10), 3),
  body: required(
    text({ min: 1, max: 65_536, pattern: /\S/, shape: 'a text' }),
    'Markdown or HTML.',
  ),
}

const playedStep = object({
  key: stepKey,
  index: optional(integer(0, 499), undefined, 'Only this member of a parallel group, from 0.'),
  matrix: optional(mapOf(text({ max: 255 })), undefined, 'Only the jobs of these values.'),
  ...behaviour,
})

const act = object({
  afterMs: required(integer(0, maxDurationMs), 'Counted from the making of the first build.'),
  do: required(
    oneOf('cancel', 'unblock', 'retry', 'rebuild', 'push'),
    'unblock: also a build that this one triggered. After rebuild, what follows is done to the new build.',
  ),
  user: optional(
    text({ max: 254 }),
    undefined,
    'E-mail address; default: the creator of the build.',
  ),
  reason: optional(text(), undefined, 'Of a cancel.'),
})

const playTable = {
  steps: optional(list(playedStep), []),
  acts: optional(list(act, { max: 100 }), []),
}

const play = object(playTable)
export type Play = Given<typeof playTable>

/**
 * A build that waits for somebody is so by `blocked`; `creating` and `finished` no build of ours
 * is.
 */
const foreign = ['creating', 'blocked', 'finished'] as const
type SeedBuildState = Exclude<(typeof BUILD_STATES)[number], (typeof foreign)[number]>
const buildStates = BUILD_STATES.filter(
  (state): state is SeedBuildState => !foreign.some((other) => other === state),
)

const words = text({ max: 1000 })
const line = text({ min: 1, max: 255 })
const buildNumber = integer(1, 999_999_999_999_999)
const buildReference = object({ pipeline: slug, number: buildNumber })

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
  ...jobOwn,
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

/** What of a build is kept as it is given. */
export const buildOwn = {
  cancel_reason: optional(orNull(text())),
  message: optional(orNull(text())),
  commit: optional(line, undefined, 'Default: 40 hex digits of its own.'),
  branch: optional(line, undefined, 'Default: the default branch of the pipeline.'),
  env: optional(mapOf(text(), { pattern: /^[A-Za-z0-9_]+$/, shape: 'letters, digits and _' }), {}),
  source: optional(oneOf('webhook', 'api', 'ui', 'trigger_job', 'schedule'), 'webhook'),
  author: optional(orNull(object({ name: words, email: words }))),
  scheduled_at: optional(time),
  meta_data: optional(mapOf(metaDataValue), {}),
  clean_checkout: optional(flag, false),
  lifecycle: optional(lifecycle, undefined, 'Default: the lifecycle of the pipeline.'),
}

/** What a new state changes, too. */
export const buildTimes = keys(optional(time), 'started_at', 'failing_at', 'finished_at')

export const pullRequestTable = {
  id: optional(orNull(words)),
  base: optional(orNull(words)),
  repository: optional(orNull(words)),
  labels: optional(list(words, { max: 100 }), []),
  draft: optional(flag, false),
}

export const buildTable = {
  id: optional(uuid),
  number: optional(
    buildNumber,
    undefined,
    'Natural key; without it the build is new and gets the next number.',
  ),
  state: optional(oneOf(...buildStates), undefined, 'Default: what the jobs imply.'),
  blocked: optional(flag, false),
  ...buildOwn,
  ...buildTimes,
  creator: optional(orNull(email), undefined, 'E-mail address of a user; null: nobody started it.'),
  created_at: optional(time, undefined, 'Default: now.'),
  pull_request: optional(orNull(object(pullRequestTable))),
  rebuilt_from: optional(orNull(buildReference)),
  testRuns: optional(list(object({ id: optional(uuid), suite: slug }), { max: 100 }), []),
  jobs: optional(list(object(jobTable, { unknownKeys: 'dropped' }), { max: maxJobs })),
  annotations: optional(list(object(annotationTable), { max: 100 }), []),
  force: optional(flag, false, 'Accept a build that is at odds with its jobs.'),
}

const {
  message,
  commit,
  branch,
  env,
  source,
  creator,
  author,
  created_at,
  meta_data,
  pull_request,
  testRuns,
} = buildTable

/** What a build may say that goes through the steps of its pipeline. */
const playedTable = {
  message,
  commit,
  branch,
  env,
  source,
  creator,
  author,
  meta_data,
  pull_request,
  testRuns,
  clean_checkout: buildTable.clean_checkout,
  state: optional(
    exactly('waiting'),
    undefined,
    'waiting: it waits for another build and does not begin.',
  ),
}

const playedBuildTable = { ...playedTable, created_at, play }

/** A build as it stands, or one that is played from its beginning until now. */
const seedBuild = choice('an object', () => [
  { when: hasKey('play'), field: object(playedBuildTable) },
  { when: isPlainObject, field: object(buildTable, { unknownKeys: 'dropped' }) },
])

/** `provider.settings` of the API; every switch is off unless said. */
export const providerSettingsTable = {
  trigger_mode: optional(text({ max: 40 }), 'code'),
  build_pull_requests: optional(flag, true),
  pull_request_branch_filter_enabled: optional(flag, false),
  skip_pull_request_builds_for_existing_commits: optional(flag, true),
  build_pull_request_forks: optional(flag, false),
  prefix_pull_request_fork_branch_names: optional(flag, true),
  build_tags: optional(flag, false),
  publish_commit_status: optional(flag, true),
  publish_commit_status_per_step: optional(flag, false),
  publish_blocked_as_pending: optional(flag, false),
  repository: optional(words, undefined, 'Default: owner/name of the repository.'),
}

const providerTable = {
  id: optional(text({ min: 1, max: 100 }), 'git'),
  settings: optional(object(providerSettingsTable, { unknownKeys: 'dropped' })),
}

/** Builds that are alike: in branch, message, people, and in how they end. */
const wayTable = { ...playedTable, builds: integer(1, 10_000), play: optional(play) }

const generateTable = {
  builds: integer(0, 10_000),
  days: optional(integer(1, 3650), 21),
  until: optional(time, undefined, 'Default: an hour before the first build that is listed.'),
  at: optional(
    oneOf('any', 'work', 'night'),
    'any',
    'work: in the working hours of weekdays; night: every night at two (UTC).',
  ),
  triggers: optional(flag, false, 'Whether trigger steps make builds of other pipelines.'),
  changes: optional(
    list(object({ branch: line, message: text() }), { min: 1 }),
    undefined,
    'What builds are about; half of them are on the default branch.',
  ),
  creators: optional(
    list(text({ max: 254 })),
    undefined,
    'E-mail addresses; default: every member.',
  ),
  ways: optional(
    list(object(wayTable)),
    [],
    'How many builds go which way; of the rest one job in eight fails.',
  ),
}

export const pipelineTable = {
  id: optional(uuid),
  slug: key(slug),
  name: optional(line),
  repository: optional(words, undefined, 'Default: git@git.example:{organization}/{pipeline}.git'),
  default_branch: optional(line, 'main'),
  branch_configuration: optional(orNull(words)),
  skip_queued_branch_builds: optional(flag, false),
  skip_queued_branch_builds_filter: optional(orNull(words)),
  cancel_running_branch_builds: optional(flag, false),
  cancel_running_branch_builds_filter: optional(orNull(words)),
  allowRebuilds: optional(flag, true),
  lifecycle: optional(lifecycle, undefined, 'Default: the lifecycle of the sandbox.'),
  steps: optional(steps, []),
  created_at: optional(time),
  provider: aside(optional(object(providerTable, { unknownKeys: 'dropped' }))),
  nextNumber: aside(optional(buildNumber, undefined, 'Number that the next build gets, at least.')),
  generate: aside(
    optional(
      object(generateTable),
      undefined,
      'Deterministic filler, older than the listed builds.',
    ),
  ),
  builds: aside(optional(list(seedBuild), [])),
}

export type SeedJob = Given<typeof jobTable>
export type PlayedBuild = Given<typeof playedBuildTable>
export type SeedBuild = Given<typeof buildTable>
export type SeedWay = Given<typeof wayTable>
export type SeedPipeline = Given<typeof pipelineTable>
