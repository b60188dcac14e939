import type { Given } from '../fields/composites.js'
import { key, list, object, optional, orNull, required } from '../fields/composites.js'
import { flag, integer, oneOf, text, uuid } from '../fields/scalars.js'
import { buildNumber, playedTable, seedBuild } from './build-tables.js'
import { lifecycle, play, steps } from './step-tables.js'
import { slug, time } from './words.js'

const pattern = text({ max: 1000 })

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
  repository: optional(text({ max: 1000 }), undefined, 'Default: owner/name of the repository.'),
}

/** Builds that are alike: in branch, message, people, and in how they end. */
const wayTable = { ...playedTable, builds: required(integer(1, 10_000)), play: optional(play) }

const generateTable = {
  builds: required(integer(0, 10_000)),
  days: optional(integer(1, 3650), 21),
  until: optional(time, undefined, 'Default: an hour before the first build that is listed.'),
  at: optional(
    oneOf('any', 'work', 'night'),
    'any',
    'work: in the working hours of weekdays; night: every night at two (UTC).',
  ),
  triggers: optional(flag, false, 'Whether trigger steps make builds of other pipelines.'),
  changes: optional(
    list(object({ branch: required(text({ min: 1, max: 255 })), message: required(text()) }), { min: 1 }),
    undefined,
    'What builds are about; half of them are on the default branch.',
  ),
  creators: optional(list(text({ max: 254 })), undefined, 'E-mail addresses; default: every member.'),
  ways: optional(list(object(wayTable)), [], 'How many builds go which way; of the rest one job in eight fails.'),
}
export type SeedWay = Given<typeof wayTable>

/** What is kept as it is given. */
export const pipelineOwn = {
  id: optional(uuid),
  slug: key(slug),
  name: optional(text({ min: 1, max: 255 })),
  repository: optional(text({ max: 1000 }), undefined, 'Default: git@git.example:{organization}/{pipeline}.git'),
  default_branch: optional(text({ min: 1, max: 255 }), 'main'),
  branch_configuration: optional(orNull(pattern)),
  skip_queued_branch_builds: optional(flag, false),
  skip_queued_branch_builds_filter: optional(orNull(pattern)),
  cancel_running_branch_builds: optional(flag, false),
  cancel_running_branch_builds_filter: optional(orNull(pattern)),
  allowRebuilds: optional(flag, true),
  lifecycle: optional(lifecycle, undefined, 'Default: the lifecycle of the sandbox.'),
  steps: optional(steps, []),
  created_at: optional(time),
}

export const pipelineTable = {
  ...pipelineOwn,
  provider: optional(
    object(
      {
        id: optional(text({ min: 1, max: 100 }), 'git'),
        settings: optional(object(providerSettingsTable, { unknownKeys: 'dropped' })),
      },
      { unknownKeys: 'dropped' },
    ),
  ),
  nextNumber: optional(buildNumber, undefined, 'Number that the next build gets, at least.'),
  generate: optional(object(generateTable), undefined, 'Deterministic filler, older than the listed builds.'),
  builds: optional(list(seedBuild), []),
}

export type SeedPipeline = Given<typeof pipelineTable>
