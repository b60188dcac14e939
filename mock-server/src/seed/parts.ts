import { digest } from '../digest.js'
import type { MemberRecord, OrganizationRecord, PipelineRecord, UserRecord } from '../store/records.js'
import type { Entry, SeedContext } from './context.js'

/** A membership with write access everywhere. */
export const memberOf = (
  organization: OrganizationRecord,
  user: UserRecord,
  role: MemberRecord['role'],
  active = true,
): MemberRecord => ({
  id: `${organization.id}:${user.id}`,
  organizationId: organization.id,
  userId: user.id,
  role,
  active,
  pipelines: {},
})

/** A pipeline as a source-control provider would have set it up, less what `given` says. */
export const pipelineRecord = (
  context: SeedContext,
  organization: OrganizationRecord,
  given: Pick<PipelineRecord, 'slug' | 'name' | 'steps' | 'created_at'> & Partial<PipelineRecord>,
): PipelineRecord => {
  const repository = `git@git.example:${organization.slug}/${given.slug}.git`
  return {
    id: context.uuid('pipeline'),
    organizationId: organization.id,
    repository,
    default_branch: 'main',
    branch_configuration: null,
    providerId: 'git',
    providerSettings: {
      trigger_mode: 'code',
      build_pull_requests: true,
      pull_request_branch_filter_enabled: false,
      skip_pull_request_builds_for_existing_commits: true,
      build_pull_request_forks: false,
      prefix_pull_request_fork_branch_names: true,
      build_tags: false,
      publish_commit_status: true,
      publish_commit_status_per_step: false,
      publish_blocked_as_pending: false,
      repository: given.repository ?? repository,
    },
    webhookKey: context.uuid('webhook').replaceAll('-', ''),
    skip_queued_branch_builds: false,
    skip_queued_branch_builds_filter: null,
    cancel_running_branch_builds: false,
    cancel_running_branch_builds_filter: null,
    allowRebuilds: true,
    lifecycle: null,
    ...given,
  }
}

/** An API token of a user; its value comes from the context and only its digest is kept. */
export const apiToken = (
  context: SeedContext,
  given: {
    readonly name: string
    readonly userId: string
    readonly scopes: readonly string[]
    readonly organizationIds: readonly string[]
    readonly created_at: string
  },
): Entry => [
  'accessTokens',
  {
    ...given,
    id: context.uuid('accessToken'),
    digest: digest(context.accessToken(given.name)),
    kind: 'api',
    description: given.name,
    applicationId: null,
    grantId: null,
    familyId: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  },
]
