import type { Job } from '@buildwire/sdk/contract'
import type { List } from './list.js'
import {
  anything,
  type Check,
  either,
  flag,
  listOf,
  mapOf,
  number,
  type Of,
  object,
  oneOf,
  optional,
  orNull,
  plain,
  text,
  whole,
} from './shape.js'
import { lifecycle, step } from './steps.js'

export type { BlockStep, CommandStep, Lifecycle, Outcome, Step, TriggerStep, WaitStep } from './steps.js'

/*
 * What the store keeps, said once: the check of what a journal holds, and the type that follows from it.
 * Names that the wire knows are spelt as on the wire; the rest is ours, in camelCase. Times of the wire are strings
 * `2026-03-01T09:05:00.120Z`: always that form, so they compare as text. Our own times are epoch milliseconds. No
 * record holds what can be derived (URLs, graphql_id, nested records).
 *
 * A new collection is a row in `shapes` and a type beside it, and a row in `naturalKeys` for each look-up. A key that
 * an older journal cannot hold is `optional`, or the format of the journal gets its next number.
 */
const words = orNull(text)
const texts = listOf(text)
const numberOrNull = orNull(number)
const time: Check<string> = (value) => typeof value === 'string' && value.length === 24 && value.endsWith('Z')
const timeOrNull = orNull(time)

const pipelineAccess = oneOf('none', 'read', 'write')
export type PipelineAccess = Of<typeof pipelineAccess>

/**
 * A job as it is stored: the wire's fields less all that is derived (URLs, graphql_id, cluster_url, artifact_url …).
 * `agent` is an agent id; `unblockedBy` a user id; `triggeredBuildId` a build id.
 */
export const isJob = object({
  id: text,
  type: oneOf('script', 'waiter', 'manual', 'trigger'),
  state: text,
  name: words,
  step_key: words,
  group_key: optional(text),
  /** The step it came from; equal for retries of one another, and for the members of a parallel group. */
  stepId: text,
  command: text,
  artifact_paths: text,
  agent_query_rules: texts,
  priority: number,
  queueId: words,
  agent: words,
  soft_failed: flag,
  exit_status: numberOrNull,
  signal: words,
  signal_reason: words,
  promised_exit_status: optional(number),
  promised_exit_status_at: optional(time),
  created_at: time,
  scheduled_at: time,
  runnable_at: timeOrNull,
  started_at: timeOrNull,
  finished_at: timeOrNull,
  retried: flag,
  retried_in_job_id: words,
  retries_count: numberOrNull,
  retry_source: orNull(object({ job_id: text, retry_type: text })),
  retry_type: words,
  parallel_group_index: numberOrNull,
  parallel_group_total: numberOrNull,
  matrix: orNull(mapOf(text)),
  signature: orNull(plain as Check<NonNullable<NonNullable<Job['step']>['signature']>>),
  async: optional(flag),
  triggeredBuildId: optional(words),
  unblockedBy: optional(words),
  unblocked_at: optional(timeOrNull),
  /** What the lifecycle needs of the step; absent on jobs that a seed gave without one. */
  step: optional(step),
  /** Stored log text; null = computed from the job (see the log module). */
  log: words,
})
export type JobRecord = Of<typeof isJob>

/** In memory the jobs of a large build are a list in parts. */
const jobs: Check<List<JobRecord>> = listOf(isJob)

const clock = object({
  mode: oneOf('real', 'offset', 'frozen'),
  now: optional(number),
  offsetMs: optional(number),
})
const metaValues: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['lifecycle', lifecycle],
  ['settings', plain],
  ['clock', clock],
])

/** Single records hold what their id says; counters are numbers. */
const holdsItsValue: Check = (record) => {
  const { id, value } = record as MetaRecord
  return id.startsWith('counter:') ? whole(value) : (metaValues.get(id)?.(value) ?? true)
}

const shapes = {
  users: object({ id: text, name: text, email: text, emailVerified: flag, active: flag, created_at: time }),
  organizations: object({
    id: text,
    slug: text,
    name: text,
    tokenExchangeEnabled: flag,
    jtiRequired: flag,
    created_at: time,
  }),
  /** id = `${organizationId}:${userId}`. */
  members: object({
    id: text,
    organizationId: text,
    userId: text,
    role: oneOf('admin', 'member'),
    active: flag,
    /** Pipeline slug to access; a slug not named has `write`. */
    pipelines: mapOf(pipelineAccess),
  }),
  queues: object({ id: text, organizationId: text, clusterId: text, key: text, paused: flag }),
  pipelines: object({
    id: text,
    organizationId: text,
    slug: text,
    name: text,
    repository: text,
    default_branch: text,
    branch_configuration: words,
    providerId: text,
    providerSettings: plain,
    webhookKey: text,
    skip_queued_branch_builds: flag,
    skip_queued_branch_builds_filter: words,
    cancel_running_branch_builds: flag,
    cancel_running_branch_builds_filter: words,
    allowRebuilds: flag,
    steps: listOf(step),
    lifecycle: orNull(lifecycle),
    created_at: time,
  }),
  agents: object({
    id: text,
    organizationId: text,
    name: text,
    hostname: text,
    connection_state: text,
    ip_address: words,
    user_agent: text,
    creatorId: words,
    created_at: time,
  }),
  suites: object({ id: text, organizationId: text, slug: text, name: text, created_at: time }),
  tests: object({
    id: text,
    suiteId: text,
    scope: text,
    name: text,
    location: words,
    file_name: words,
    labels: texts,
  }),
  applications: object({
    id: text,
    kind: oneOf('device', 'token_exchange'),
    client_id: text,
    name: text,
    description: text,
    enabled: flag,
    grantableScopes: texts,
    clientType: oneOf('public', 'confidential'),
    /** SHA-256 (hex) of the secret; null for public clients. */
    clientSecretDigest: words,
    accessTokenTtlSeconds: numberOrNull,
    refreshTokens: flag,
    jwks: orNull(object({ keys: listOf(plain) })),
    jwks_uri: words,
    defaultScopes: texts,
    allowedIpAddresses: texts,
    maximumTokenTtlSeconds: number,
    created_at: time,
  }),
  /** A live or dead access token; the value itself is never kept, only its SHA-256. */
  accessTokens: object({
    id: text,
    digest: text,
    kind: oneOf('api', 'device', 'exchange'),
    /** Name in the seed, for kind `api`. */
    name: words,
    description: text,
    userId: text,
    scopes: texts,
    organizationIds: texts,
    applicationId: words,
    grantId: words,
    familyId: words,
    created_at: time,
    expiresAt: numberOrNull,
    revokedAt: numberOrNull,
    lastUsedAt: numberOrNull,
  }),
  refreshFamilies: object({
    id: text,
    applicationId: text,
    userId: text,
    organizationId: text,
    grantId: text,
    scopes: texts,
    /** SHA-256 of the live refresh token. */
    digest: text,
    revokedAt: numberOrNull,
    createdAt: number,
  }),
  /** A refresh token that was replaced; id = its SHA-256. Presented again, it ends its family. */
  usedRefreshTokens: object({ id: text, familyId: text }),
  grants: object({
    id: text,
    userId: text,
    applicationId: text,
    organizationId: text,
    scopes: texts,
    origin: object({ ip: text, userAgent: text, at: number }),
    created_at: time,
    lastUsedAt: numberOrNull,
    revokedAt: numberOrNull,
  }),
  deviceAuthorizations: object({
    id: text,
    deviceCodeDigest: text,
    userCodeDigest: text,
    applicationId: text,
    scopes: texts,
    state: oneOf('pending', 'approved', 'denied', 'consumed'),
    intervalMs: number,
    lastPolledAt: numberOrNull,
    issuedAt: number,
    ip: text,
    userAgent: text,
    userId: words,
    organizationId: words,
    grantId: words,
  }),
  /** id = SHA-256 of JSON.stringify([client_id, jti]). */
  usedAssertions: object({ id: text, keepUntil: number }),
  /** `digest` is the SHA-256 of the cookie value. */
  logins: object({ id: text, digest: text, userId: text, createdAt: number }),
  builds: object({
    id: text,
    organizationId: text,
    pipelineId: text,
    number: whole,
    state: text,
    blocked: flag,
    cancel_reason: words,
    message: words,
    commit: text,
    branch: text,
    env: mapOf(text),
    source: text,
    creatorId: words,
    author: orNull(object({ name: text, email: text })),
    jobs,
    created_at: time,
    scheduled_at: time,
    started_at: timeOrNull,
    failing_at: timeOrNull,
    finished_at: timeOrNull,
    meta_data: mapOf(either(text, flag)),
    pull_request: orNull(object({ id: words, base: words, repository: words, labels: texts, draft: flag })),
    rebuiltFrom: orNull(object({ id: text, number: whole, pipelineId: text })),
    triggeredFrom: orNull(object({ buildId: text, number: whole, pipelineId: text, jobId: text })),
    /** Length of the chain of trigger jobs that led here; 0 for a build that a person or the API started. */
    triggerDepth: whole,
    clean_checkout: flag,
    /** Epoch ms at which a cancellation with a grace ends; absent unless one was asked for. */
    cancelDueAt: optional(number),
    lifecycle: orNull(lifecycle),
    /** Test-analytics runs of the build, shown by include_test_engine. */
    testRuns: listOf(object({ id: text, suiteId: text })),
  }),
  /** A note on a build; `body` as it was sent, Markdown or HTML. */
  annotations: object({
    id: text,
    buildId: text,
    context: text,
    style: oneOf('success', 'info', 'warning', 'error'),
    priority: whole,
    body: text,
    created_at: time,
    updated_at: time,
  }),
  /** `content` in base64; size and digest beside it, because a list shows them of many. */
  artifacts: object({
    id: text,
    buildId: text,
    jobId: text,
    state: oneOf('new', 'error', 'finished', 'deleted', 'expired'),
    path: text,
    mime_type: text,
    file_size: whole,
    sha1sum: text,
    content: text,
  }),
  /** Single records that belong to the sandbox itself: clock mode, last build numbers, settings, lifecycle. */
  meta: object({ id: text, value: anything }, holdsItsValue),
}

export type Collection = keyof typeof shapes
export type Records = { readonly [C in Collection]: Of<(typeof shapes)[C]> }

export const collections = Object.keys(shapes) as readonly Collection[]
export const isCollection = oneOf(...collections)
/** Checks of whole records. */
export const recordChecks: Readonly<Record<Collection, Check>> = shapes

export type UserRecord = Records['users']
export type OrganizationRecord = Records['organizations']
export type QueueRecord = Records['queues']
export type PipelineRecord = Records['pipelines']
export type AgentRecord = Records['agents']
export type SuiteRecord = Records['suites']
export type TestRecordRecord = Records['tests']
export type ApplicationRecord = Records['applications']
export type AccessTokenRecord = Records['accessTokens']
export type RefreshFamilyRecord = Records['refreshFamilies']
export type GrantRecord = Records['grants']
export type DeviceAuthorizationRecord = Records['deviceAuthorizations']
export type LoginRecord = Records['logins']
export type BuildRecord = Records['builds']
export type AnnotationRecord = Records['annotations']
export type ArtifactRecord = Records['artifacts']
export type MetaRecord = Records['meta']
