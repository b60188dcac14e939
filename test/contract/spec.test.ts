import { type OperationId, operations } from '@buildwire/sdk/contract'
import { describe, expect, it } from 'vitest'
import { openapiDocument } from '../support/contract.js'

const pipeline = '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}'
const tests = '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests'
const filters =
  'branch commit created_from created_to creator exclude_jobs finished_from include_paused include_retried_jobs meta_data state'
const getQuery = 'exclude_jobs include_retried_jobs include_test_engine job_states'
const createBody =
  'commit branch author clean_checkout env ignore_pipeline_branch_filters message meta_data pull_request_base_branch pull_request_id pull_request_labels pull_request_repository'
const deviceBody = 'client_id scope client_secret'
const tokenBody =
  'grant_type client_id device_code client_assertion_type client_assertion subject_token subject_token_type audience scope expires_in'

type Documented = readonly [
  name: OperationId,
  method: string,
  path: string,
  scope: string | null,
  /** The status of success, and those of documented refusals. */
  statuses: readonly [number, ...number[]],
  query?: string,
  body?: string,
]

/** Written by hand from the documentation of the API. */
const documented: readonly Documented[] = [
  ['builds.list', 'GET', '/v2/builds', 'read_builds', [200, 400], filters],
  [
    'builds.listForOrganization',
    'GET',
    '/v2/organizations/{org_slug}/builds',
    'read_builds',
    [200, 400],
    filters,
  ],
  [
    'builds.listForPipeline',
    'GET',
    `${pipeline}/builds`,
    'read_builds',
    [200, 400],
    `${filters} exclude_pipeline`,
  ],
  ['builds.get', 'GET', `${pipeline}/builds/{number}`, 'read_builds', [200], getQuery],
  ['builds.create', 'POST', `${pipeline}/builds`, 'write_builds', [201, 422], '', createBody],
  ['builds.cancel', 'PUT', `${pipeline}/builds/{number}/cancel`, 'write_builds', [200, 422]],
  ['builds.rebuild', 'PUT', `${pipeline}/builds/{number}/rebuild`, 'write_builds', [200]],
  [
    'builds.retryFailedJobs',
    'PUT',
    `${pipeline}/builds/{number}/retry_failed_jobs`,
    'write_builds',
    [202, 400],
    '',
    'states',
  ],
  ['tests.list', 'GET', tests, 'read_suites', [200], 'label'],
  ['tests.get', 'GET', `${tests}/{test_id}`, 'read_suites', [200]],
  ['tests.find', 'POST', `${tests}/find`, 'read_suites', [200], '', 'scope name'],
  [
    'tests.changeLabels',
    'PATCH',
    `${tests}/{test_id}/labels`,
    'write_suites',
    [200],
    '',
    'operator labels',
  ],
  ['oauth.deviceAuthorization', 'POST', '/oauth/device_authorization', null, [200], '', deviceBody],
  ['oauth.token', 'POST', '/oauth/token', null, [200], '', tokenBody],
]

const extensions =
  `user.get accessToken.get accessToken.revoke organizations.list organizations.get pipelines.list pipelines.get
  jobs.log jobs.logText jobs.get jobs.retry jobs.unblock annotations.list annotations.create
  artifacts.list artifacts.listForJob artifacts.download graphql`.split(/\s+/) as OperationId[]

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '')

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
  Agent:
    'id graphql_id url web_url name connection_state hostname ip_address user_agent creator created_at',
  Pipeline:
    'id graphql_id url web_url name slug repository branch_configuration default_branch provider skip_queued_branch_builds skip_queued_branch_builds_filter cancel_running_branch_builds cancel_running_branch_builds_filter builds_url badge_url created_at scheduled_builds_count running_builds_count scheduled_jobs_count running_jobs_count waiting_jobs_count',
  Provider: 'id webhook_url settings',
  ProviderSettings:
    'trigger_mode build_pull_requests pull_request_branch_filter_enabled skip_pull_request_builds_for_existing_commits build_pull_request_forks prefix_pull_request_fork_branch_names build_tags publish_commit_status publish_commit_status_per_step publish_blocked_as_pending repository',
  TestRecord: 'id url web_url scope name location file_name labels',
  DeviceAuthorizationResponse:
    'device_code user_code verification_uri verification_uri_complete expires_in interval',
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
  SignalReason:
    'agent_stop cancel process_run_error agent_refused signature_rejected stack_error agent_incompatible',
  OAuthErrorCode:
    'authorization_pending slow_down access_denied expired_token invalid_grant invalid_client invalid_scope server_error invalid_request invalid_target unsupported_grant_type',
}

interface SchemaView {
  readonly properties?: Readonly<
    Record<string, { readonly description?: string; readonly $ref?: string }>
  >
  readonly 'x-open-enum'?: readonly string[]
}
const schemas = openapiDocument.components['schemas'] as unknown as Readonly<
  Record<string, SchemaView>
>

describe('documented operations', () => {
  it.each(documented.map((row) => [row[0], row] as const))('%s', (_, row) => {
    const [id, method, path, scope, statuses, query, body] = row
    const operation = operations[id]
    const paging = operation.result === 'page' ? ['page', 'per_page'] : []
    expect(operation).toMatchObject({
      id,
      method,
      path,
      scope,
      status: statuses[0],
      extension: false,
    })
    const inQuery = Object.entries(operation.query).filter(([, { extension }]) => !extension)
    expect(inQuery.map(([name]) => name).sort()).toEqual([...words(query), ...paging].sort())
    expect(operation.body?.properties ?? []).toEqual(expect.arrayContaining(words(body)))
    expect(operation.pathParameters.map((key) => `{${key}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])

    const described = openapiDocument.paths[path]?.[method.toLowerCase()]
    const { responses } = described as unknown as { responses: Record<string, unknown> }
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses.map(String)))
  })

  it('are all operations except the extensions', () => {
    expect(Object.keys(operations).sort()).toEqual(
      [...documented.map(([id]) => id), ...extensions].sort(),
    )
    for (const id of extensions) expect(operations[id].extension).toBe(true)
  })

  it('take no other parameters in the query than documented, except labels', () => {
    const beyond = documented.flatMap(([id]) =>
      Object.entries(operations[id].query).flatMap(([name, { extension }]) =>
        extension ? [`${id} ${name}`] : [],
      ),
    )
    expect(beyond).toEqual(['tests.list labels'])
  })

  it('take no other body than documented, except a reason to cancel and a refresh token', () => {
    const beyond = documented.flatMap(([id, , , , , , body]) =>
      (operations[id].body?.properties ?? []).filter((key) => !words(body).includes(key)),
    )
    expect(beyond.sort()).toEqual(['cancel_reason', 'client_secret', 'refresh_token'])
  })
})

describe('records', () => {
  it.each(Object.entries(records))('%s has every documented field', (name, fields) => {
    expect(Object.keys(schemas[name]?.properties ?? {})).toEqual(
      expect.arrayContaining(fields.split(' ')),
    )
  })

  it.each(Object.entries(enums))('%s has every documented value', (name, words) => {
    expect(schemas[name]?.['x-open-enum']).toEqual(expect.arrayContaining(words.split(' ')))
  })

  it('have a description for every property', () => {
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      for (const [key, property] of Object.entries(properties)) {
        expect(property.description ?? property.$ref, `${name}.${key}`).toBeTruthy()
      }
    }
  })
})

describe('retry safety', () => {
  it('is decided by the operation, not by the method', () => {
    const unsafe = Object.values(operations).filter(({ retrySafe }) => !retrySafe)
    expect(unsafe.map(({ id }) => id).sort()).toEqual(
      'accessToken.revoke annotations.create builds.create builds.rebuild builds.retryFailedJobs graphql oauth.token'.split(
        ' ',
      ),
    )
    for (const { method, retrySafe, id } of Object.values(operations)) {
      if (method === 'GET') expect(retrySafe, id).toBe(true)
    }
  })
})
