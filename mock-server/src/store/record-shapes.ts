import type {
  AccessTokenRecord,
  AgentRecord,
  ApplicationRecord,
  BuildRecord,
  Collection,
  DeviceAuthorizationRecord,
  GrantRecord,
  JobRecord,
  LoginRecord,
  MemberRecord,
  MetaRecord,
  OrganizationRecord,
  PipelineRecord,
  QueueRecord,
  Records,
  RefreshFamilyRecord,
  SuiteRecord,
  TestRecordRecord,
  UsedAssertionRecord,
  UsedRefreshTokenRecord,
  UserRecord,
} from './records.js'
import {
  anything,
  type Check,
  either,
  flag,
  listOf,
  mapOf,
  number,
  object,
  oneOf,
  optional,
  orNull,
  partOf,
  plain,
  type Shape,
  text,
  whole,
} from './shape.js'
import { lifecycle, step } from './step-shapes.js'

const words = orNull(text)
const time: Check = (value) => typeof value === 'string' && value.length === 24 && value.endsWith('Z')
const timeOrNull = orNull(time)
const numberOrNull = orNull(number)
const texts = listOf(text)

const jobShape: Shape<JobRecord> = {
  id: text,
  type: oneOf('script', 'waiter', 'manual', 'trigger'),
  state: text,
  name: words,
  step_key: words,
  group_key: optional(text),
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
  retry_source: orNull(object<NonNullable<JobRecord['retry_source']>>({ job_id: text, retry_type: text })),
  retry_type: words,
  parallel_group_index: numberOrNull,
  parallel_group_total: numberOrNull,
  matrix: orNull(mapOf(text)),
  signature: orNull(plain),
  async: optional(flag),
  triggeredBuildId: optional(words),
  unblockedBy: optional(words),
  unblocked_at: optional(timeOrNull),
  step: optional(step),
  log: words,
}
const job = object(jobShape)

const members: Shape<MemberRecord> = {
  id: text,
  organizationId: text,
  userId: text,
  role: oneOf('admin', 'member'),
  active: flag,
  pipelines: mapOf(oneOf('none', 'read', 'write')),
}

const builds: Shape<BuildRecord> = {
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
  author: orNull(object<NonNullable<BuildRecord['author']>>({ name: text, email: text })),
  jobs: listOf(job),
  created_at: time,
  scheduled_at: time,
  started_at: timeOrNull,
  failing_at: timeOrNull,
  finished_at: timeOrNull,
  meta_data: mapOf(either(text, flag)),
  pull_request: orNull(
    object<NonNullable<BuildRecord['pull_request']>>({
      id: words,
      base: words,
      repository: words,
      labels: texts,
      draft: flag,
    }),
  ),
  rebuiltFrom: orNull(object<NonNullable<BuildRecord['rebuiltFrom']>>({ id: text, number: whole, pipelineId: text })),
  triggeredFrom: orNull(
    object<NonNullable<BuildRecord['triggeredFrom']>>({ buildId: text, number: whole, pipelineId: text, jobId: text }),
  ),
  triggerDepth: whole,
  clean_checkout: flag,
  cancelDueAt: optional(number),
  lifecycle: orNull(lifecycle),
  testRuns: listOf(object<BuildRecord['testRuns'][number]>({ id: text, suiteId: text })),
}

const pipelines: Shape<PipelineRecord> = {
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
}

const users: Shape<UserRecord> = {
  id: text,
  name: text,
  email: text,
  emailVerified: flag,
  active: flag,
  created_at: time,
}
const organizations: Shape<OrganizationRecord> = {
  id: text,
  slug: text,
  name: text,
  tokenExchangeEnabled: flag,
  jtiRequired: flag,
  created_at: time,
}
const queues: Shape<QueueRecord> = { id: text, organizationId: text, clusterId: text, key: text, paused: flag }
const agents: Shape<AgentRecord> = {
  id: text,
  organizationId: text,
  name: text,
  hostname: text,
  connection_state: text,
  ip_address: words,
  user_agent: text,
  creatorId: words,
  created_at: time,
}
const suites: Shape<SuiteRecord> = { id: text, organizationId: text, slug: text, name: text, created_at: time }
const tests: Shape<TestRecordRecord> = {
  id: text,
  suiteId: text,
  scope: text,
  name: text,
  location: words,
  file_name: words,
  labels: texts,
}

const applications: Shape<ApplicationRecord> = {
  id: text,
  kind: oneOf('device', 'token_exchange'),
  client_id: text,
  name: text,
  description: text,
  enabled: flag,
  grantableScopes: texts,
  clientType: oneOf('public', 'confidential'),
  clientSecretDigest: words,
  accessTokenTtlSeconds: numberOrNull,
  refreshTokens: flag,
  jwks: orNull(object<NonNullable<ApplicationRecord['jwks']>>({ keys: listOf(plain) })),
  jwks_uri: words,
  defaultScopes: texts,
  allowedIpAddresses: texts,
  maximumTokenTtlSeconds: number,
  created_at: time,
}
const accessTokens: Shape<AccessTokenRecord> = {
  id: text,
  digest: text,
  kind: oneOf('api', 'device', 'exchange'),
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
}
const refreshFamilies: Shape<RefreshFamilyRecord> = {
  id: text,
  applicationId: text,
  userId: text,
  organizationId: text,
  grantId: text,
  scopes: texts,
  digest: text,
  revokedAt: numberOrNull,
  createdAt: number,
}
const usedRefreshTokens: Shape<UsedRefreshTokenRecord> = { id: text, familyId: text }
const grants: Shape<GrantRecord> = {
  id: text,
  userId: text,
  applicationId: text,
  organizationId: text,
  scopes: texts,
  origin: object<GrantRecord['origin']>({ ip: text, userAgent: text, at: number }),
  created_at: time,
  lastUsedAt: numberOrNull,
  revokedAt: numberOrNull,
}
const deviceAuthorizations: Shape<DeviceAuthorizationRecord> = {
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
}
const usedAssertions: Shape<UsedAssertionRecord> = { id: text, keepUntil: number }
const logins: Shape<LoginRecord> = { id: text, digest: text, userId: text, createdAt: number }
const meta: Shape<MetaRecord> = { id: text, value: anything }
const clock = object<{ mode: string; now?: number; offsetMs?: number }>({
  mode: oneOf('real', 'offset', 'frozen'),
  now: optional(number),
  offsetMs: optional(number),
})
const metaValues: Readonly<Record<string, Check>> = { lifecycle, settings: plain, clock }

/** Single records hold what their id says; counters are numbers. */
const hasItsValue: Check = (record) => {
  const { id, value } = record as MetaRecord
  if (id.startsWith('counter:')) return whole(value)
  return Object.hasOwn(metaValues, id) ? metaValues[id]?.(value) === true : true
}

const shapes: { readonly [C in Collection]: Shape<Records[C]> } = {
  users,
  organizations,
  members,
  queues,
  pipelines,
  agents,
  suites,
  tests,
  applications,
  accessTokens,
  refreshFamilies,
  usedRefreshTokens,
  grants,
  deviceAuthorizations,
  usedAssertions,
  logins,
  builds,
  meta,
}

const wholeOf = (collection: string, check: Check): Check =>
  collection === 'meta' ? (record) => check(record) && hasItsValue(record) : check

/** Checks of records and of parts of them, by collection. */
export const recordChecks: ReadonlyMap<string, { readonly whole: Check; readonly part: Check }> = new Map(
  Object.entries(shapes).map(([collection, shape]) => [
    collection,
    { whole: wholeOf(collection, object(shape as Shape<object>)), part: partOf(shape as Shape<object>) },
  ]),
)

export const jobChecks = { whole: job, part: partOf(jobShape) }
