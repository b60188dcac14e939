import { aside, type InputOf, key, list, object, optional, orNull } from '../fields/composites.js'
import { flag, integer, oneOf, text, uuid } from '../fields/scalars.js'
import { lifecycle, steps } from '../records/steps.js'
import { playedTable, seedBuild } from './build-tables.js'
import { buildNumber, line, shortText, slug, time } from './common-fields.js'
import { play } from './play-tables.js'

/** `provider.settings` of the API. */
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
  repository: optional(shortText, undefined, 'Default: owner/name of the repository.'),
}

const providerTable = {
  id: optional(text({ min: 1, max: 100 }), 'git'),
  settings: optional(object(providerSettingsTable, { unknownKeys: 'dropped' })),
}

/** Generated builds that share branch, message, people, and the way they end. */
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
  repository: optional(
    shortText,
    undefined,
    'Default: git@git.example:{organization}/{pipeline}.git',
  ),
  default_branch: optional(line, 'main'),
  branch_configuration: optional(orNull(shortText)),
  skip_queued_branch_builds: optional(flag, false),
  skip_queued_branch_builds_filter: optional(orNull(shortText)),
  cancel_running_branch_builds: optional(flag, false),
  cancel_running_branch_builds_filter: optional(orNull(shortText)),
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

export type SeedWay = InputOf<typeof wayTable>
export type SeedPipeline = InputOf<typeof pipelineTable>
