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

/** The methods of a list that readers use. Arrays have them, and `JobList`. */
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
 * The records of the store: the shapes that a journal may contain, and their types. Names from the
 * API are spelt as in the API; other names are in camelCase. Times from the API are strings
 * `2026-03-01T09:05:00.120Z`, always in this format, so they compare as text. Other times are epoch
 * milliseconds. Values that can be derived (URLs, graphql_id, nested records) are not stored.
 *
 * A new collection needs an entry in `recordFields`, a type below, and an entry in `naturalKeys`
 * for each look-up. A new key must be `maybe`, because older journals do not have it; otherwise the
 * format of the journal gets a new number.
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
  /** The step of the job. Retries, and the members of a parallel group, have the same step. */
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
  /** The step, for the lifecycle; absent for jobs of a seed that have no step. */
  step: maybe(step),
  /** The stored log; null: the log is computed from the job. */
  log: words,
})
export type JobRecord = ReadonlyFields<Accepted<typeof jobField>>

/** In memory the jobs of a build may be a `JobList`. */
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

/** True if the value fits the id: a counter is a number, and so on. */
function hasValidValue({ id, value }: MetaRecord): boolean {
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
  /** A valid or expired access token. Only its SHA-256 is stored, never the token. */
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
  /** A replaced refresh token; id = its SHA-256. Its reuse revokes the family. */
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
    /** The number of trigger jobs in the chain that led to this build; else 0. */
    triggerDepth: whole,
    /** The end of the grace period of a cancellation, epoch ms; absent if there is none. */
    cancelDueAt: maybe(number),
    lifecycle: orNull(lifecycle),
    /** Test-analytics runs of the build, shown by include_test_engine. */
    testRuns: list(object({ id: text, suiteId: text })),
  }),
  /** A note on a build; `body` is Markdown or HTML, as the client sent it. */
  annotations: object({
    ...keys(text, 'id', 'buildId', 'context', 'body'),
    style: oneOf('success', 'info', 'warning', 'error'),
    priority: whole,
    ...keys(time, 'created_at', 'updated_at'),
  }),
  /** `content` in base64. Size and digest are stored too, because lists show them. */
  artifacts: object({
    ...keys(text, 'id', 'buildId', 'jobId', 'path', 'mime_type', 'sha1sum', 'content'),
    state: oneOf('new', 'error', 'finished', 'deleted', 'expired'),
    file_size: whole,
  }),
  /** Records of the sandbox itself: clock mode, counters, settings, lifecycle. */
  meta: {
    ...metaField,
    is: (record: unknown) => metaField.is(record) && hasValidValue(record as MetaRecord),
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
