import { type OperationId, operations } from '@buildwire/sdk/contract'
import { describe, expect, it } from 'vitest'
import { openapiDocument } from '../support/contract.js'

/** Written from the API's documentation, by hand: method, path, scope, success, documented refusals, params. */
interface Documented {
  readonly method: string
  readonly path: string
  readonly scope: string | null
  readonly success: number
  readonly refusals: readonly number[]
  readonly query: readonly string[]
  readonly body: readonly string[]
}

const pipeline = '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}'
const tests = '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests'
const filters = [
  'branch',
  'commit',
  'created_from',
  'created_to',
  'creator',
  'exclude_jobs',
  'finished_from',
  'include_paused',
  'include_retried_jobs',
  'meta_data',
  'state',
]

const documented: Readonly<Partial<Record<OperationId, Documented>>> = {
  'builds.list': {
    method: 'GET',
    path: '/v2/builds',
    scope: 'read_builds',
    success: 200,
    refusals: [400],
    query: filters,
    body: [],
  },
  'builds.listForOrganization': {
    method: 'GET',
    path: '/v2/organizations/{org_slug}/builds',
    scope: 'read_builds',
    success: 200,
    refusals: [400],
    query: filters,
    body: [],
  },
  'builds.listForPipeline': {
    method: 'GET',
    path: `${pipeline}/builds`,
    scope: 'read_builds',
    success: 200,
    refusals: [400],
    query: [...filters, 'exclude_pipeline'],
    body: [],
  },
  'builds.get': {
    method: 'GET',
    path: `${pipeline}/builds/{number}`,
    scope: 'read_builds',
    success: 200,
    refusals: [],
    query: ['exclude_jobs', 'include_retried_jobs', 'include_test_engine', 'job_states'],
    body: [],
  },
  'builds.create': {
    method: 'POST',
    path: `${pipeline}/builds`,
    scope: 'write_builds',
    success: 201,
    refusals: [422],
    query: [],
    body: [
      'commit',
      'branch',
      'author',
      'clean_checkout',
      'env',
      'ignore_pipeline_branch_filters',
      'message',
      'meta_data',
      'pull_request_base_branch',
      'pull_request_id',
      'pull_request_labels',
      'pull_request_repository',
    ],
  },
  'builds.cancel': {
    method: 'PUT',
    path: `${pipeline}/builds/{number}/cancel`,
    scope: 'write_builds',
    success: 200,
    refusals: [422],
    query: [],
    body: [],
  },
  'builds.rebuild': {
    method: 'PUT',
    path: `${pipeline}/builds/{number}/rebuild`,
    scope: 'write_builds',
    success: 200,
    refusals: [],
    query: [],
    body: [],
  },
  'builds.retryFailedJobs': {
    method: 'PUT',
    path: `${pipeline}/builds/{number}/retry_failed_jobs`,
    scope: 'write_builds',
    success: 202,
    refusals: [400],
    query: [],
    body: ['states'],
  },
  'tests.list': {
    method: 'GET',
    path: tests,
    scope: 'read_suites',
    success: 200,
    refusals: [],
    query: ['label'],
    body: [],
  },
  'tests.get': {
    method: 'GET',
    path: `${tests}/{test_id}`,
    scope: 'read_suites',
    success: 200,
    refusals: [],
    query: [],
    body: [],
  },
  'tests.find': {
    method: 'POST',
    path: `${tests}/find`,
    scope: 'read_suites',
    success: 200,
    refusals: [],
    query: [],
    body: ['scope', 'name'],
  },
  'tests.changeLabels': {
    method: 'PATCH',
    path: `${tests}/{test_id}/labels`,
    scope: 'write_suites',
    success: 200,
    refusals: [],
    query: [],
    body: ['operator', 'labels'],
  },
  'oauth.deviceAuthorization': {
    method: 'POST',
    path: '/oauth/device_authorization',
    scope: null,
    success: 200,
    refusals: [],
    query: [],
    body: ['client_id', 'scope', 'client_secret'],
  },
  'oauth.token': {
    method: 'POST',
    path: '/oauth/token',
    scope: null,
    success: 200,
    refusals: [],
    query: [],
    body: [
      'grant_type',
      'client_id',
      'device_code',
      'client_assertion_type',
      'client_assertion',
      'subject_token',
      'subject_token_type',
      'audience',
      'scope',
      'expires_in',
    ],
  },
}

const extensions: readonly OperationId[] = [
  'user.get',
  'accessToken.get',
  'accessToken.revoke',
  'organizations.list',
  'organizations.get',
  'pipelines.list',
  'pipelines.get',
  'jobs.log',
  'jobs.logText',
  'jobs.get',
  'jobs.retry',
  'jobs.unblock',
  'annotations.list',
  'annotations.create',
  'artifacts.list',
  'artifacts.listForJob',
  'artifacts.download',
  'graphql',
]

const records: Readonly<Record<string, string>> = {
  Build:
    'id graphql_id url web_url number state blocked cancel_reason message commit branch env source creator jobs created_at scheduled_at started_at failing_at finished_at meta_data pull_request rebuilt_from pipeline',
  RebuiltFrom: 'id number url',
  User: 'id graphql_id name email avatar_url created_at',
  Job: 'id graphql_id type name step_key group_key step priority agent_query_rules state build_url web_url log_url raw_log_url artifact_url command soft_failed exit_status signal signal_reason promised_exit_status promised_exit_status_at artifact_paths agent created_at scheduled_at runnable_at started_at finished_at retried retried_in_job_id retries_count retry_source retry_type parallel_group_index parallel_group_total matrix cluster_id cluster_url cluster_queue_id cluster_queue_url async triggered_build',
  JobStep: 'id signature',
  StepSignature: 'value algorithm signed_fields',
  RetrySource: 'job_id retry_type',
  TriggeredBuild: 'id number url web_url',
  Agent: 'id graphql_id url web_url name connection_state hostname ip_address user_agent creator created_at',
  Pipeline:
    'id graphql_id url web_url name slug repository branch_configuration default_branch provider skip_queued_branch_builds skip_queued_branch_builds_filter cancel_running_branch_builds cancel_running_branch_builds_filter builds_url badge_url created_at scheduled_builds_count running_builds_count scheduled_jobs_count running_jobs_count waiting_jobs_count',
  Provider: 'id webhook_url settings',
  ProviderSettings:
    'trigger_mode build_pull_requests pull_request_branch_filter_enabled skip_pull_request_builds_for_existing_commits build_pull_request_forks prefix_pull_request_fork_branch_names build_tags publish_commit_status publish_commit_status_per_step publish_blocked_as_pending repository',
  TestRecord: 'id url web_url scope name location file_name labels',
  DeviceAuthorizationResponse: 'device_code user_code verification_uri verification_uri_complete expires_in interval',
  TokenResponse: 'access_token token_type expires_in refresh_token scope issued_token_type',
  OAuthErrorBody: 'error error_description',
  ErrorBody: 'message',
  ValidationErrorBody: 'message errors',
}

const enums: Readonly<Record<string, string>> = {
  BuildState:
    'scheduled running passed failed blocked canceled canceling skipped not_run waiting waiting_failed failing',
  BuildSource: 'webhook api ui trigger_job schedule',
  JobType: 'script waiter manual trigger',
  JobState:
    'pending waiting waiting_failed blocked blocked_failed unblocked unblocked_failed scheduled assigned accepted running passed failed timed_out timing_out canceled canceling skipped broken expired limited',
  SignalReason: 'agent_stop cancel process_run_error agent_refused signature_rejected stack_error agent_incompatible',
  OAuthErrorCode:
    'authorization_pending slow_down access_denied expired_token invalid_grant invalid_client invalid_scope server_error invalid_request invalid_target unsupported_grant_type',
}

interface SchemaView {
  readonly properties?: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>
  readonly 'x-open-enum'?: readonly string[]
}
const schemas = openapiDocument.components['schemas'] as unknown as Readonly<Record<string, SchemaView>>

describe('documented operations', () => {
  it.each(Object.entries(documented))('%s', (name, expected) => {
    const operation = operations[name as OperationId]
    const paging = operation.result === 'page' ? ['page', 'per_page'] : []
    expect(operation).toMatchObject({
      id: name,
      method: expected.method,
      path: expected.path,
      scope: expected.scope,
      status: expected.success,
      extension: false,
    })
    expect(Object.keys(operation.query).sort()).toEqual([...expected.query, ...paging].sort())
    expect(operation.body?.properties ?? []).toEqual(expect.arrayContaining([...expected.body]))
    expect(operation.pathParameters.map((key) => `{${key}}`)).toEqual(operation.path.match(/\{\w+\}/g) ?? [])

    const described = openapiDocument.paths[expected.path]?.[expected.method.toLowerCase()]
    const { responses } = described as unknown as { responses: Record<string, unknown> }
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([expected.success, ...expected.refusals].map(String)))
  })

  it('are all there are, beside the extensions', () => {
    expect(Object.keys(operations).sort()).toEqual([...Object.keys(documented), ...extensions].sort())
    for (const name of extensions) expect(operations[name].extension).toBe(true)
  })

  it('take nothing beyond the documentation but a reason to cancel and a refresh token', () => {
    const beyond = Object.entries(documented).flatMap(([name, { body }]) =>
      (operations[name as OperationId].body?.properties ?? []).filter((key) => !body.includes(key)),
    )
    expect(beyond.sort()).toEqual(['cancel_reason', 'client_secret', 'refresh_token'])
  })
})

describe('records', () => {
  it.each(Object.entries(records))('%s has every documented field', (name, fields) => {
    expect(Object.keys(schemas[name]?.properties ?? {})).toEqual(expect.arrayContaining(fields.split(' ')))
  })

  it.each(Object.entries(enums))('%s knows every documented word', (name, words) => {
    expect(schemas[name]?.['x-open-enum']).toEqual(expect.arrayContaining(words.split(' ')))
  })

  it('describe every property', () => {
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      for (const [key, property] of Object.entries(properties)) {
        expect(property.description ?? property.$ref, `${name}.${key}`).toBeTruthy()
      }
    }
  })
})

describe('retry safety', () => {
  it('belongs to the operation, not to the method', () => {
    const unsafe = Object.values(operations).filter(({ retrySafe }) => !retrySafe)
    expect(unsafe.map(({ id }) => id).sort()).toEqual([
      'accessToken.revoke',
      'annotations.create',
      'builds.create',
      'builds.rebuild',
      'builds.retryFailedJobs',
      'graphql',
      'oauth.token',
    ])
    for (const { method, retrySafe, id } of Object.values(operations)) {
      if (method === 'GET') expect(retrySafe, id).toBe(true)
    }
  })
})
