import type { Job } from '@buildwire/sdk/contract'
import type { List } from './list.js'
import type { Lifecycle, Step } from './steps.js'

export type { BlockStep, CommandStep, Lifecycle, Outcome, Step, TriggerStep, WaitStep } from './steps.js'

/**
 * What the store keeps. Names that the wire knows are spelt as on the wire; the rest is ours, in camelCase.
 * Times of the wire are strings `2026-03-01T09:05:00.120Z`: always that form, so they compare as text.
 * Our own times are epoch milliseconds. No record holds what can be derived (URLs, graphql_id, nested records).
 */
export interface UserRecord {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly active: boolean
  readonly created_at: string
}

export interface OrganizationRecord {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly tokenExchangeEnabled: boolean
  readonly jtiRequired: boolean
  readonly created_at: string
}

export type PipelineAccess = 'none' | 'read' | 'write'

/** id = `${organizationId}:${userId}`. */
export interface MemberRecord {
  readonly id: string
  readonly organizationId: string
  readonly userId: string
  readonly role: 'admin' | 'member'
  readonly active: boolean
  /** Pipeline slug to access; a slug not named has `write`. */
  readonly pipelines: Readonly<Record<string, PipelineAccess>>
}

export interface QueueRecord {
  readonly id: string
  readonly organizationId: string
  readonly clusterId: string
  readonly key: string
  readonly paused: boolean
}

export interface PipelineRecord {
  readonly id: string
  readonly organizationId: string
  readonly slug: string
  readonly name: string
  readonly repository: string
  readonly default_branch: string
  readonly branch_configuration: string | null
  readonly providerId: string
  readonly providerSettings: Readonly<Record<string, unknown>>
  readonly webhookKey: string
  readonly skip_queued_branch_builds: boolean
  readonly skip_queued_branch_builds_filter: string | null
  readonly cancel_running_branch_builds: boolean
  readonly cancel_running_branch_builds_filter: string | null
  readonly allowRebuilds: boolean
  readonly steps: readonly Step[]
  readonly lifecycle: Lifecycle | null
  readonly created_at: string
}

export interface AgentRecord {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly hostname: string
  readonly connection_state: string
  readonly ip_address: string | null
  readonly user_agent: string
  readonly creatorId: string | null
  readonly created_at: string
}

/**
 * A job as it is stored: the wire's fields less all that is derived (URLs, graphql_id, cluster_url, artifact_url …).
 * `agent` is an agent id; `unblockedBy` a user id; `triggeredBuildId` a build id.
 */
export interface JobRecord {
  readonly id: string
  readonly type: 'script' | 'waiter' | 'manual' | 'trigger'
  readonly state: string
  readonly name: string | null
  readonly step_key: string | null
  readonly group_key?: string
  /** The step it came from; equal for retries of one another, and for the members of a parallel group. */
  readonly stepId: string
  readonly command: string
  readonly artifact_paths: string
  readonly agent_query_rules: readonly string[]
  readonly priority: number
  readonly queueId: string | null
  readonly agent: string | null
  readonly soft_failed: boolean
  readonly exit_status: number | null
  readonly signal: string | null
  readonly signal_reason: string | null
  readonly promised_exit_status?: number
  readonly promised_exit_status_at?: string
  readonly created_at: string
  readonly scheduled_at: string
  readonly runnable_at: string | null
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly retried: boolean
  readonly retried_in_job_id: string | null
  readonly retries_count: number | null
  readonly retry_source: { readonly job_id: string; readonly retry_type: string } | null
  readonly retry_type: string | null
  readonly parallel_group_index: number | null
  readonly parallel_group_total: number | null
  readonly matrix: Readonly<Record<string, string>> | null
  readonly signature: NonNullable<NonNullable<Job['step']>['signature']> | null
  readonly async?: boolean
  readonly triggeredBuildId?: string | null
  readonly unblockedBy?: string | null
  readonly unblocked_at?: string | null
  /** What the lifecycle needs of the step; absent on jobs that a seed gave without one. */
  readonly step?: Step
  /** Stored log text; null = computed from the job (see the log module). */
  readonly log: string | null
}

export interface BuildRecord {
  readonly id: string
  readonly organizationId: string
  readonly pipelineId: string
  readonly number: number
  readonly state: string
  readonly blocked: boolean
  readonly cancel_reason: string | null
  readonly message: string | null
  readonly commit: string
  readonly branch: string
  readonly env: Readonly<Record<string, string>>
  readonly source: string
  readonly creatorId: string | null
  readonly author: { readonly name: string; readonly email: string } | null
  readonly jobs: List<JobRecord>
  readonly created_at: string
  readonly scheduled_at: string
  readonly started_at: string | null
  readonly failing_at: string | null
  readonly finished_at: string | null
  readonly meta_data: Readonly<Record<string, string | boolean>>
  readonly pull_request: {
    readonly id: string | null
    readonly base: string | null
    readonly repository: string | null
    readonly labels: readonly string[]
    readonly draft: boolean
  } | null
  readonly rebuiltFrom: { readonly id: string; readonly number: number; readonly pipelineId: string } | null
  readonly triggeredFrom: {
    readonly buildId: string
    readonly number: number
    readonly pipelineId: string
    readonly jobId: string
  } | null
  /** Length of the chain of trigger jobs that led here; 0 for a build that a person or the API started. */
  readonly triggerDepth: number
  readonly clean_checkout: boolean
  /** Epoch ms at which a cancellation with a grace ends; absent unless one was asked for. */
  readonly cancelDueAt?: number
  readonly lifecycle: Lifecycle | null
  /** Test-analytics runs of the build, shown by include_test_engine. */
  readonly testRuns: readonly { readonly id: string; readonly suiteId: string }[]
}

export interface SuiteRecord {
  readonly id: string
  readonly organizationId: string
  readonly slug: string
  readonly name: string
  readonly created_at: string
}

export interface TestRecordRecord {
  readonly id: string
  readonly suiteId: string
  readonly scope: string
  readonly name: string
  readonly location: string | null
  readonly file_name: string | null
  readonly labels: readonly string[]
}

export interface ApplicationRecord {
  readonly id: string
  readonly kind: 'device' | 'token_exchange'
  readonly client_id: string
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  readonly grantableScopes: readonly string[]
  readonly clientType: 'public' | 'confidential'
  /** SHA-256 (hex) of the secret; null for public clients. */
  readonly clientSecretDigest: string | null
  readonly accessTokenTtlSeconds: number | null
  readonly refreshTokens: boolean
  readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] } | null
  readonly jwks_uri: string | null
  readonly defaultScopes: readonly string[]
  readonly allowedIpAddresses: readonly string[]
  readonly maximumTokenTtlSeconds: number
  readonly created_at: string
}

/** A live or dead access token; the value itself is never kept, only its SHA-256. */
export interface AccessTokenRecord {
  readonly id: string
  readonly digest: string
  readonly kind: 'api' | 'device' | 'exchange'
  /** Name in the seed, for kind `api`. */
  readonly name: string | null
  readonly description: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly organizationIds: readonly string[]
  readonly applicationId: string | null
  readonly grantId: string | null
  readonly familyId: string | null
  readonly created_at: string
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

export interface RefreshFamilyRecord {
  readonly id: string
  readonly applicationId: string
  readonly userId: string
  readonly organizationId: string
  readonly grantId: string
  readonly scopes: readonly string[]
  /** SHA-256 of the live refresh token. */
  readonly digest: string
  readonly revokedAt: number | null
  readonly createdAt: number
}

/** A refresh token that was replaced; id = its SHA-256. Presented again, it ends its family. */
export interface UsedRefreshTokenRecord {
  readonly id: string
  readonly familyId: string
}

export interface GrantRecord {
  readonly id: string
  readonly userId: string
  readonly applicationId: string
  readonly organizationId: string
  readonly scopes: readonly string[]
  readonly origin: { readonly ip: string; readonly userAgent: string; readonly at: number }
  readonly created_at: string
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export interface DeviceAuthorizationRecord {
  readonly id: string
  readonly deviceCodeDigest: string
  readonly userCodeDigest: string
  readonly applicationId: string
  readonly scopes: readonly string[]
  readonly state: 'pending' | 'approved' | 'denied' | 'consumed'
  readonly intervalMs: number
  readonly lastPolledAt: number | null
  readonly issuedAt: number
  readonly ip: string
  readonly userAgent: string
  readonly userId: string | null
  readonly organizationId: string | null
  readonly grantId: string | null
}

/** id = SHA-256 of JSON.stringify([client_id, jti]). */
export interface UsedAssertionRecord {
  readonly id: string
  readonly keepUntil: number
}

export interface LoginRecord {
  readonly id: string
  /** SHA-256 of the cookie value. */
  readonly digest: string
  readonly userId: string
  readonly createdAt: number
}

/** Single records that belong to the sandbox itself: clock mode, last build numbers, settings, lifecycle. */
export interface MetaRecord {
  readonly id: string
  readonly value: unknown
}

export interface Records {
  readonly users: UserRecord
  readonly organizations: OrganizationRecord
  readonly members: MemberRecord
  readonly queues: QueueRecord
  readonly pipelines: PipelineRecord
  readonly agents: AgentRecord
  readonly suites: SuiteRecord
  readonly tests: TestRecordRecord
  readonly applications: ApplicationRecord
  readonly accessTokens: AccessTokenRecord
  readonly refreshFamilies: RefreshFamilyRecord
  readonly usedRefreshTokens: UsedRefreshTokenRecord
  readonly grants: GrantRecord
  readonly deviceAuthorizations: DeviceAuthorizationRecord
  readonly usedAssertions: UsedAssertionRecord
  readonly logins: LoginRecord
  readonly builds: BuildRecord
  readonly meta: MetaRecord
}

export type Collection = keyof Records

export const collections: readonly Collection[] = [
  'users',
  'organizations',
  'members',
  'queues',
  'pipelines',
  'agents',
  'suites',
  'tests',
  'applications',
  'accessTokens',
  'refreshFamilies',
  'usedRefreshTokens',
  'grants',
  'deviceAuthorizations',
  'usedAssertions',
  'logins',
  'builds',
  'meta',
]
