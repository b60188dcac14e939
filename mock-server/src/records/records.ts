import type { Job } from '@buildwire/sdk/contract'
import { choice, keys, list, mapOf, maybe, object, orNull } from '../fields/composites.js'
import type { Accepted, Field } from '../fields/field.js'
import * as fields from '../fields/scalars.js'
import { lifecycle, step, steps } from './steps.js'

export type {
  BlockStep,
  CommandStep,
  Lifecycle,
  Step,
  StepOutcome as Outcome,
  TriggerStep,
  WaitStep,
} from './steps.js'

/**
 * What the readers of a list use: an array is one, and so is a list that shares its parts with an
 * older version.
 */
export interface List<T> extends Iterable<T> {
  readonly length: number
  at(index: number): T | undefined
  map<R>(each: (item: T, index: number) => R): R[]
  flatMap<R>(each: (item: T, index: number) => R | readonly R[]): R[]
  filter(test: (item: T, index: number) => unknown): T[]
  find(test: (item: T, index: number) => unknown): T | undefined
  some(test: (item: T, index: number) => unknown): boolean
  every(test: (item: T, index: number) => unknown): boolean
}

/*
 * What the store keeps, said once: what a journal may hold, and the type that follows from it.
 * Names that the wire knows are spelt as on the wire; the rest is ours, in camelCase. Times of the wire are strings
 * `2026-03-01T09:05:00.120Z`: always that form, so they compare as text. Our own times are epoch milliseconds. No
 * record holds what can be derived (URLs, graphql_id, nested records).
 *
 * A new collection is a row in `recordFields` and a type beside it, and a row in `naturalKeys` for each look-up. A key that
 * an older journal cannot hold is a `maybe`, or the format of the journal gets its next number.
 */
const { anything, flag, oneOf } = fields
const text = fields.text()
const number = fields.number()
const whole = fields.integer()
export const plain = mapOf(anything)
const words = orNull(text)
const texts = list(text)
const numberOrNull = orNull(number)
const time: Field<string> = {
  ...text,
  is: (value) => fields.isText(value) && value.length === 24 && value.endsWith('Z'),
}

const timeOrNull = orNull(time)

const pipelineAccess = oneOf('none', 'read', 'write')
export type PipelineAccess = Accepted<typeof pipelineAccess>

/** A job: `agent` is an agent id, `unblockedBy` a user id, `triggeredBuildId` a build id. */
export const jobField = object({
  ...keys(text, 'id', 'state', 'command', 'artifact_paths'),
  type: oneOf('script', 'waiter', 'manual', 'trigger'),
  ...keys(
    words,
    'name',
    'step_key',
    'queueId',
    'agent',
    'signal',
    'signal_reason',
    'retried_in_job_id',
    'retry_type',
  ),
  group_key: maybe(text),
  /**
   * The step it came from; equal for retries of one another, and for the members of a parallel
   * group.
   */
  stepId: text,
  agent_query_rules: texts,
  priority: number,
  ...keys(flag, 'soft_failed', 'retried'),
  ...keys(
    numberOrNull,
    'exit_status',
    'retries_count',
    'parallel_group_index',
    'parallel_group_total',
  ),
  promised_exit_status: maybe(number),
  promised_exit_status_at: maybe(time),
  ...keys(time, 'created_at', 'scheduled_at'),
  ...keys(timeOrNull, 'runnable_at', 'started_at', 'finished_at'),
  retry_source: orNull(object({ job_id: text, retry_type: text })),
  matrix: orNull(mapOf(text)),
  signature: orNull(plain as Field<NonNullable<NonNullable<Job['step']>['signature']>>),
  async: maybe(flag),
  triggeredBuildId: maybe(words),
  unblockedBy: maybe(words),
  unblocked_at: maybe(timeOrNull),
  /** What the lifecycle needs of the step; absent on jobs that a seed gave without one. */
  step: maybe(step),
  /** Stored log text; null = computed from the job (see the log module). */
  log: words,
})
export type JobRecord = ReadonlyFields<Accepted<typeof jobField>>

/** In memory the jobs of a large build are a list in parts. */
const jobs: Field<List<JobRecord>> = list(jobField)

export const metaDataValue = choice('text, true or false', () => [
  { field: flag },
  { when: () => true, field: text },
])

const clock = object({
  mode: oneOf('real', 'offset', 'frozen'),
  ...keys(maybe(number), 'now', 'offsetMs'),
})
const metaValues: ReadonlyMap<string, Field<unknown>> = new Map<string, Field<unknown>>([
  ['lifecycle', lifecycle],
  ['settings', plain],
  ['clock', clock],
])
const metaField = object({ id: text, value: anything })

/** Single records hold what their id says; counters are numbers. */
function holdsItsValue({ id, value }: MetaRecord): boolean {
  return (id.startsWith('counter:') ? whole : (metaValues.get(id) ?? anything)).is(value)
}

export const recordFields = {
  users: object({
    id: text,
    name: text,
    email: text,
    emailVerified: flag,
    active: flag,
    created_at: time,
  }),
  organizations: object({
    ...keys(text, 'id', 'slug', 'name'),
    ...keys(flag, 'tokenExchangeEnabled', 'jtiRequired'),
    created_at: time,
  }),
  /** id = `${organizationId}:${userId}`. */
  members: object({
    ...keys(text, 'id', 'organizationId', 'userId'),
    role: oneOf('admin', 'member'),
    active: flag,
    /** Pipeline slug to access; a slug not named has `write`. */
    pipelines: mapOf(pipelineAccess),
  }),
  queues: object({ id: text, organizationId: text, clusterId: text, key: text, paused: flag }),
  pipelines: object({
    ...keys(
      text,
      'id',
      'organizationId',
      'slug',
      'name',
      'repository',
      'default_branch',
      'providerId',
      'webhookKey',
    ),
    ...keys(
      words,
      'branch_configuration',
      'skip_queued_branch_builds_filter',
      'cancel_running_branch_builds_filter',
    ),
    providerSettings: plain,
    ...keys(flag, 'skip_queued_branch_builds', 'cancel_running_branch_builds', 'allowRebuilds'),
    steps,
    lifecycle: orNull(lifecycle),
    created_at: time,
  }),
  agents: object({
    ...keys(text, 'id', 'organizationId', 'name', 'hostname', 'connection_state', 'user_agent'),
    ...keys(words, 'ip_address', 'creatorId'),
    created_at: time,
  }),
  suites: object({ id: text, organizationId: text, slug: text, name: text, created_at: time }),
  tests: object({
    ...keys(text, 'id', 'suiteId', 'scope', 'name'),
    ...keys(words, 'location', 'file_name'),
    labels: texts,
  }),
  applications: object({
    ...keys(text, 'id', 'client_id', 'name', 'description'),
    kind: oneOf('device', 'token_exchange'),
    ...keys(flag, 'enabled', 'refreshTokens'),
    ...keys(texts, 'grantableScopes', 'defaultScopes', 'allowedIpAddresses'),
    clientType: oneOf('public', 'confidential'),
    /** SHA-256 (hex) of the secret; null for public clients. */
    clientSecretDigest: words,
    accessTokenTtlSeconds: numberOrNull,
    jwks: orNull(object({ keys: list(plain) })),
    jwks_uri: words,
    maximumTokenTtlSeconds: number,
    created_at: time,
  }),
  /** A live or dead access token; the value itself is never kept, only its SHA-256. */
  accessTokens: object({
    ...keys(text, 'id', 'digest', 'description', 'userId'),
    kind: oneOf('api', 'device', 'exchange'),
    /** Name in the seed, for kind `api`. */
    name: words,
    ...keys(texts, 'scopes', 'organizationIds'),
    ...keys(words, 'applicationId', 'grantId', 'familyId'),
    created_at: time,
    ...keys(numberOrNull, 'expiresAt', 'revokedAt', 'lastUsedAt'),
  }),
  refreshFamilies: object({
    ...keys(text, 'id', 'applicationId', 'userId', 'organizationId', 'grantId'),
    scopes: texts,
    /** SHA-256 of the live refresh token. */
    digest: text,
    revokedAt: numberOrNull,
    createdAt: number,
  }),
  /** A refresh token that was replaced; id = its SHA-256. Presented again, it ends its family. */
  usedRefreshTokens: object({ id: text, familyId: text }),
  grants: object({
    ...keys(text, 'id', 'userId', 'applicationId', 'organizationId'),
    scopes: texts,
    origin: object({ ip: text, userAgent: text, at: number }),
    created_at: time,
    ...keys(numberOrNull, 'lastUsedAt', 'revokedAt'),
  }),
  deviceAuthorizations: object({
    ...keys(text, 'id', 'deviceCodeDigest', 'userCodeDigest', 'applicationId', 'ip', 'userAgent'),
    scopes: texts,
    state: oneOf('pending', 'approved', 'denied', 'consumed'),
    ...keys(number, 'intervalMs', 'issuedAt'),
    lastPolledAt: numberOrNull,
    ...keys(words, 'userId', 'organizationId', 'grantId'),
  }),
  /** id = SHA-256 of JSON.stringify([client_id, jti]). */
  usedAssertions: object({ id: text, keepUntil: number }),
  /** `digest` is the SHA-256 of the cookie value. */
  logins: object({ id: text, digest: text, userId: text, createdAt: number }),
  builds: object({
    ...keys(text, 'id', 'organizationId', 'pipelineId', 'state', 'commit', 'branch', 'source'),
    number: whole,
    ...keys(flag, 'blocked', 'clean_checkout'),
    ...keys(words, 'cancel_reason', 'message', 'creatorId'),
    env: mapOf(text),
    author: orNull(object({ name: text, email: text })),
    jobs,
    ...keys(time, 'created_at', 'scheduled_at'),
    ...keys(timeOrNull, 'started_at', 'failing_at', 'finished_at'),
    meta_data: mapOf(metaDataValue),
    pull_request: orNull(
      object({ id: words, base: words, repository: words, labels: texts, draft: flag }),
    ),
    rebuiltFrom: orNull(object({ id: text, number: whole, pipelineId: text })),
    triggeredFrom: orNull(object({ buildId: text, number: whole, pipelineId: text, jobId: text })),
    /**
     * Length of the chain of trigger jobs that led here; 0 for a build that a person or the API
     * started.
     */
    triggerDepth: whole,
    /** Epoch ms at which a cancellation with a grace ends; absent unless one was asked for. */
    cancelDueAt: maybe(number),
    lifecycle: orNull(lifecycle),
    /** Test-analytics runs of the build, shown by include_test_engine. */
    testRuns: list(object({ id: text, suiteId: text })),
  }),
  /** A note on a build; `body` as it was sent, Markdown or HTML. */
  annotations: object({
    ...keys(text, 'id', 'buildId', 'context', 'body'),
    style: oneOf('success', 'info', 'warning', 'error'),
    priority: whole,
    ...keys(time, 'created_at', 'updated_at'),
  }),
  /** `content` in base64; size and digest beside it, because a list shows them of many. */
  artifacts: object({
    ...keys(text, 'id', 'buildId', 'jobId', 'path', 'mime_type', 'sha1sum', 'content'),
    state: oneOf('new', 'error', 'finished', 'deleted', 'expired'),
    file_size: whole,
  }),
  /**
   * Single records that belong to the sandbox itself: clock mode, last build numbers, settings,
   * lifecycle.
   */
  meta: {
    ...metaField,
    is: (record: unknown) => metaField.is(record) && holdsItsValue(record as MetaRecord),
  },
}

type ReadonlyFields<T> = { readonly [K in keyof T]: T[K] }
export type Collection = keyof typeof recordFields
export type Records = {
  readonly [C in Collection]: ReadonlyFields<Accepted<(typeof recordFields)[C]>>
}

export const collections = Object.keys(recordFields) as readonly Collection[]

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
export type MetaRecord = ReadonlyFields<Accepted<typeof metaField>>
