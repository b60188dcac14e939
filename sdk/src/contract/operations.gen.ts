// Generated from sdk/openapi.yaml by `npm run generate`. Edit that file, not this one.

import type {
  AccessTokenInfo,
  Annotation,
  Artifact,
  ArtifactDownload,
  ArtifactPath,
  Build,
  BuildPath,
  CancelBuildParams,
  ChangeLabelsParams,
  CreateAnnotationParams,
  CreateBuildParams,
  DeviceAuthorizationRequest,
  DeviceAuthorizationResponse,
  FindTestParams,
  GetBuildParams,
  GraphqlRequest,
  GraphqlResponse,
  Job,
  JobLog,
  JobPath,
  ListAnnotationsParams,
  ListArtifactsParams,
  ListBuildsParams,
  ListJobArtifactsParams,
  ListOrganizationBuildsParams,
  ListPipelineBuildsParams,
  ListPipelinesParams,
  ListTestsParams,
  Organization,
  OrganizationPath,
  Paging,
  Pipeline,
  PipelinePath,
  RetriedBuild,
  RetryFailedJobsParams,
  TestPath,
  TestRecord,
  TokenRequest,
  TokenResponse,
  UnblockJobParams,
  User,
} from './schemas.gen.js'

/** Names of the operations, which are also the paths of the client's methods. */
export type OperationId =
  | 'builds.list'
  | 'builds.listForOrganization'
  | 'builds.listForPipeline'
  | 'builds.create'
  | 'builds.get'
  | 'builds.cancel'
  | 'builds.rebuild'
  | 'builds.retryFailedJobs'
  | 'tests.list'
  | 'tests.find'
  | 'tests.get'
  | 'tests.changeLabels'
  | 'oauth.deviceAuthorization'
  | 'oauth.token'
  | 'user.get'
  | 'accessToken.get'
  | 'accessToken.revoke'
  | 'organizations.list'
  | 'organizations.get'
  | 'pipelines.list'
  | 'pipelines.get'
  | 'jobs.log'
  | 'jobs.logText'
  | 'jobs.get'
  | 'jobs.retry'
  | 'jobs.unblock'
  | 'annotations.list'
  | 'annotations.create'
  | 'artifacts.list'
  | 'artifacts.listForJob'
  | 'artifacts.download'
  | 'graphql'

/** How a query parameter travels: as it is, as `name[]=…` for a list, or as `name[key]=…` for a map. */
export interface QueryParameter {
  readonly kind: 'string' | 'uuid' | 'integer' | 'boolean' | 'time' | 'array' | 'map'
  readonly default?: string | number | boolean
  /** What a UUID is of. */
  readonly title?: string
  /** The words that a list may hold, where they are known. */
  readonly words?: readonly string[]
}

/** What both sides know about an operation: where it is, who may call it, and where each of its params goes. */
export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the endpoint's URL, with `{name}` for each path parameter. */
  readonly path: string
  /** Which configured URL the path is appended to. */
  readonly server: 'api' | 'auth' | 'graphql'
  /** Scope that the token must have; null when any live token, or none on `auth`, will do. */
  readonly scope: string | null
  /** Status of a success. */
  readonly status: number
  readonly pathParameters: readonly string[]
  readonly query: Readonly<Record<string, QueryParameter>>
  /** Keys of params that form the body; a list under a key of `joined` travels as one string with that separator. */
  readonly body: {
    readonly type: 'json' | 'form'
    readonly properties: readonly string[]
    readonly joined: Readonly<Record<string, string>>
  } | null
  /** A `redirect` is a record that says in `url` where `Location` points. */
  readonly result: 'record' | 'page' | 'text' | 'empty' | 'redirect'
  /** The fields without which a success, or an item of a page, is not the record asked for; each is a text or a number. */
  readonly identity: readonly string[]
  /** Fields that hold lists of records, when they are there, and the fields that each of those must have. */
  readonly nested: Readonly<Record<string, readonly string[]>>
  /** Whether sending it twice does no more than sending it once. This belongs to the operation, not to the method. */
  readonly retrySafe: boolean
  /** Beyond the documented API; a service may lack it. */
  readonly extension: boolean
}

/** Params of an operation that takes none. */
export type NoParams = Readonly<Record<string, never>>

/** Each operation's input, one flat object, and its result. */
export interface OperationTypes {
  /** List builds of all organizations. */
  'builds.list': { params: ListBuildsParams; result: Build[] }
  /** List builds of an organization. */
  'builds.listForOrganization': { params: ListOrganizationBuildsParams; result: Build[] }
  /** List builds of a pipeline. */
  'builds.listForPipeline': { params: ListPipelineBuildsParams; result: Build[] }
  /** Create a build. */
  'builds.create': { params: CreateBuildParams; result: Build }
  /** Get a build. */
  'builds.get': { params: GetBuildParams; result: Build }
  /** Cancel a build. */
  'builds.cancel': { params: CancelBuildParams; result: Build }
  /** Rebuild a build. */
  'builds.rebuild': { params: BuildPath; result: Build }
  /** Retry failed jobs. */
  'builds.retryFailedJobs': { params: RetryFailedJobsParams; result: RetriedBuild }
  /** List tests. */
  'tests.list': { params: ListTestsParams; result: TestRecord[] }
  /** Find a test. */
  'tests.find': { params: FindTestParams; result: TestRecord }
  /** Get a test. */
  'tests.get': { params: TestPath; result: TestRecord }
  /** Change labels. */
  'tests.changeLabels': { params: ChangeLabelsParams; result: TestRecord }
  /** Start a device login. */
  'oauth.deviceAuthorization': { params: DeviceAuthorizationRequest; result: DeviceAuthorizationResponse }
  /** Get a token. */
  'oauth.token': { params: TokenRequest; result: TokenResponse }
  /** Get the user. */
  'user.get': { params: NoParams; result: User }
  /** Get the token. */
  'accessToken.get': { params: NoParams; result: AccessTokenInfo }
  /** Revoke the token. */
  'accessToken.revoke': { params: NoParams; result: undefined }
  /** List organizations. */
  'organizations.list': { params: Paging; result: Organization[] }
  /** Get an organization. */
  'organizations.get': { params: OrganizationPath; result: Organization }
  /** List pipelines. */
  'pipelines.list': { params: ListPipelinesParams; result: Pipeline[] }
  /** Get a pipeline. */
  'pipelines.get': { params: PipelinePath; result: Pipeline }
  /** Get a job log. */
  'jobs.log': { params: JobPath; result: JobLog }
  /** Get a job log as text. */
  'jobs.logText': { params: JobPath; result: string }
  /** Get a job. */
  'jobs.get': { params: JobPath; result: Job }
  /** Retry a job. */
  'jobs.retry': { params: JobPath; result: Job }
  /** Unblock a job. */
  'jobs.unblock': { params: UnblockJobParams; result: Job }
  /** List annotations. */
  'annotations.list': { params: ListAnnotationsParams; result: Annotation[] }
  /** Annotate a build. */
  'annotations.create': { params: CreateAnnotationParams; result: Annotation }
  /** List artifacts of a build. */
  'artifacts.list': { params: ListArtifactsParams; result: Artifact[] }
  /** List artifacts of a job. */
  'artifacts.listForJob': { params: ListJobArtifactsParams; result: Artifact[] }
  /** Find the content of an artifact. */
  'artifacts.download': { params: ArtifactPath; result: ArtifactDownload }
  /** Run a GraphQL document. */
  'graphql': { params: GraphqlRequest; result: GraphqlResponse }
}

/** The words of `BuildStateFilter`. */
export const BUILD_STATES = ['creating', 'scheduled', 'running', 'passed', 'failing', 'failed', 'blocked', 'canceling', 'canceled', 'skipped', 'not_run', 'waiting', 'waiting_failed', 'finished'] as const

/** The words of `JobStateFilter`. */
export const JOB_STATES = ['pending', 'waiting', 'waiting_failed', 'blocked', 'blocked_failed', 'unblocked', 'unblocked_failed', 'scheduled', 'assigned', 'accepted', 'running', 'passed', 'failed', 'timed_out', 'timing_out', 'canceled', 'canceling', 'skipped', 'broken', 'expired', 'limited'] as const

/** The words of `RetryState`. */
export const RETRY_STATES = ['canceled', 'expired', 'failed', 'soft_failed', 'timed_out'] as const

const table = {
  'builds.list': {
    id: 'builds.list',
    method: 'GET',
    path: '/v2/builds',
    server: 'api',
    scope: 'read_builds',
    status: 200,
    pathParameters: [],
    query: {
      branch: { kind: 'array' },
      commit: { kind: 'array' },
      state: {
        kind: 'array',
        words: BUILD_STATES,
      },
      creator: { kind: 'uuid', title: 'user UUID' },
      created_from: { kind: 'time' },
      created_to: { kind: 'time' },
      finished_from: { kind: 'time' },
      meta_data: { kind: 'map' },
      exclude_jobs: { kind: 'boolean', default: false },
      include_retried_jobs: { kind: 'boolean', default: false },
      include_paused: { kind: 'boolean', default: true },
      page: { kind: 'integer', default: 1 },
      per_page: { kind: 'integer', default: 30 },
    },
    body: null,
    result: 'page',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: true,
    extension: false,
  },
  'builds.listForOrganization': {
    id: 'builds.listForOrganization',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/builds',
    server: 'api',
    scope: 'read_builds',
    status: 200,
    pathParameters: ['org_slug'],
    query: {
      branch: { kind: 'array' },
      commit: { kind: 'array' },
      state: {
        kind: 'array',
        words: BUILD_STATES,
      },
      creator: { kind: 'uuid', title: 'user UUID' },
      created_from: { kind: 'time' },
      created_to: { kind: 'time' },
      finished_from: { kind: 'time' },
      meta_data: { kind: 'map' },
      exclude_jobs: { kind: 'boolean', default: false },
      include_retried_jobs: { kind: 'boolean', default: false },
      include_paused: { kind: 'boolean', default: true },
      page: { kind: 'integer', default: 1 },
      per_page: { kind: 'integer', default: 30 },
    },
    body: null,
    result: 'page',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: true,
    extension: false,
  },
  'builds.listForPipeline': {
    id: 'builds.listForPipeline',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds',
    server: 'api',
    scope: 'read_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug'],
    query: {
      branch: { kind: 'array' },
      commit: { kind: 'array' },
      state: {
        kind: 'array',
        words: BUILD_STATES,
      },
      creator: { kind: 'uuid', title: 'user UUID' },
      created_from: { kind: 'time' },
      created_to: { kind: 'time' },
      finished_from: { kind: 'time' },
      meta_data: { kind: 'map' },
      exclude_jobs: { kind: 'boolean', default: false },
      include_retried_jobs: { kind: 'boolean', default: false },
      include_paused: { kind: 'boolean', default: true },
      exclude_pipeline: { kind: 'boolean', default: false },
      page: { kind: 'integer', default: 1 },
      per_page: { kind: 'integer', default: 30 },
    },
    body: null,
    result: 'page',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: true,
    extension: false,
  },
  'builds.create': {
    id: 'builds.create',
    method: 'POST',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds',
    server: 'api',
    scope: 'write_builds',
    status: 201,
    pathParameters: ['org_slug', 'pipeline_slug'],
    query: {},
    body: {
      type: 'json',
      properties: ['commit', 'branch', 'author', 'clean_checkout', 'env', 'ignore_pipeline_branch_filters', 'message', 'meta_data', 'pull_request_base_branch', 'pull_request_id', 'pull_request_labels', 'pull_request_repository'],
      joined: {},
    },
    result: 'record',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: false,
    extension: false,
  },
  'builds.get': {
    id: 'builds.get',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}',
    server: 'api',
    scope: 'read_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number'],
    query: {
      exclude_jobs: { kind: 'boolean', default: false },
      include_retried_jobs: { kind: 'boolean', default: false },
      job_states: {
        kind: 'array',
        words: JOB_STATES,
      },
      include_test_engine: { kind: 'boolean', default: false },
    },
    body: null,
    result: 'record',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: true,
    extension: false,
  },
  'builds.cancel': {
    id: 'builds.cancel',
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/cancel',
    server: 'api',
    scope: 'write_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number'],
    query: {},
    body: { type: 'json', properties: ['cancel_reason'], joined: {} },
    result: 'record',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: true,
    extension: false,
  },
  'builds.rebuild': {
    id: 'builds.rebuild',
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/rebuild',
    server: 'api',
    scope: 'write_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number'],
    query: {},
    body: null,
    result: 'record',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: false,
    extension: false,
  },
  'builds.retryFailedJobs': {
    id: 'builds.retryFailedJobs',
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/retry_failed_jobs',
    server: 'api',
    scope: 'write_builds',
    status: 202,
    pathParameters: ['org_slug', 'pipeline_slug', 'number'],
    query: {},
    body: { type: 'json', properties: ['states'], joined: { states: ',' } },
    result: 'record',
    identity: ['id', 'number', 'state'],
    nested: { jobs: ['id', 'type'] },
    retrySafe: false,
    extension: false,
  },
  'tests.list': {
    id: 'tests.list',
    method: 'GET',
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests',
    server: 'api',
    scope: 'read_suites',
    status: 200,
    pathParameters: ['org_slug', 'suite_slug'],
    query: { label: { kind: 'array' }, page: { kind: 'integer', default: 1 }, per_page: { kind: 'integer', default: 30 } },
    body: null,
    result: 'page',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: false,
  },
  'tests.find': {
    id: 'tests.find',
    method: 'POST',
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests/find',
    server: 'api',
    scope: 'read_suites',
    status: 200,
    pathParameters: ['org_slug', 'suite_slug'],
    query: {},
    body: { type: 'json', properties: ['scope', 'name'], joined: {} },
    result: 'record',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: false,
  },
  'tests.get': {
    id: 'tests.get',
    method: 'GET',
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests/{test_id}',
    server: 'api',
    scope: 'read_suites',
    status: 200,
    pathParameters: ['org_slug', 'suite_slug', 'test_id'],
    query: {},
    body: null,
    result: 'record',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: false,
  },
  'tests.changeLabels': {
    id: 'tests.changeLabels',
    method: 'PATCH',
    path: '/v2/analytics/organizations/{org_slug}/suites/{suite_slug}/tests/{test_id}/labels',
    server: 'api',
    scope: 'write_suites',
    status: 200,
    pathParameters: ['org_slug', 'suite_slug', 'test_id'],
    query: {},
    body: { type: 'json', properties: ['operator', 'labels'], joined: {} },
    result: 'record',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: false,
  },
  'oauth.deviceAuthorization': {
    id: 'oauth.deviceAuthorization',
    method: 'POST',
    path: '/oauth/device_authorization',
    server: 'auth',
    scope: null,
    status: 200,
    pathParameters: [],
    query: {},
    body: { type: 'form', properties: ['client_id', 'client_secret', 'scope'], joined: {} },
    result: 'record',
    identity: ['device_code'],
    nested: {},
    retrySafe: true,
    extension: false,
  },
  'oauth.token': {
    id: 'oauth.token',
    method: 'POST',
    path: '/oauth/token',
    server: 'auth',
    scope: null,
    status: 200,
    pathParameters: [],
    query: {},
    body: {
      type: 'form',
      properties: ['grant_type', 'client_id', 'client_secret', 'device_code', 'client_assertion_type', 'client_assertion', 'subject_token', 'subject_token_type', 'audience', 'scope', 'expires_in', 'refresh_token'],
      joined: {},
    },
    result: 'record',
    identity: ['access_token'],
    nested: {},
    retrySafe: false,
    extension: false,
  },
  'user.get': {
    id: 'user.get',
    method: 'GET',
    path: '/v2/user',
    server: 'api',
    scope: 'read_user',
    status: 200,
    pathParameters: [],
    query: {},
    body: null,
    result: 'record',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'accessToken.get': {
    id: 'accessToken.get',
    method: 'GET',
    path: '/v2/access-token',
    server: 'api',
    scope: null,
    status: 200,
    pathParameters: [],
    query: {},
    body: null,
    result: 'record',
    identity: ['uuid'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'accessToken.revoke': {
    id: 'accessToken.revoke',
    method: 'DELETE',
    path: '/v2/access-token',
    server: 'api',
    scope: null,
    status: 204,
    pathParameters: [],
    query: {},
    body: null,
    result: 'empty',
    identity: [],
    nested: {},
    retrySafe: false,
    extension: true,
  },
  'organizations.list': {
    id: 'organizations.list',
    method: 'GET',
    path: '/v2/organizations',
    server: 'api',
    scope: 'read_organizations',
    status: 200,
    pathParameters: [],
    query: { page: { kind: 'integer', default: 1 }, per_page: { kind: 'integer', default: 30 } },
    body: null,
    result: 'page',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'organizations.get': {
    id: 'organizations.get',
    method: 'GET',
    path: '/v2/organizations/{org_slug}',
    server: 'api',
    scope: 'read_organizations',
    status: 200,
    pathParameters: ['org_slug'],
    query: {},
    body: null,
    result: 'record',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'pipelines.list': {
    id: 'pipelines.list',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines',
    server: 'api',
    scope: 'read_pipelines',
    status: 200,
    pathParameters: ['org_slug'],
    query: {
      name: { kind: 'string' },
      repository: { kind: 'string' },
      page: { kind: 'integer', default: 1 },
      per_page: { kind: 'integer', default: 30 },
    },
    body: null,
    result: 'page',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'pipelines.get': {
    id: 'pipelines.get',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}',
    server: 'api',
    scope: 'read_pipelines',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug'],
    query: {},
    body: null,
    result: 'record',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'jobs.log': {
    id: 'jobs.log',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/log',
    server: 'api',
    scope: 'read_build_logs',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number', 'job_id'],
    query: {},
    body: null,
    result: 'record',
    identity: ['content'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'jobs.logText': {
    id: 'jobs.logText',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/log.txt',
    server: 'api',
    scope: 'read_build_logs',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number', 'job_id'],
    query: {},
    body: null,
    result: 'text',
    identity: [],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'jobs.get': {
    id: 'jobs.get',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}',
    server: 'api',
    scope: 'read_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number', 'job_id'],
    query: {},
    body: null,
    result: 'record',
    identity: ['id', 'type'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'jobs.retry': {
    id: 'jobs.retry',
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/retry',
    server: 'api',
    scope: 'write_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number', 'job_id'],
    query: {},
    body: null,
    result: 'record',
    identity: ['id', 'type'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'jobs.unblock': {
    id: 'jobs.unblock',
    method: 'PUT',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/unblock',
    server: 'api',
    scope: 'write_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number', 'job_id'],
    query: {},
    body: { type: 'json', properties: ['unblocker', 'fields'], joined: {} },
    result: 'record',
    identity: ['id', 'type'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'annotations.list': {
    id: 'annotations.list',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/annotations',
    server: 'api',
    scope: 'read_builds',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number'],
    query: { page: { kind: 'integer', default: 1 }, per_page: { kind: 'integer', default: 30 } },
    body: null,
    result: 'page',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'annotations.create': {
    id: 'annotations.create',
    method: 'POST',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/annotations',
    server: 'api',
    scope: 'write_builds',
    status: 201,
    pathParameters: ['org_slug', 'pipeline_slug', 'number'],
    query: {},
    body: { type: 'json', properties: ['body', 'style', 'priority', 'context', 'append'], joined: {} },
    result: 'record',
    identity: ['id'],
    nested: {},
    retrySafe: false,
    extension: true,
  },
  'artifacts.list': {
    id: 'artifacts.list',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/artifacts',
    server: 'api',
    scope: 'read_artifacts',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number'],
    query: { page: { kind: 'integer', default: 1 }, per_page: { kind: 'integer', default: 30 } },
    body: null,
    result: 'page',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'artifacts.listForJob': {
    id: 'artifacts.listForJob',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/artifacts',
    server: 'api',
    scope: 'read_artifacts',
    status: 200,
    pathParameters: ['org_slug', 'pipeline_slug', 'number', 'job_id'],
    query: { page: { kind: 'integer', default: 1 }, per_page: { kind: 'integer', default: 30 } },
    body: null,
    result: 'page',
    identity: ['id'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  'artifacts.download': {
    id: 'artifacts.download',
    method: 'GET',
    path: '/v2/organizations/{org_slug}/pipelines/{pipeline_slug}/builds/{number}/jobs/{job_id}/artifacts/{artifact_id}/download',
    server: 'api',
    scope: 'read_artifacts',
    status: 302,
    pathParameters: ['org_slug', 'pipeline_slug', 'number', 'job_id', 'artifact_id'],
    query: {},
    body: null,
    result: 'redirect',
    identity: ['url'],
    nested: {},
    retrySafe: true,
    extension: true,
  },
  graphql: {
    id: 'graphql',
    method: 'POST',
    path: '/graphql',
    server: 'graphql',
    scope: 'graphql',
    status: 200,
    pathParameters: [],
    query: {},
    body: { type: 'json', properties: ['query', 'variables', 'operationName'], joined: {} },
    result: 'record',
    identity: [],
    nested: {},
    retrySafe: false,
    extension: true,
  },
} as const satisfies { readonly [K in OperationId]: Operation }

/** The operations of the API, by name. */
export const operations: { readonly [K in OperationId]: Operation } = table

/** The rows of `operations` as they are: for types that must name each parameter. */
export type OperationTable = typeof table
/** Names of an operation's query parameters. */
export type QueryName<Id extends OperationId> = Id extends OperationId
  ? string & keyof OperationTable[Id]['query']
  : never
/** Names of the properties of an operation's body. */
export type BodyName<Id extends OperationId> = Id extends OperationId
  ? NonNullable<OperationTable[Id]['body']>['properties'][number]
  : never

/** Scopes that a token may carry. */
export const SCOPES = ['read_builds', 'write_builds', 'read_build_logs', 'read_artifacts', 'read_suites', 'write_suites', 'read_pipelines', 'write_pipelines', 'read_user', 'read_organizations', 'graphql'] as const
