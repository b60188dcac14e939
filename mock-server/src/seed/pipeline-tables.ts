import type { Given } from '../fields/composites.js'
import { key, list, object, optional, orNull, required } from '../fields/composites.js'
import { flag, integer, text, uuid } from '../fields/scalars.js'
import { buildTable } from './build-tables.js'
import { lifecycle, steps } from './step-tables.js'
import { time } from './times.js'

const slug = text({ max: 100, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, shape: 'a slug: letters, digits, . _ -' })
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

const generateTable = {
  builds: required(integer(0, 10_000)),
  days: optional(integer(1, 3650), 21),
}

export const pipelineTable = {
  id: optional(uuid),
  slug: key(slug),
  name: optional(text({ min: 1, max: 255 })),
  repository: optional(text({ max: 1000 }), undefined, 'Default: git@git.example:{organization}/{pipeline}.git'),
  default_branch: optional(text({ min: 1, max: 255 }), 'main'),
  branch_configuration: optional(orNull(pattern)),
  provider: optional(
    object(
      {
        id: optional(text({ min: 1, max: 100 }), 'git'),
        settings: optional(object(providerSettingsTable, { unknownKeys: 'dropped' })),
      },
      { unknownKeys: 'dropped' },
    ),
  ),
  skip_queued_branch_builds: optional(flag, false),
  skip_queued_branch_builds_filter: optional(orNull(pattern)),
  cancel_running_branch_builds: optional(flag, false),
  cancel_running_branch_builds_filter: optional(orNull(pattern)),
  allowRebuilds: optional(flag, true),
  lifecycle: optional(lifecycle, undefined, 'Default: the lifecycle of the sandbox.'),
  steps: optional(steps, []),
  created_at: optional(time),
  generate: optional(object(generateTable), undefined, 'Deterministic filler, older than the listed builds.'),
  builds: optional(list(object(buildTable, { unknownKeys: 'dropped' })), []),
}

export type SeedPipeline = Given<typeof pipelineTable>
