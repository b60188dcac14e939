import { BUILD_STATES } from '@buildwire/sdk/contract'
import {
  choice,
  hasKey,
  type InputOf,
  keys,
  list,
  mapOf,
  object,
  optional,
  orNull,
} from '../fields/composites.js'
import { isPlainObject } from '../fields/field.js'
import { exactly, flag, oneOf, text, uuid } from '../fields/scalars.js'
import { metaDataValue } from '../records/records.js'
import { lifecycle, maxJobs } from '../records/steps.js'
import { annotationTable } from './attachment-tables.js'
import { buildNumber, buildReference, email, line, shortText, slug, time } from './common-fields.js'
import { jobTable } from './job-tables.js'
import { play } from './play-tables.js'

/**
 * States of the contract that no build of this server has. A build that waits for a block step has
 * `blocked: true` instead.
 */
const unusedStates = ['creating', 'blocked', 'finished'] as const
type SeedBuildState = Exclude<(typeof BUILD_STATES)[number], (typeof unusedStates)[number]>
const buildStates = BUILD_STATES.filter(
  (state): state is SeedBuildState => !unusedStates.some((other) => other === state),
)

/** The fields of a build that loading copies into the record without change. */
export const copiedBuildFields = {
  cancel_reason: optional(orNull(text())),
  message: optional(orNull(text())),
  commit: optional(line, undefined, 'Default: 40 hex digits of its own.'),
  branch: optional(line, undefined, 'Default: the default branch of the pipeline.'),
  env: optional(mapOf(text(), { pattern: /^[A-Za-z0-9_]+$/, shape: 'letters, digits and _' }), {}),
  source: optional(oneOf('webhook', 'api', 'ui', 'trigger_job', 'schedule'), 'webhook'),
  author: optional(orNull(object({ name: shortText, email: shortText }))),
  scheduled_at: optional(time),
  meta_data: optional(mapOf(metaDataValue), {}),
  clean_checkout: optional(flag, false),
  lifecycle: optional(lifecycle, undefined, 'Default: the lifecycle of the pipeline.'),
}

/** The times of a build, which are computed again if the document gives a new state. */
export const buildTimes = keys(optional(time), 'started_at', 'failing_at', 'finished_at')

export const pullRequestTable = {
  id: optional(orNull(shortText)),
  base: optional(orNull(shortText)),
  repository: optional(orNull(shortText)),
  labels: optional(list(shortText, { max: 100 }), []),
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
  ...copiedBuildFields,
  ...buildTimes,
  creator: optional(
    orNull(email),
    undefined,
    'E-mail address of a user; null: no user started it.',
  ),
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

/** The fields of a build that is made by playing the steps of its pipeline. */
export const playedTable = {
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

export const playedBuildTable = { ...playedTable, created_at, play }

/** A build with its final state, or a build that is played from its start until now. */
export const seedBuild = choice('an object', () => [
  { when: hasKey('play'), field: object(playedBuildTable) },
  { when: isPlainObject, field: object(buildTable, { unknownKeys: 'dropped' }) },
])

export type PlayedBuild = InputOf<typeof playedBuildTable>
export type SeedBuild = InputOf<typeof buildTable>
